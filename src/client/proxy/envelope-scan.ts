// Reads `id` and `method` of a JSON-RPC message while its bytes go by, so that a line too long to hold is still
// answered under its own id. Official clients write the id last, so the whole line has to pass.
import type { RequestId } from "./call.ts";

export type Envelope = { id?: RequestId; method?: string };
export type EnvelopeScan = { push(bytes: Uint8Array): void; envelope(): Envelope };

/** Longest member name or value that is kept; ids and method names are far shorter. */
const tokenBytesMax = 1024;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;

export function createEnvelopeScan(): EnvelopeScan {
  const found: Envelope = {};
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let key: unknown;
  // Bytes of the member name or value being read at depth 1. One that is too long, or nested, ends up as no JSON.
  let token: number[] = [];

  function finishMember(): void {
    const value = parsed(token);
    token = [];
    if (key === "id" && (typeof value === "string" || typeof value === "number")) found.id = value;
    if (key === "method" && typeof value === "string") found.method = value;
    key = undefined;
  }

  function structural(byte: number): void {
    if (byte === 0x7b || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 1) finishMember();
      depth -= 1;
    } else if (depth !== 1) return;
    else if (byte === comma) finishMember();
    else if (byte === colon) {
      key = parsed(token);
      token = [];
    } else keep(byte);
  }

  function keep(byte: number): void {
    if (depth === 1 && token.length < tokenBytesMax) token.push(byte);
  }

  return {
    push(bytes) {
      for (const byte of bytes) {
        if (!isInString && byte !== quote) {
          structural(byte);
          continue;
        }
        keep(byte);
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInString = !isInString;
      }
    },
    envelope: () => found,
  };
}

function parsed(token: number[]): unknown {
  try {
    return JSON.parse(Buffer.from(token).toString("utf8"));
  } catch {
    return undefined; // cut, nested or malformed: nothing a call could be answered by
  }
}

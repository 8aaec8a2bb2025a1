// Reads request bodies up to a cap (rest-api.md 0.5): a declared length over it is refused before reading, an
// undeclared one stops at the cap, so no caller makes the hub hold more.
import { setImmediate as nextTurn } from "node:timers/promises";
import { releaseBytes } from "../../kernel/large-text.ts";
import { HubError } from "../../shared/errors.ts";

/** From this length on a body is put together piece by piece. */
const pieceMealBytes = 1_048_576;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The body as text, every character of it: a byte order mark stays. Undefined when its bytes are not UTF-8.
 * @throws HubError `payload_too_large` `{limit, actual?}`
 */
export async function readWholeText(request: Request, limit: number): Promise<string | undefined> {
  return decode(await readBytes(request, limit));
}

/** The bytes of the body. @throws HubError `payload_too_large` `{limit, actual?}` */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared > limit) throw tooLong(limit, declared);
  try {
    if (declared >= pieceMealBytes && request.body !== null) return await readDeclared(request.body, declared);
    // The runtime refuses a body that differs from its declared length.
    if (!Number.isNaN(declared)) return await request.bytes();
    return request.body === null ? new Uint8Array() : await readStream(request.body, limit);
  } catch (error) {
    if (error instanceof HubError) throw error;
    // The caller left, or was too slow: nobody hears this, and it is no fault of ours to log.
    throw new HubError("invalid_argument", "the body ended before it was whole", {}, { cause: error });
  }
}

// The runtime gathers a body in memory that it copies as it grows, which holds everybody up for tens of milliseconds. It
// takes what has arrived in one go, several megabytes, unless its reader lets others have their turn: then it waits too.
async function readDeclared(stream: ReadableStream<Uint8Array>, declared: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(declared);
  let length = 0;
  for await (const chunk of stream) {
    if (length + chunk.byteLength > declared) throw new Error("the body is longer than it was said to be");
    bytes.set(chunk, length);
    length += chunk.byteLength;
    // As much again would wait for the collector. Nobody else has a part of what is as large as its chunk.
    if (chunk.byteLength === chunk.buffer.byteLength) releaseBytes(chunk);
    await nextTurn();
  }
  if (length < declared) throw new Error("the body is shorter than it was said to be");
  return bytes;
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > limit) throw tooLong(limit);
    chunks.push(chunk);
    await nextTurn();
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    // Replacing what cannot be read would store another text than the caller's.
    return undefined;
  }
}

function tooLong(limit: number, actual?: number): HubError {
  return new HubError(
    "payload_too_large",
    `the request body is ${actual === undefined ? `over ${limit}` : actual} bytes; at most ${limit} are taken`,
    actual === undefined ? { limit } : { limit, actual },
  );
}

/** True for `application/json` with or without parameters. */
export function isJson(request: Request): boolean {
  return /^\s*application\/json\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "");
}

/** True for a body that is markdown or plain text. */
export function isPlainText(request: Request): boolean {
  return /^\s*text\/(?:markdown|plain)\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "");
}

// Reads the JSON of bodies. One with large texts is read a piece a turn: its long strings are taken out of its bytes and
// un-escaped where they lie, which needs no memory of its own, and what is left is parsed as ever. That takes time by the
// number of its values and not of its bytes, so their number has a limit.
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { HubError } from "../shared/errors.ts";
import { jsonValuesMax } from "../shared/limits.ts";
import { isUtf8InTurns, LargeText, largeTextBytes } from "./large-text.ts";

// A turn of them is taken apart in about a millisecond.
const turnBytes = 262_144;
const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;
// A value begins behind each of them.
const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;
const utf8 = new TextDecoder("utf-8", { fatal: true });

type Span = { from: number; to: number };

/**
 * Parses the JSON document of a body. A small one holds plain strings alone, a large one what parseLargeJson makes of it.
 * @throws SyntaxError or TypeError when it is no JSON in UTF-8
 * @throws HubError `payload_too_large` `{limit}`
 */
export async function parseJson(bytes: Uint8Array, holder: (document: unknown) => unknown): Promise<unknown> {
  // Replacing what cannot be read would store another text than the caller's.
  return bytes.byteLength < largeTextBytes ? JSON.parse(utf8.decode(bytes)) : parseLargeJson(bytes, holder);
}

/**
 * Parses a JSON document. Its strings of `largeTextBytes` and more come as LargeText where they are members of what
 * `holder` finds in it, and as plain strings elsewhere. The bytes belong to the result from then on.
 * @throws SyntaxError when it is no JSON in UTF-8
 * @throws HubError `payload_too_large` `{limit}` when it holds more values than any call needs
 */
export async function parseLargeJson(bytes: Uint8Array, holder: (document: unknown) => unknown): Promise<unknown> {
  if (!(await isUtf8InTurns(bytes))) throw new SyntaxError("not UTF-8");
  const spans = await longStrings(bytes);
  // Stands for a string where no caller can have written the same.
  const mark = `${randomUUID()}:`;
  // The mark of byte order may stand at the very beginning alone.
  const first = new TextDecoder("utf-8");
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let skeleton = "";
  let after = 0;
  const texts: LargeText[] = [];
  for (const [index, span] of spans.entries()) {
    skeleton += `${(after === 0 ? first : decoder).decode(bytes.subarray(after, span.from))}${mark}${index}`;
    after = span.to;
    texts.push(await unescaped(bytes, span));
  }
  skeleton += (after === 0 ? first : decoder).decode(bytes.subarray(after));
  const root: { document: unknown } = { document: JSON.parse(skeleton) };
  const members = texts.length === 0 ? [] : putBack(root, mark, texts);
  const kept = holder(root.document);
  for (const { at, key, text } of members) {
    if (at !== kept) at[key] = text.toPlain();
  }
  return root.document;
}

/** A large text and the member that is one. */
type Member = { at: Record<string, unknown>; key: string; text: LargeText };

// Step by step and not as JSON.parse would do it on its way, which takes twenty times as long.
function putBack(root: Record<string, unknown>, mark: string, texts: readonly LargeText[]): Member[] {
  const members: Member[] = [];
  const left: Record<string, unknown>[] = [root];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const [key, value] of Object.entries(at)) {
      // A member's name of that length is no name of anything.
      if (key.startsWith(mark)) throw new SyntaxError("a name too long");
      if (isObjectOrList(value)) left.push(value);
      const text =
        typeof value === "string" && value.startsWith(mark) ? texts[Number(value.slice(mark.length))] : undefined;
      if (text === undefined) continue;
      at[key] = text;
      members.push({ at, key, text });
    }
  }
  return members;
}

function isObjectOrList(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

// The insides of the strings of that length.
async function longStrings(bytes: Uint8Array): Promise<Span[]> {
  const scan: Scan = { at: 0, from: -1, spans: [], values: 1 };
  while (scan.at < bytes.length) {
    scanTo(bytes, scan, Math.min(bytes.length, scan.at + turnBytes));
    if (scan.values > jsonValuesMax) throw tooMany();
    await nextTurn();
  }
  return scan.spans;
}

function tooMany(): HubError {
  return new HubError("payload_too_large", `the body holds more than ${jsonValuesMax} JSON values; send it in parts`, {
    limit: jsonValuesMax,
  });
}

/** Where the scan stands, where the string began that it is in, -1 outside, and how many values began so far. */
type Scan = { at: number; from: number; spans: Span[]; values: number };

function scanTo(bytes: Uint8Array, scan: Scan, end: number): void {
  let { at, from, values } = scan;
  while (at < end) {
    const byte = bytes[at];
    if (byte === backslash && from !== -1) {
      at += 2;
      continue;
    }
    if (byte === quote && from === -1) {
      from = at + 1;
    } else if (byte === quote) {
      if (at - from >= largeTextBytes) scan.spans.push({ from, to: at });
      from = -1;
    } else if (from === -1 && (byte === comma || byte === bracket || byte === brace)) {
      values += 1;
    }
    at += 1;
  }
  scan.at = at;
  scan.from = from;
  scan.values = values;
}

async function unescaped(bytes: Uint8Array, { from, to }: Span): Promise<LargeText> {
  const place: Place = { at: from, end: from, isWellFormed: true };
  while (place.at < to) {
    unescapeTo(bytes, place, Math.min(to, place.at + turnBytes));
    await nextTurn();
  }
  // An escape that runs over the end of its string is none.
  if (place.at > to) throw new SyntaxError("a malformed escape");
  return new LargeText(bytes.subarray(from, place.end), place.isWellFormed);
}

/** What is read next, and where what was read ends: never behind it. */
type Place = { at: number; end: number; isWellFormed: boolean };

function unescapeTo(bytes: Uint8Array, place: Place, until: number): void {
  let { at, end } = place;
  while (at < until) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20) throw new SyntaxError("a control character in a string");
    if (byte === backslash) {
      place.at = at;
      place.end = end;
      unescapeOne(bytes, place);
      at = place.at;
      end = place.end;
    } else {
      bytes[end] = byte;
      end += 1;
      at += 1;
    }
  }
  place.at = at;
  place.end = end;
}

const plainEscapes = new Uint8Array(256);
for (const [sign, means] of ['""', "\\\\", "//", "b\b", "f\f", "n\n", "r\r", "t\t"].map((pair) => Buffer.from(pair))) {
  plainEscapes[sign ?? 0] = means ?? 0;
}

function unescapeOne(bytes: Uint8Array, place: Place): void {
  const sign = bytes[place.at + 1] ?? 0;
  const plain = plainEscapes[sign] ?? 0;
  if (plain !== 0) {
    bytes[place.end] = plain;
    place.end += 1;
    place.at += 2;
    return;
  }
  if (sign !== letterU) throw new SyntaxError("an unknown escape");
  const unit = unitAt(bytes, place.at);
  const low = isHalf(unit, 0xd800) ? lowAt(bytes, place.at + 6) : undefined;
  const isLone = low === undefined && (isHalf(unit, 0xd800) || isHalf(unit, 0xdc00));
  if (isLone) place.isWellFormed = false;
  const code = low === undefined ? unit : 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
  const written = Buffer.from(String.fromCodePoint(isLone ? 0xfffd : code));
  bytes.set(written, place.end);
  place.end += written.length;
  place.at += low === undefined ? 6 : 12;
}

function isHalf(unit: number, first: 0xd800 | 0xdc00): boolean {
  return unit >= first && unit < first + 0x400;
}

// The second half of a character in an escape of its own.
function lowAt(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] !== backslash || bytes[at + 1] !== letterU) return undefined;
  const unit = unitAt(bytes, at);
  return isHalf(unit, 0xdc00) ? unit : undefined;
}

// The number of \uXXXX.
function unitAt(bytes: Uint8Array, at: number): number {
  const digits = String.fromCharCode(...bytes.subarray(at + 2, at + 6));
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new SyntaxError("a malformed escape");
  return Number.parseInt(digits, 16);
}

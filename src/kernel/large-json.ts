// Reads JSON with large texts in it, a piece a turn: the long strings of a document are taken out of its bytes and
// un-escaped where they lie, which needs no memory of its own, and the little that is left is parsed as ever.
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isUtf8InTurns, LargeText, largeTextBytes } from "./large-text.ts";

// A turn of them is taken apart in about a millisecond.
const turnBytes = 262_144;
const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;

type Span = { from: number; to: number };

/**
 * Parses a JSON document. Its strings of `largeTextBytes` and more come as LargeText where they are members of what
 * `holder` finds in it, and as plain strings elsewhere. The bytes belong to the result from then on.
 * @throws SyntaxError when it is no JSON in UTF-8
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
  if (texts.length === 0) return JSON.parse(skeleton);
  const places: { at: unknown; key: string; text: LargeText }[] = [];
  const document: unknown = JSON.parse(skeleton, function (this: unknown, key, value: unknown) {
    const text =
      typeof value === "string" && value.startsWith(mark) ? texts[Number(value.slice(mark.length))] : undefined;
    // A member's name of that length is no name of anything.
    if (key.startsWith(mark)) throw new SyntaxError("a name too long");
    if (text === undefined) return value;
    places.push({ at: this, key, text });
    return text;
  });
  const kept = holder(document);
  for (const { at, key, text } of places) {
    if (at !== kept && isObjectOrList(at)) at[key] = text.toPlain();
  }
  return document instanceof LargeText ? document.toPlain() : document;
}

function isObjectOrList(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

// The insides of the strings of that length.
async function longStrings(bytes: Uint8Array): Promise<Span[]> {
  const scan: Scan = { at: 0, from: -1, spans: [] };
  while (scan.at < bytes.length) {
    scanTo(bytes, scan, Math.min(bytes.length, scan.at + turnBytes));
    await nextTurn();
  }
  return scan.spans;
}

/** Where the scan stands, and where the string began that it is in; -1 outside. */
type Scan = { at: number; from: number; spans: Span[] };

function scanTo(bytes: Uint8Array, scan: Scan, end: number): void {
  let { at, from } = scan;
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
    }
    at += 1;
  }
  scan.at = at;
  scan.from = from;
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

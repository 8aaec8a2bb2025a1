// JSON as a type, for values that pass through untouched.
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** True for a plain JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Absent in a browser.
declare const Buffer: { byteLength(text: string): number } | undefined;

/** UTF-8 bytes of a text; byte limits are counted in these (mcp-tools.md 7). */
export function byteLength(text: string): number {
  return typeof Buffer === "undefined" ? new TextEncoder().encode(text).byteLength : Buffer.byteLength(text);
}

/** Unicode code points of a text; character limits are counted in these (mcp-tools.md 7). */
export function codePoints(text: string): number {
  // Texts reach tens of megabytes, and an iterator makes a string of each character.
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    const isPair =
      isBetween(text.charCodeAt(index), 0xdc00, 0xdfff) && isBetween(text.charCodeAt(index - 1), 0xd800, 0xdbff);
    if (isPair) count -= 1;
  }
  return count;
}

function isBetween(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}

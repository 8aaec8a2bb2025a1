// JSON as a type, for values that pass through untouched.
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** True for a plain JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** UTF-8 bytes of a text; byte limits are counted in these (mcp-tools.md 7). */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** Unicode code points of a text; character limits are counted in these (mcp-tools.md 7). */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

// Text as an HTTP field value, as the 2026-07-28 revision asks for `Mcp-Name`: what a header cannot carry as it is goes
// as `=?base64?<UTF-8 in base64>?=`, so every tool name and URI can be sent.

const prefix = "=?base64?";
const suffix = "?=";

export function headerValue(text: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim();
  const looksEncoded = text.startsWith(prefix) && text.endsWith(suffix);
  if (isPlain && !looksEncoded) return text;
  return `${prefix}${Buffer.from(text, "utf8").toString("base64")}${suffix}`;
}

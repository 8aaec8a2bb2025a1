// Reads an SSE body into the data of its messages. Comments, ids and other events carry nothing for the harness.
import { readLines } from "./line-reader.ts";

export async function* readEventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let type = "";
  let data: string[] = [];
  for await (const line of readLines(body, Number.POSITIVE_INFINITY)) {
    if (line.kind !== "whole") continue;
    const text = decoder.decode(line.bytes);
    if (text === "") {
      if (data.length > 0 && (type === "" || type === "message")) yield data.join("\n");
      type = "";
      data = [];
      continue;
    }
    const { field, value } = readField(text);
    if (field === "data") data.push(value);
    if (field === "event") type = value;
  }
}

function readField(text: string): { field: string; value: string } {
  const colon = text.indexOf(":");
  if (colon === -1) return { field: text, value: "" };
  const start = text.startsWith(" ", colon + 1) ? colon + 2 : colon + 1;
  return { field: text.slice(0, colon), value: text.slice(start) };
}

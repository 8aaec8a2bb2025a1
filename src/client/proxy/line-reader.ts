// Splits bytes into lines. A line over the cap is never held: what is needed to answer it is read in passing.
import { createEnvelopeScan, type Envelope } from "./envelope-scan.ts";

export type Line =
  | { kind: "whole"; bytes: Uint8Array }
  /** `bytes` is the size of the whole line, `envelope` what its call can be answered by. */
  | { kind: "overlong"; bytes: number; envelope: Envelope };

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Every line of `input` without its line end, blank ones too; the last one needs no line end. */
export async function* readLines(input: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line, void> {
  let line = startLine(maxBytes);
  for await (const chunk of input) {
    let rest = chunk;
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      line.push(rest.subarray(0, end));
      yield line.take();
      line = startLine(maxBytes);
      rest = rest.subarray(end + 1);
    }
    line.push(rest);
  }
  if (line.size() > 0) yield line.take();
}

type OpenLine = { push(bytes: Uint8Array): void; size(): number; take(): Line };

function startLine(maxBytes: number): OpenLine {
  let parts: Uint8Array[] = [];
  let size = 0;
  let scan: ReturnType<typeof createEnvelopeScan> | undefined;

  return {
    push(bytes) {
      size += bytes.length;
      if (scan === undefined && size > maxBytes) {
        scan = createEnvelopeScan();
        for (const part of parts) scan.push(part);
        parts = [];
      }
      if (scan === undefined) parts.push(bytes);
      else scan.push(bytes);
    },
    size: () => size,
    take() {
      if (scan !== undefined) return { kind: "overlong", bytes: size, envelope: scan.envelope() };
      return { kind: "whole", bytes: withoutCarriageReturn(Buffer.concat(parts)) };
    },
  };
}

function withoutCarriageReturn(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
}

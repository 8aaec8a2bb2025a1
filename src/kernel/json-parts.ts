// Writes JSON with large texts in it as parts, and streams them a piece a turn, as fast as they are read.
import { LargeText } from "./large-text.ts";

const encoder = new TextEncoder();

/** JSON in the order it is written; a large text is what stands between the quotes of its string. */
export type JsonPart = string | { text: LargeText /** How often it is JSON inside JSON. */; depth: 1 | 2 };

/** True when a member of the object itself is a large text. */
export function holdsLargeText(value: object): boolean {
  for (const member of Object.values(value)) if (member instanceof LargeText) return true;
  return false;
}

/** The parts of a JSON object, of which members may be large texts. */
export function partsOf(value: object): JsonPart[] {
  const parts: JsonPart[] = [];
  let text = "";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    text += `${text === "" ? "{" : ","}${JSON.stringify(name)}:`;
    if (member instanceof LargeText) {
      parts.push(`${text}"`, { text: member, depth: 1 });
      text = '"';
    } else {
      text += JSON.stringify(member);
    }
  }
  return [...parts, `${text === "" ? "{" : text}}`];
}

/** The same parts as the inside of a JSON string. */
export function quotedParts(parts: readonly JsonPart[]): JsonPart[] {
  return parts.map((part) => (typeof part === "string" ? inside(part) : { ...part, depth: 2 }));
}

function inside(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** How each byte of a text is written inside of a JSON string, by depth: most as they are, so as one byte. */
const escapes = ([1, 2] as const).map((depth) => {
  const written = Array.from({ length: 0x80 }, (_, code) => {
    const once = inside(String.fromCharCode(code));
    return encoder.encode(depth === 1 ? once : inside(once));
  });
  const lengths = new Uint8Array(0x100).fill(1);
  for (const [code, { length }] of written.entries()) lengths[code] = length;
  return { written, lengths };
});

// Byte by byte: texts of tens of megabytes would leave several times as much in strings behind.
function escaped(bytes: Uint8Array, depth: 1 | 2): Uint8Array {
  const { written = [], lengths = new Uint8Array() } = escapes[depth - 1] ?? {};
  let size = 0;
  for (const byte of bytes) size += lengths[byte] ?? 1;
  if (size === bytes.byteLength) return bytes.slice();
  const out = new Uint8Array(size);
  let at = 0;
  for (const byte of bytes) {
    if (lengths[byte] === 1) {
      out[at] = byte;
      at += 1;
    } else {
      const text = written[byte] ?? new Uint8Array();
      out.set(text, at);
      at += text.length;
    }
  }
  return out;
}

/** A body that is written as fast as it is read. The large texts in it are released with its end. */
export function streamParts(parts: readonly JsonPart[]): ReadableStream<Uint8Array> {
  const pieces = piecesOf(parts);
  const release = (): void => {
    for (const part of parts) if (typeof part !== "string") part.text.release();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done !== true) return controller.enqueue(value);
        release();
        controller.close();
      },
      async cancel() {
        await pieces.return(undefined);
        release();
      },
    },
    { highWaterMark: 1 },
  );
}

async function* piecesOf(parts: readonly JsonPart[]): AsyncGenerator<Uint8Array, void> {
  for (const part of parts) {
    if (typeof part === "string") yield encoder.encode(part);
    else for await (const piece of part.text.pieces()) yield escaped(piece, part.depth);
  }
}

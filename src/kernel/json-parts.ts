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

/** A body that is written as fast as it is read. */
export function streamParts(parts: readonly JsonPart[]): ReadableStream<Uint8Array> {
  const texts = textsOf(parts);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await texts.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}

async function* textsOf(parts: readonly JsonPart[]): AsyncGenerator<string, void> {
  for (const part of parts) {
    if (typeof part === "string") {
      yield part;
      continue;
    }
    for await (const piece of part.text.pieces()) yield part.depth === 1 ? inside(piece) : inside(inside(piece));
  }
}

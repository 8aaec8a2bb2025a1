// Texts of tens of megabytes travel as their UTF-8 bytes, never as one string: to decode, parse or serialise them in one
// go would hold up every other call (architecture.md 10). What looks at them does so a piece a turn.
import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";

/** From here on a text is large: less is taken apart in about a millisecond. */
export const largeTextBytes = 262_144;
const pieceBytes = 65_536;
const checkedBytes = 1_048_576;

export class LargeText {
  readonly bytes: Uint8Array;
  /** False when half a character was in the JSON it came from. */
  readonly isWellFormed: boolean;

  constructor(bytes: Uint8Array, isWellFormed = true) {
    this.bytes = bytes;
    this.isWellFormed = isWellFormed;
  }

  /** Gives its memory back now, rather than when it is collected; nobody may look at it from then on. */
  release(): void {
    releaseBytes(this.bytes);
  }

  /** The first characters, out of at most so many bytes. */
  start(maxBytes: number): string {
    return decoder.decode(this.bytes.subarray(0, endOfCharacter(this.bytes, maxBytes)));
  }

  /** Its bytes in pieces, each in a turn of its own. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < this.bytes.byteLength; from += pieceBytes) {
      yield this.bytes.subarray(from, from + pieceBytes);
      await nextTurn();
    }
  }

  /** All of it, in one go: for what cannot do with less. */
  toString(): string {
    return decoder.decode(this.bytes);
  }

  /** The same; one with half a character still is no whole text. */
  toPlain(): string {
    return this.isWellFormed ? this.toString() : `${this}\uD800`;
  }

  toJSON(): string {
    return this.toString();
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Gives the memory behind some bytes back now, all of it, whoever else looks at it. */
export function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

/** Where the character that an index falls into begins; the end for an index beyond it. */
function endOfCharacter(bytes: Uint8Array, index: number): number {
  if (index >= bytes.byteLength) return bytes.byteLength;
  let end = index;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end === 0 ? index : end;
}

/** Whether bytes are UTF-8, a piece a turn. */
export async function isUtf8InTurns(bytes: Uint8Array): Promise<boolean> {
  for (let from = 0; from < bytes.byteLength; ) {
    const to = endOfCharacter(bytes, from + checkedBytes);
    // Bytes that begin no character for so long are none.
    if (to <= from || !isUtf8(bytes.subarray(from, to))) return false;
    from = to;
    if (from < bytes.byteLength) await nextTurn();
  }
  return true;
}

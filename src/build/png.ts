// Writes a PNG from a function of its pixels: the icons need no drawing program and no binary in the repository.
import { deflateSync } from "node:zlib";

export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const bitDepth = 8;
const rgbaColour = 6;

/** `pixel` takes the middle of a pixel in 0 to 1 of the side, and answers in 0 to 1. */
export function png(side: number, pixel: (x: number, y: number) => Rgba): Uint8Array<ArrayBuffer> {
  const rowBytes = 1 + side * 4; // the first byte of a row names its filter: none
  const rows = new Uint8Array(rowBytes * side);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const rgba = pixel((x + 0.5) / side, (y + 0.5) / side);
      for (const [channel, value] of rgba.entries()) {
        rows[y * rowBytes + 1 + x * 4 + channel] = Math.round(Math.min(1, Math.max(0, value)) * 255);
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([bitDepth, rgbaColour, 0, 0, 0], 8);
  return new Uint8Array(
    Buffer.concat([
      Buffer.from(signature),
      chunk("IHDR", header),
      chunk("IDAT", deflateSync(rows, { level: 9 })),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

function chunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(Bun.hash.crc32(named), named.length + 4);
  return framed;
}

// The web app as one file: what `build.ts` writes and the hub serves. A length, an index as JSON, then the bytes.
export type Encoding = "identity" | "br" | "gzip";

/** Where the bytes of a representation stand, from the end of the index. */
export type Span = readonly [start: number, end: number];

export type PackedFile = {
  /** Below the hub's root, without a leading slash. */
  path: string;
  type: string;
  /** `immutable`: the name changes with the content. `revalidate`: asked for every time. `internal`: never served. */
  cache: "immutable" | "revalidate" | "internal";
  /** Of the bytes as they are, hexadecimal. */
  sha256: string;
  spans: Partial<Record<Encoding, Span>>;
};

export type PackIndex = {
  /** Changes with any byte of the app. */
  build: string;
  files: readonly PackedFile[];
  /** Files of each entry by its name; for a module the entry itself first, then all it imports statically. */
  entries: Readonly<Record<string, readonly string[]>>;
};

const lengthBytes = 4;

export type Content = Omit<PackedFile, "spans"> & { bytes: Partial<Record<Encoding, Uint8Array>> };

export function writePack(build: string, contents: readonly Content[], entries: PackIndex["entries"]): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  const files = contents.map(({ bytes, ...file }): PackedFile => {
    const spans: PackedFile["spans"] = {};
    for (const encoding of ["identity", "br", "gzip"] as const) {
      const part = bytes[encoding];
      if (part === undefined) continue;
      spans[encoding] = [at, at + part.length];
      at += part.length;
      parts.push(part);
    }
    return { ...file, spans };
  });
  const index = new TextEncoder().encode(JSON.stringify({ build, files, entries } satisfies PackIndex));
  const pack = new Uint8Array(lengthBytes + index.length + at);
  new DataView(pack.buffer).setUint32(0, index.length);
  pack.set(index, lengthBytes);
  let offset = lengthBytes + index.length;
  for (const part of parts) {
    pack.set(part, offset);
    offset += part.length;
  }
  return pack;
}

export function readPack(pack: Uint8Array<ArrayBuffer>): { index: PackIndex; body: Uint8Array<ArrayBuffer> } {
  const bodyAt = lengthBytes + new DataView(pack.buffer, pack.byteOffset).getUint32(0);
  // Written by `writePack` of the same build.
  const index = JSON.parse(new TextDecoder().decode(pack.subarray(lengthBytes, bodyAt))) as PackIndex;
  return { index, body: pack.subarray(bodyAt) };
}

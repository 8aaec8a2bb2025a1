// The web app that the build packed into the binary: what is in it, and what its names are (web-app.md 2.5).
import { readFileSync } from "node:fs";
import packPath from "../../../dist/web.pack" with { type: "file" };
import { type Encoding, type PackedFile, type PackIndex, readPack } from "../../shared/web-pack.ts";

export type WebFiles = {
  /** What the app compares to learn that the hub was replaced (rest-api.md 0.9). */
  build: string;
  files: readonly PackedFile[];
  /** The bytes of one representation; undefined when the build made none of that encoding. */
  bytesOf(file: PackedFile, encoding: Encoding): Uint8Array<ArrayBuffer> | undefined;
  /** Path below the hub's root of an entry's own file, for documents that load it. */
  entry(name: string): string;
  /** The text of an inline entry, and the source that a policy allows it by. */
  inline(name: string): { text: string; source: string };
};

// Read when the first page asks for it: a process without a listener never does.
let opened: WebFiles | undefined;

export function webFiles(): WebFiles {
  opened ??= open(readPack(new Uint8Array(readFileSync(packPath))));
  return opened;
}

function open({ index, body }: { index: PackIndex; body: Uint8Array<ArrayBuffer> }): WebFiles {
  function bytesOf(file: PackedFile, encoding: Encoding): Uint8Array<ArrayBuffer> | undefined {
    const span = file.spans[encoding];
    return span === undefined ? undefined : body.subarray(...span);
  }

  return {
    build: index.build,
    files: index.files,
    bytesOf,
    entry(name) {
      const path = index.entries[name]?.[0];
      if (path === undefined) throw new Error(`the web app has no entry ${name}`);
      return path;
    },
    inline(name) {
      const file = index.files.find(({ path, cache }) => cache === "internal" && path === `${name}.js`);
      const bytes = file === undefined ? undefined : bytesOf(file, "identity");
      if (file === undefined || bytes === undefined) throw new Error(`the web app has no inline entry ${name}`);
      return {
        text: new TextDecoder().decode(bytes),
        source: `'sha256-${Buffer.from(file.sha256, "hex").toString("base64")}'`,
      };
    },
  };
}

// The first pass of the build: names, budgets, what the documents say, and the pack itself.
import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { overweight, weigh } from "../../src/build/budgets.ts";
import { bundleWeb } from "../../src/build/bundle.ts";
import { indexPage } from "../../src/build/documents.ts";
import { iconPngs } from "../../src/build/icons.ts";
import { type WebEntry, webEntries } from "../../src/build/web-entries.ts";
import { readPack, writePack } from "../../src/shared/web-pack.ts";
import { root } from "../support/source-files.ts";

async function bundleOf(files: Record<string, string>, entries: readonly WebEntry[]) {
  const folder = await mkdtemp(join(tmpdir(), "agent-hub-web-"));
  try {
    for (const [name, text] of Object.entries(files)) await Bun.write(join(folder, name), text);
    return await bundleWeb(folder, entries);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const entry = (name: string, kind: WebEntry["kind"], extension = "ts"): WebEntry => ({
  name,
  source: `${name}.${extension}`,
  kind,
  maxBytes: 1000,
});
const lazy = (word: string) => ({
  "main.ts": 'import { far } from "./far.ts"; export const load = () => import("./lazy.ts"); far();',
  "other.ts": 'import { far } from "./far.ts"; far();',
  "far.ts": "export const far = () => document.title;",
  "lazy.ts": `export const word = ${JSON.stringify(word)};`,
});

describe("the bundle", () => {
  test("knows what an entry loads at once and what on demand", async () => {
    const bundle = await bundleOf(lazy("one"), [entry("main", "module"), entry("other", "module")]);
    const loaded = bundle.entries["main"] ?? [];
    expect(loaded.length).toBe(2);
    expect(loaded[0]).toMatch(/^a\/main-[a-z\d]{8}\.js$/);
    expect([...bundle.files.keys()].filter((path) => path.startsWith("a/lazy-")).length).toBe(1);
    expect(loaded.some((path) => path.startsWith("a/lazy-"))).toBe(false);
  });

  test("knows an entry from a chunk of its name", async () => {
    for (const word of ["one", "two", "three", "four", "five", "six"]) {
      const files = {
        "main.ts": 'document.title = "the entry"; export const load = () => [import("./a.ts"), import("./b.ts")];',
        "a.ts": 'import { far } from "./far.ts"; export const a = () => far("a");',
        "b.ts": 'import { far } from "./far.ts"; export const b = () => far("b");',
        "far.ts": `export const far = (text: string) => document.write(text, ${JSON.stringify(word)});`,
      };
      const bundle = await bundleOf(files, [entry("main", "module")]);
      const [own = ""] = bundle.entries["main"] ?? [];
      expect(new TextDecoder().decode(bundle.files.get(own))).toContain("the entry");
    }
  });

  test("names a chunk anew with what it loads, so that a kept file is never stale", async () => {
    const folder = await mkdtemp(join(tmpdir(), "agent-hub-web-"));
    const names = async (word: string) => {
      for (const [name, text] of Object.entries(lazy(word))) await Bun.write(join(folder, name), text);
      const bundle = await bundleWeb(folder, [entry("main", "module")]);
      return [bundle.entries["main"]?.[0], [...bundle.files.keys()].find((path) => path.startsWith("a/lazy-"))];
    };
    const [one, again, two] = [await names("one"), await names("one"), await names("two")];
    await rm(folder, { recursive: true });
    expect(one).toEqual(again);
    expect(one[0]).not.toBe(two[0]);
    expect(one[1]).not.toBe(two[1]);
  });

  test("imports neighbours relative to themselves", async () => {
    const bundle = await bundleOf(lazy("one"), [entry("main", "module"), entry("other", "module")]);
    const text = [...bundle.files.values()].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
    const named = [...text.matchAll(/(?:from|import)\s*\(?"([^"]+)"/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(1);
    for (const path of named) expect(path).toMatch(/^\.\/[\w-]+\.js$/);
  });

  test("leaves the direction of a style to the document, whatever its language", async () => {
    const styles = {
      "look.css": ".row { inset-inline-start: 0; margin-inline: 1px 2px } .row:dir(rtl) { opacity: 1 }",
    };
    const bundle = await bundleOf(styles, [entry("look", "style", "css")]);
    const [bytes] = bundle.files.values();
    const text = new TextDecoder().decode(bytes);
    expect(text).toContain("inset-inline-start");
    expect(text).toContain(":dir(rtl)");
    expect(text).not.toContain(":lang(");
  });

  test("keeps an inline entry out of what is served", async () => {
    const bundle = await bundleOf({ "frame.ts": "parent.postMessage(1, '*');" }, [entry("frame", "inline")]);
    expect([[...bundle.files.keys()], [...bundle.inline.keys()]]).toEqual([[], ["frame"]]);
  });

  test("that does not compile says why", async () => {
    expect(bundleOf({ "main.ts": "export const = ;" }, [entry("main", "module")])).rejects.toThrow(/main\.ts|Expected/);
  });
});

describe("budgets", () => {
  test("of the app as it stands hold", async () => {
    const weights = weigh(await bundleWeb(root, webEntries), webEntries);
    expect(overweight(weights)).toEqual([]);
    expect(weights.map(({ name }) => name)).toEqual(expect.arrayContaining(["main", "app", "whole app"]));
  });

  test("an entry counts with all it imports, a chunk by itself, and each is told when it is over", async () => {
    const noise = Array.from({ length: 4000 }, () => Math.random().toString(36)).join("");
    const files = { ...lazy(noise), "far.ts": `export const far = () => ${JSON.stringify(noise.slice(0, 4000))};` };
    const entries = [entry("main", "module"), entry("other", "module")];
    const over = overweight(weigh(await bundleOf(files, entries), entries));
    expect(over).toEqual([
      expect.stringMatching(/^main: \d+ bytes gzip, the budget is 1000$/),
      expect.stringMatching(/^other: /),
      expect.stringMatching(/^chunk lazy: \d+ bytes gzip, the budget is 30000$/),
    ]);
  });
});

describe("the document", () => {
  test("names the files of this build and what is loaded at once", () => {
    const page = '<meta content="{{build}}">\n{{preload}}\n<script src="{{main}}"></script>';
    expect(indexPage(page, { main: ["a/main-1.js", "a/x-2.js"] }, "b")).toBe(
      '<meta content="b">\n<link rel="modulepreload" href="a/x-2.js">\n<script src="a/main-1.js"></script>',
    );
    expect(indexPage(page, { main: ["a/main-1.js"] }, "b")).toBe(
      '<meta content="b">\n<script src="a/main-1.js"></script>',
    );
  });
  test("names nothing the build does not make", () => {
    expect(() => indexPage("{{nope}}", {}, "b")).toThrow("{{nope}}");
  });
});

test("a pack gives back what was put in", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const pack = writePack(
    "id",
    [
      { path: "a", type: "t", cache: "immutable", sha256: "1", bytes: { identity: bytes("one"), br: bytes("o") } },
      { path: "b", type: "t", cache: "internal", sha256: "2", bytes: { identity: bytes("zwei") } },
    ],
    { main: ["a"] },
  );
  const { index, body } = readPack(new Uint8Array(pack));
  expect([index.build, index.entries]).toEqual(["id", { main: ["a"] }]);
  const spans = index.files.flatMap((file) => Object.values(file.spans));
  expect(spans.map(([start, end]) => new TextDecoder().decode(body.subarray(start, end)))).toEqual([
    "one",
    "o",
    "zwei",
  ]);
});

describe("icons", () => {
  test.each([...iconPngs()])("%s is a PNG of its size that is neither empty nor full", (path, bytes) => {
    const view = new DataView(bytes.buffer);
    const side = Number(/\d+/.exec(path)?.[0]);
    expect(new TextDecoder("latin1").decode(bytes.subarray(1, 4))).toBe("PNG");
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([side, side]);
    const dataBytes = view.getUint32(33);
    const rows = inflateSync(bytes.subarray(41, 41 + dataBytes));
    expect(rows.length).toBe(side * (side * 4 + 1));
    const pixel = (x: number, y: number) => [...rows.subarray(y * (side * 4 + 1) + 1 + x * 4).subarray(0, 4)];
    const seen = new Set([...Array(side).keys()].map((x) => pixel(x, Math.floor(side / 2)).join()));
    expect(seen.size).toBeGreaterThan(2);
    // A tile is see-through at its corner; what a platform cuts itself is not.
    expect(pixel(0, 0)[3]).toBe(/180|maskable/.test(path) ? 255 : 0);
    expect(Bun.hash.crc32(bytes.subarray(37, 41 + dataBytes))).toBe(view.getUint32(41 + dataBytes));
  });
});

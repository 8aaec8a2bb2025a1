// Glyphs: kinds differ by shape alone, the set stays small, and none is kept that nobody draws.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { eventKinds } from "../../src/shared/views.ts";
import { kindWords } from "../../src/shared/words.ts";
import { drawings } from "../../src/web/glyphs/drawings.ts";
import { root } from "../support/source-files.ts";

const maxSourceBytes = 7000;

test("LAW-02: every kind has a shape and a word of its own", () => {
  expect(new Set(eventKinds.map((kind) => drawings[kind])).size).toBe(eventKinds.length);
  expect(new Set(eventKinds.map((kind) => kindWords[kind])).size).toBe(eventKinds.length);
});

test("no two glyphs are drawn alike", () => {
  expect(new Set(Object.values(drawings)).size).toBe(Object.keys(drawings).length);
});

test("the set weighs at most 7 KB of source", () => {
  expect(Bun.file(join(root, "src/web/glyphs/drawings.ts")).size).toBeLessThanOrEqual(maxSourceBytes);
});

test("no glyph is kept that nobody draws", async () => {
  const sources: string[] = [];
  for (const path of new Bun.Glob("src/web/**/*.tsx").scanSync(root)) {
    if (!path.includes("/glyphs/")) sources.push(await Bun.file(join(root, path)).text());
  }
  const idle = Object.keys(drawings).filter((name) => !sources.some((source) => source.includes(`"${name}"`)));
  expect(idle).toEqual([]);
});

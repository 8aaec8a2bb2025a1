// Counting texts and telling objects.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { byteLength, codePoints, isObject } from "../../src/shared/json.ts";
import { runCommand } from "../support/processes.ts";
import { root } from "../support/source-files.ts";

// Lone halves of pairs too: callers can send them.
const texts = fc
  .array(fc.constantFrom("a", "é", "漢", "😀", "\ud83d", "\ude00", "\0"), { maxLength: 12 })
  .map((parts) => parts.join(""));

describe("a text", () => {
  test("has as many characters as an iterator finds", () => {
    fc.assert(fc.property(texts, (text) => expect(codePoints(text)).toBe([...text].length)));
  });

  test("has as many bytes as its UTF-8 form", () => {
    fc.assert(fc.property(texts, (text) => expect(byteLength(text)).toBe(new TextEncoder().encode(text).byteLength)));
  });

  test("is counted alike in a browser, which has no Buffer", async () => {
    const script = `
      delete globalThis.Buffer;
      const { byteLength } = await import("./src/shared/json.ts");
      process.stdout.write(String(byteLength("a é 漢 😀")));
    `;
    expect(await runCommand([process.execPath, "-e", script], { cwd: root })).toMatchObject({ code: 0, stdout: "13" });
  });
});

test("an object is neither null nor a list", () => {
  expect([{}, { a: 1 }, Object.create(null)].every(isObject)).toBe(true);
  expect([null, undefined, [], "a", 1, true, () => 1].some(isObject)).toBe(false);
});

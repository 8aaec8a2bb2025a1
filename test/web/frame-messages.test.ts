// The vocabulary between a frame and its page (web-app.md 2.7): what is not in it is dropped, what is too large is cut.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readFromFrame, readToFrame } from "../../src/web/frame/messages.ts";

describe("from a frame", () => {
  test.each<[unknown, object | undefined]>([
    [
      { type: "height", px: 1e9 },
      { type: "height", px: 200_000 },
    ],
    [
      { type: "height", px: -1 },
      { type: "height", px: 120 },
    ],
    [
      { type: "height", px: Number.POSITIVE_INFINITY },
      { type: "height", px: 200_000 },
    ],
    [{ type: "height", px: Number.NaN }, undefined],
    [{ type: "height", px: "500" }, undefined],
    [
      { type: "select", quote: "q".repeat(900), prefix: "p".repeat(900), x: 2, y: -1, more: 1 },
      { type: "select", quote: "q".repeat(500), prefix: "p".repeat(100), x: 1, y: 0 },
    ],
    [{ type: "select", quote: "", x: 0, y: 0 }, undefined],
    [{ type: "select", quote: "q", x: 0 }, undefined],
    [
      { type: "marks", marks: [{ id: "a", y: 5 }, { id: 1, y: 5 }, null, { id: "b", y: 1e9 }] },
      {
        type: "marks",
        marks: [
          { id: "a", y: 5 },
          { id: "b", y: 200_000 },
        ],
      },
    ],
    [
      { type: "link", href: "https://example.org" },
      { type: "link", href: "https://example.org" },
    ],
    [{ type: "link", href: "h".repeat(5000) }, undefined],
    [{ type: "theme", theme: "dark" }, undefined],
    [{ type: "body", kind: "html", text: "x" }, undefined],
    [null, undefined],
    ["height", undefined],
  ])("%j", (said, read) => {
    expect<unknown>(readFromFrame(said)).toEqual(read);
  });
  test("no more than 500 marks", () => {
    const read = readFromFrame({ type: "marks", marks: Array.from({ length: 900 }, () => ({ id: "a", y: 1 })) });
    expect(read?.type === "marks" && read.marks.length).toBe(500);
  });
});

describe("to a frame", () => {
  test.each<[unknown, object | undefined]>([
    [
      { type: "theme", theme: "dark" },
      { type: "theme", theme: "dark" },
    ],
    [{ type: "theme", theme: "red" }, undefined],
    [
      { type: "body", kind: "html", text: "x" },
      { type: "body", kind: "html", text: "x" },
    ],
    [{ type: "body", kind: "svg", text: "x" }, undefined],
    [
      { type: "find", terms: ["a", 1, "b"] },
      { type: "find", terms: ["a", "b"] },
    ],
    [
      { type: "scrollTo", id: "a" },
      { type: "scrollTo", id: "a" },
    ],
    [
      { type: "comments", comments: [{ id: "a", quote: "q" }, {}] },
      { type: "comments", comments: [{ id: "a", quote: "q" }] },
    ],
    [{ type: "height", px: 1 }, undefined],
  ])("%j", (said, read) => {
    expect<unknown>(readToFrame(said)).toEqual(read);
  });
});

test("nothing that is said throws", () => {
  const said = fc.oneof(
    fc.anything(),
    fc.record({
      type: fc.constantFrom("height", "select", "marks", "link", "theme", "comments", "find", "scrollTo", "body"),
      px: fc.anything(),
      quote: fc.anything(),
      marks: fc.anything(),
      href: fc.anything(),
      comments: fc.anything(),
      terms: fc.anything(),
      id: fc.anything(),
    }),
  );
  fc.assert(
    fc.property(said, (data) => {
      readFromFrame(data);
      readToFrame(data);
    }),
  );
});

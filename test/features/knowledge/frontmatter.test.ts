// Where frontmatter begins, ends and what it says (knowledge-base.md 3), row by row.
import { describe, expect, test } from "bun:test";
import { layOut } from "../../../src/features/knowledge/page/frontmatter-layout.ts";
import { type PageFields, readFields } from "../../../src/features/knowledge/page/frontmatter-values.ts";

const outcome = (page: string): string => {
  const layout = layOut(page);
  return layout.kind === "refused" ? layout.code : layout.kind;
};
const fields = (page: string): PageFields => readFields(layOut(page));
const inBlock = (text: string): PageFields => fields(`---\n${text}\n---\nbody\n`);

describe("the first line", () => {
  test.each([
    ["\uFEFF---\ntype: a\n---\n", "byte_order_mark"],
    ["\uFEFFtext", "byte_order_mark"],
    ["---\n---\n", "block"],
    ["---\r\n---\r\n", "block"],
    ["", "none"],
    ["\n---\n", "none"],
    ["text", "none"],
    ["--", "none"],
    [" ---\na: b\n---\n", "none"],
    ["----\n", "none"],
    ["---- text\n---\n", "none"],
    ["----------", "none"],
    ["---\rtype: a\r---\r", "carriage_return"],
    ["---\r", "carriage_return"],
    ["---x\ry\n", "carriage_return"],
    ["---", "unclosed"],
    ["--- \n---\n", "delimiter"],
    ["---\t\n---\n", "delimiter"],
    ["--- # comment\n---\n", "delimiter"],
    ["--- text\n---\n", "delimiter"],
    ["---\u0085\n---\n", "delimiter"],
    ["---\u00a0\n---\n", "delimiter"],
    ["---\uFEFF\n---\n", "unsupported_line"],
    ["---yaml\n---\n", "unsupported_line"],
    ["---:\n---\n", "unsupported_line"],
  ])("%j is %s", (page, expected) => {
    expect(outcome(page)).toBe(expected);
  });
});

describe("a line inside the block", () => {
  test.each([
    ["a: b\rc\n---\n", "carriage_return"],
    ["\r\r\n---\n", "carriage_return"],
    ["--- \n", "delimiter"],
    ["---\ta\n", "delimiter"],
    ["...\n---\n", "delimiter"],
    ["... a\n---\n", "delimiter"],
    ["...\ta\n---\n", "delimiter"],
    ["....\n---\n", "unsupported_line"],
    ["---", "block"],
    ["---\r\n", "block"],
    ["# comment\n\n \t\n\u0085\n---\n", "block"],
    [" a: b\n---\n", "unsupported_line"],
    ["# c\n\n\ta\n---\n", "unsupported_line"],
    ["- a\n---\n", "unsupported_line"],
    ["a:\n- b\n-\n-\tc\n---\n", "block"],
    ["a: # comment\n- b\n---\n", "block"],
    ["a: b\n- c\n---\n", "unsupported_line"],
    ["a:\n-b\n---\n", "unsupported_line"],
    ["a:\n---\n", "block"],
    ["a:\tb\n---\n", "block"],
    ["a:b\n---\n", "unsupported_line"],
    ["a b: c\n---\n", "block"],
    ["a:b: c\n---\n", "block"],
    [": c\n---\n", "unsupported_line"],
    ["a #b: c\n---\n", "unsupported_line"],
    ["a\t#b: c\n---\n", "unsupported_line"],
    ["a#b: c\n---\n", "block"],
    ["text\n---\n", "unsupported_line"],
    ["\uFEFF\n---\n", "unsupported_line"],
    ["a: b\n", "unclosed"],
    ["a: b", "unclosed"],
    ["", "unclosed"],
    ["a: b\n----\n", "unsupported_line"],
    ["a: b\n --- \n---\n", "block"],
    ...[..."\"'?[]{}&*!|>%@`,"].map((sign): [string, string] => [`${sign}a: b\n---\n`, "unsupported_line"]),
  ])("%j is %s", (text, expected) => {
    expect(outcome(`---\n${text}`)).toBe(expected);
  });

  test("is looked at in the block alone: what the body holds means nothing", () => {
    const page = "---\ntype: a\n---\n\r\n---\n...\n- x\n```\n---\n```\n--- \n";
    expect(fields(page)).toMatchObject({ type: "a" });
  });

  test("names the line at fault", () => {
    expect(layOut("---\na: b\n\nwrong\n---\n")).toEqual({ kind: "refused", code: "unsupported_line", line: 4 });
    expect(layOut("---\na: b\n")).toEqual({ kind: "refused", code: "unclosed", line: 2 });
  });
});

test("a key reaches up to the last line that extends it", () => {
  const layout = layOut("---\na: |\n  x\n\n# c\n  y\n\n# d\nb:\n# e\n---\n");
  const keys = layout.kind === "block" ? layout.block.keys : [];
  expect(keys.map(({ name, lines }) => [name, lines.map(({ text }) => text)])).toEqual([
    ["a", ["  x", "", "# c", "  y"]],
    ["b", []],
  ]);
});

describe("a text", () => {
  test.each([
    ["Guide", "Guide"],
    ["  Guide  ", "Guide"],
    ["Guide # not this", "Guide"],
    ["Guide\t# not this", "Guide"],
    ["C#", "C#"],
    ["a: b", "a: b"],
    ['"quoted"', "quoted"],
    ['"quoted" # comment', "quoted"],
    ['"quoted" more', '"quoted" more'],
    ['"open', '"open'],
    ["'single'", "single"],
    ["'it''s'", "it's"],
    ["'open", "'open"],
    ["'a'b", "'a'b"],
    [String.raw`"\n\r\t\0\a\b\e\f\v"`, "\n\r\t\0\x07\b\x1b\f\v"],
    [String.raw`"\x41\u00e9\U0001F600"`, "A\u00e9\u{1F600}"],
    [String.raw`"\ud83d\ude00"`, "\u{1F600}"],
    [String.raw`"\ud83d"`, "\uFFFD"],
    [String.raw`"\q\"\\\/"`, 'q"\\/'],
    [String.raw`"\xZZ"`, "xZZ"],
    [String.raw`"\UFFFFFFFF"`, "UFFFFFFFF"],
    ["2026-01-01", "2026-01-01"],
    ["true", "true"],
    ["007", "007"],
    ["|\n  a\n\n   b\n", "a b"],
    [">-2\n  a\n  b", "a b"],
    ["|+ # c\n  a", "a"],
    ["a\n  b\n\n  c", "a b c"],
    ['"a\n  b"', "a b"],
    ["\uFEFFa", "\uFEFFa"],
    ["Übergröße 你好 مرحبا", "Übergröße 你好 مرحبا"],
  ])("%j reads %j", (written, expected) => {
    expect(inBlock(`title: ${written}`).title).toBe(expected);
  });

  test.each(["", "# c", "[a, b]", '""', "' '", "\n  nested: x", "\n- a"])("%j is none", (written) => {
    expect(inBlock(`title: ${written}`).title).toBeNull();
  });

  test("given twice is the last one", () => {
    expect(inBlock("title: a\ntype: T\ntitle: b")).toMatchObject({ title: "b", type: "T" });
  });
});

describe("tags", () => {
  test.each<[string, string[] | null]>([
    ["[usage, ops]", ["usage", "ops"]],
    ["[]", []],
    ["[ ]", []],
    ["[ \"a, b\" , 'c', d e ]  # comment", ["a, b", "c", "d e"]],
    ["[a,]", ["a"]],
    ["[a", null],
    ["[a\n  b]", null],
    ["[a] b", null],
    ["[,]", null],
    ["[[a]]", null],
    ["a", null],
    ["|\n  a", null],
    ["\n- a\n- 'b' # c\n-\n\n# d\n- e", ["a", "b", "", "e"]],
    ["# c\n  - a\n  - b", ["a", "b"]],
    ["", []],
  ])("%j are %j", (written, expected) => {
    expect(inBlock(`tags: ${written}`).tags).toEqual(expected);
  });
});

describe("verified", () => {
  test.each<[string, object[]]>([
    [
      "\n  - by: a\n    at: 1\n  - at: '2'\n    by: \"b\"",
      [
        { by: "a", at: "1" },
        { by: "b", at: "2" },
      ],
    ],
    ["\n- by: a\n  at: 1", [{ by: "a", at: "1" }]],
    ["# c\n    -   by: a # d\n        at: 1", [{ by: "a", at: "1" }]],
    ["\n-\n  by: a\n  at: 1\n  more: x", [{ by: "a", at: "1" }]],
    ["\n- by: a\n- at: 1\n- by: b\n  at: 2", [{ by: "b", at: "2" }]],
    ["\n- by: a\n  at: 1\n  at: 3", [{ by: "a", at: "3" }]],
    ["[{by: a, at: 1}]", []],
    ["yes", []],
    ["", []],
    ["\n  by: a\n  at: 1", []],
  ])("%j reads %j", (written, expected) => {
    expect(inBlock(`verified: ${written}`).verified).toEqual(expected as PageFields["verified"]); // records of two texts
  });
});

test("a refused layout says nothing at all", () => {
  const nothing = {
    type: null,
    title: null,
    description: null,
    status: null,
    tags: null,
    staleAfter: null,
    hasVersion: false,
    verified: [],
  };
  for (const page of ["---\ntype: a\ntitle: b\n...\n", "\uFEFF---\ntype: a\n---\n", "", "# a\n"]) {
    expect(fields(page)).toEqual(nothing);
  }
});

test("CRLF reads as LF does", () => {
  const page = "---\ntype: a\ntags:\n- b\ndescription: >\n  c\n  d\nstale_after: 2026-01-01\nokf_version: 1\n---\n";
  expect(fields(page.replaceAll("\n", "\r\n"))).toEqual(fields(page));
  expect(fields(page)).toMatchObject({ type: "a", tags: ["b"], description: "c d", hasVersion: true });
});

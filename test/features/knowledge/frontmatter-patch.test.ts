// Changing frontmatter changes nothing else (knowledge-base.md 4): the corpus of 4.4, the refusals in their order, and
// properties over any page at all.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { layOut } from "../../../src/features/knowledge/page/frontmatter-layout.ts";
import { type Change, patchFrontmatter } from "../../../src/features/knowledge/page/frontmatter-patch.ts";
import { readFields, recordsOf } from "../../../src/features/knowledge/page/frontmatter-values.ts";

const patch = (page: string, ...changes: Change[]): string => {
  const result = patchFrontmatter(page, changes);
  if ("refused" in result) throw new Error(`${result.refused.code} at ${result.refused.at}`);
  return result.page;
};
const refused = (page: string, ...changes: Change[]): string => {
  const result = patchFrontmatter(page, changes);
  return "refused" in result ? result.refused.code : "patched";
};
const set = (key: string, value: unknown): Change => ({ key, set: value });
const remove = (key: string): Change => ({ key, delete: true });
const append = (key: string, record: unknown): Change => ({ key, append: record });
const review = append("verified", { by: "human", at: "2026-01-02T03:04:05.678Z" });
const entry = (indentation: string, eol = "\n"): string =>
  `${indentation}- by: human${eol}${indentation}  at: 2026-01-02T03:04:05.678Z${eol}`;

describe("a block is made", () => {
  test.each([
    ["", "---\ntype: a\n---\n"],
    ["text", "---\ntype: a\n---\n\ntext"],
    ["\n\ntext\n", "---\ntype: a\n---\n\n\ntext\n"],
    ["\r\ntext", "---\r\ntype: a\r\n---\r\n\r\ntext"],
    ["one\r\ntwo\n", "---\r\ntype: a\r\n---\r\n\r\none\r\ntwo\n"],
    ["----\n", "---\ntype: a\n---\n\n----\n"],
    ["---- text\n", "---\ntype: a\n---\n\n---- text\n"],
    [" ---\n", "---\ntype: a\n---\n\n ---\n"],
  ])("before %j", (page, expected) => {
    expect(patch(page, set("type", "a"))).toBe(expected);
  });

  test("with everything that is set and appended, in the order given", () => {
    expect(patch("x", set("b", 1), remove("c"), append("a", { k: "v" }), set("z", ["q"]))).toBe(
      '---\nb: 1\na:\n  - k: v\nz: ["q"]\n---\n\nx',
    );
  });
});

describe("in a block, only the lines of the key change", () => {
  test.each<[string, Change[], string]>([
    ["# c\ntype: a # gone\n# d\n", [set("type", "b")], "# c\ntype: b\n# d\n"],
    ["x: {a: 1}\nn:\n  k: v\n\n  l: w\ntype: a\n", [set("type", "b")], "x: {a: 1}\nn:\n  k: v\n\n  l: w\ntype: b\n"],
    ["z: 1  \ntype: a\na: 'q' \n", [set("type", "b")], "z: 1  \ntype: b\na: 'q' \n"],
    ["t: |\n  x\n\n  y\n\nu: 1\n", [set("t", "new")], "t: new\n\nu: 1\n"],
    ["t: |\n  x\n\u0085\n  y\nu: 1\n", [remove("t")], "u: 1\n"],
    ["t: >\n  x\n  y\n\nu: 1\n", [remove("t")], "\nu: 1\n"],
    ["tags:\n  - a\n  - b\nu: 1\n", [set("tags", ["c", "d"])], 'tags: ["c", "d"]\nu: 1\n'],
    ["tags:\n- a\n- b\nu: 1\n", [remove("tags")], "u: 1\n"],
    ["v:\n  - by: a\n# c\n  - by: b\n# d\nu: 1\n", [set("v", [{ by: "z" }])], "v:\n  - by: z\n# d\nu: 1\n"],
    ["a: 1\na: 2\nb: 3\n", [set("b", 4)], "a: 1\na: 2\nb: 4\n"],
    ["a: 1\n# end\n\n", [set("b", 2), set("c", 3)], "a: 1\n# end\n\nb: 2\nc: 3\n"],
    ["b: 1\na: 1\n", [set("a", 2), set("z", 1), set("b", 2), set("y", 1)], "b: 2\na: 2\nz: 1\ny: 1\n"],
    [
      "a: 1\nsources:\n  - title: x\n",
      [set("t", 1), append("sources", { title: "two" })],
      "a: 1\nsources:\n  - title: x\n  - title: two\nt: 1\n",
    ],
    [
      "sources:\n  - title: x\nb: 1\n",
      [append("sources", { title: "two" }), set("b", 2)],
      "sources:\n  - title: x\n  - title: two\nb: 2\n",
    ],
    [
      "sources:\n  - title: x\nb: 1\n",
      [remove("b"), append("sources", { title: "two" })],
      "sources:\n  - title: x\n  - title: two\n",
    ],
  ])("%j", (block, changes, expected) => {
    for (const body of ["", "\n---\ntext\n```\n---\n```", "text\r\n"]) {
      expect(patch(`---\n${block}---\n${body}`, ...changes)).toBe(`---\n${expected}---\n${body}`);
    }
    expect(patch(`---\n${block}---`, ...changes)).toBe(`---\n${expected}---`);
  });

  test("new lines end as the opening line does, the others as they did", () => {
    expect(patch("---\r\na: 1\nb: 2\r\n---\nx", set("a", 3), set("c", 4))).toBe(
      "---\r\na: 3\r\nb: 2\r\nc: 4\r\n---\nx",
    );
    expect(patch("---\na: 1\r\n---\r\nx", set("c", 4))).toBe("---\na: 1\r\nc: 4\n---\r\nx");
  });
});

describe("a review", () => {
  test.each([
    ["text", `---\nverified:\n${entry("  ")}---\n\ntext`],
    ["---\ntype: a\n---\nx", `---\ntype: a\nverified:\n${entry("  ")}---\nx`],
    ["---\nverified:\ntype: a\n---\n", `---\nverified:\n${entry("  ")}type: a\n---\n`],
    ["---\nverified: # c\n# d\n---\n", `---\nverified: # c\n${entry("  ")}# d\n---\n`],
    ["---\nverified:\n- by: a\n  at: 1\n\n---\n", `---\nverified:\n- by: a\n  at: 1\n${entry("")}\n---\n`],
    ["---\nverified:\n  - by: a\n    at: 1\n---\n", `---\nverified:\n  - by: a\n    at: 1\n${entry("  ")}---\n`],
    [
      "---\nverified:\n    - by: a\n      at: 1\nz: 1\n---\n",
      `---\nverified:\n    - by: a\n      at: 1\n${entry("    ")}z: 1\n---\n`,
    ],
    ["---\r\nverified:\r\n  - by: a\r\n---\r\n", `---\r\nverified:\r\n  - by: a\r\n${entry("  ", "\r\n")}---\r\n`],
    [
      "---\nverified:\n  - by: a\n      deeper: 1\n---\n",
      `---\nverified:\n  - by: a\n      deeper: 1\n${entry("  ")}---\n`,
    ],
  ])("of %j", (page, expected) => {
    expect(patch(page, review)).toBe(expected);
  });

  test("by an actor with lines and keys in its name stays one scalar", () => {
    const by = 'a\n  at: 1\n- by: b # "c"';
    const page = patch("---\ntype: T\n---\n", append("verified", { by, at: "x" }));
    expect(readFields(layOut(page))).toMatchObject({ type: "T", verified: [{ by, at: "x" }] });
  });
});

describe("values", () => {
  const plain = [
    ..."2026-12-31 2024-02-29 2026-09-19T17:00:00.250+02:00 2026-01-01T00:00:00Z https://example.org/a#b C:\\dir Café a-b x:y 你好".split(
      " ",
    ),
    'say "hi" & go',
    "a 'b' [c] {d}",
    "nope",
    "a@b",
    "it's",
  ];
  test.each(plain)("%j is plain", (text) => {
    expect(patch("", set("k", text))).toBe(`---\nk: ${text}\n---\n`);
  });

  test.each([
    ...[
      "2026-13-45",
      "1900-02-29",
      "2026-01-01T25:00:00Z",
      "2026-01-01T10:00:00+24:00",
      "2026-12-31 draft",
      "123",
      "1.5",
      "0x1f",
    ],
    ...["a #b", "note:", "- item", "~x", ".x", "OFF", " x ", "", "x\u00a0", "a: b"],
    ...["true", "False", "NULL", "Yes", "no", "On", "y", "N"],
    ...[..."-?:,[]{}#&*!|>'%@`~<=+."].map((sign) => `${sign}x`),
  ])("%j is quoted", (text) => {
    expect(patch("", set("k", text))).toBe(`---\nk: "${text}"\n---\n`);
  });

  test.each([
    ['he said "x": y', String.raw`"he said \"x\": y"`],
    ['"x', String.raw`"\"x"`],
    ["a\\b: c", String.raw`"a\\b: c"`],
    ["a\nb\r\tc", String.raw`"a\nb\r\tc"`],
    ["\0\x1f\x7f\x85\x9f", String.raw`"\u0000\u001F\u007F\u0085\u009F"`],
    ["a\u2028\u2029\uFEFF\uFFFE\uFFFF", String.raw`"a\u2028\u2029\uFEFF\uFFFE\uFFFF"`],
  ])("%j is escaped", (text, expected) => {
    expect(patch("", set("k", text))).toBe(`---\nk: ${expected}\n---\n`);
  });

  test.each<[unknown, string]>([
    [true, "k: true\n"],
    [false, "k: false\n"],
    [0, "k: 0\n"],
    [-0, "k: 0\n"],
    [Number.MAX_SAFE_INTEGER, "k: 9007199254740991\n"],
    [Number.MIN_SAFE_INTEGER, "k: -9007199254740991\n"],
    [[], "k: []\n"],
    [["a", 'b"', ""], 'k: ["a", "b\\"", ""]\n'],
    [[{ a: "x", b: 1 }, { c: true }], "k:\n  - a: x\n    b: 1\n  - c: true\n"],
  ])("%j is written %j", (value, expected) => {
    expect(patch("", set("k", value))).toBe(`---\n${expected}---\n`);
  });
});

describe("a refusal", () => {
  test.each<[unknown]>([
    [1.5],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [null],
    [undefined],
    [{}],
    [{ a: 1 }],
    [[null]],
    [[[]]],
    [[1]],
    [["a", { b: 1 }]],
    [[{ a: [] }]],
    [[{ a: {} }]],
    [[{ a: null }]],
    [[{ a: 1.5 }]],
  ])("of a shape that cannot be written, %j, comes before any other", (value) => {
    expect(refused("---\n", set("", "x"), set("k", value))).toBe("invalid_value");
  });

  test.each<[string, Change[]]>([
    ["invalid_key", [set("", 1)]],
    ["invalid_key", [set("1a", 1)]],
    ["invalid_key", [remove("a b")]],
    ["invalid_key", [set("é", 1), set("é", 1)]],
    ["duplicate_change", [set("a", 1), remove("a")]],
    ["invalid_value", [set("a", 2 ** 53)]],
    ["invalid_value", [set("a", -(2 ** 53))]],
    ["invalid_value", [append("a", {})]],
    ["invalid_value", [set("a", [{}])]],
    ["invalid_value", [append("a", { 1: "x" })]],
    ["invalid_value", [append("a", { "b c": "x" })]],
    ["invalid_value", [append("a", { b: 2 ** 53 })]],
    ["invalid_key", [set("-", 1), set("a", 2 ** 53)]],
    ["invalid_value", [set("a", 2 ** 53), set("-", 1)]],
  ])("%s of the change comes before the layout", (code, changes) => {
    expect(refused("---\n", ...changes)).toBe(code);
  });

  test.each([
    ["\uFEFFx", "byte_order_mark"],
    ["---\ra: 1\r---\r", "carriage_return"],
    ["---\na: 1\r2\n---\n", "carriage_return"],
    ["---\na: 1\n", "unclosed"],
    ["---\na: 1\n--- \n", "delimiter"],
    ["---\na: 1\n...\n", "delimiter"],
    ["--- \na: 1\n---\n", "delimiter"],
    ["--- # c\na: 1\n---\n", "delimiter"],
    ['---\n"a": 1\n---\n', "unsupported_line"],
    ["---\na: 1\nb\n---\n", "unsupported_line"],
    ["---\na: 1\na: 2\nb\n---\n", "unsupported_line"],
  ])("of the layout of %j is %s", (page, code) => {
    for (const change of [set("a", 1), remove("a"), review]) expect(refused(page, change)).toBe(code);
    expect(patch(page)).toBe(page);
  });

  test.each<[string, Change, string]>([
    ["a: 1\na: 2\n", set("a", 1), "duplicate_key"],
    ["a: 1\na: 2\n", remove("a"), "duplicate_key"],
    ["verified: &x\nverified: 1\n", review, "duplicate_key"],
    ["a: &x 1\n", set("a", 1), "anchor"],
    ["a:  *x\n", remove("a"), "anchor"],
    ["verified: &x\n  - by: a\n", review, "anchor"],
    ["verified: []\n", review, "not_block_sequence"],
    ["verified: yes\n", review, "not_block_sequence"],
    ["verified:\n  by: a\n", review, "not_block_sequence"],
    ["verified:\n  - by: a\n  at: 1\n", review, "not_block_sequence"],
    ["verified:\n\t- by: a\n\tat: 1\n", review, "not_block_sequence"],
    ["verified:\n\t- by: a\n", review, "indentation"],
    ["verified:\n  - by: a\n  \tat: 1\n", review, "indentation"],
    ["verified:\n    - by: a\n  - by: b\n", review, "indentation"],
    ["sources:\n    - title: a\n  b: 1\n", append("sources", { title: "x" }), "indentation"],
  ])("of %j", (block, change, code) => {
    expect(refused(`---\n${block}---\n`, change)).toBe(code);
  });

  test("says where", () => {
    expect(patchFrontmatter("---\na: 1\nb\n---\n", [set("a", 1)])).toEqual({
      refused: { code: "unsupported_line", at: "line 3" },
    });
    expect(patchFrontmatter("---\na: &x\n---\n", [set("a", 1)])).toEqual({ refused: { code: "anchor", at: "a" } });
  });
});

test("nothing to do leaves any page as it is", () => {
  for (const page of ["", "text", "---\n", "\uFEFF", "---\ra\r", "---\na: 1\n---\n"]) expect(patch(page)).toBe(page);
  for (const page of ["", "text", "----\n"]) expect(patch(page, remove("a"), remove("b"))).toBe(page);
  expect(patch("---\na: 1\n---\n", remove("b"))).toBe("---\na: 1\n---\n");
});

// Pages that are laid out more often than not, with everything a block may hold.
const blockLine = fc.constantFrom(
  "type: Guide",
  "title: 'a''b'  # c",
  "x y:\tz",
  "# comment",
  "",
  "  ",
  "\u0085",
  "list:\n- a\n- b",
  "seq:\n  - k: v\n    w: x",
  "text: |\n  a\n\n  b",
  "flow: [a, 'b']",
  "nested:\n  a:\n    b: c",
  "verified:\n  - by: a\n    at: 2026-01-01T00:00:00Z",
  "verified:",
  "sources:\n    - title: t\n      resource: r",
  "ключ: значение",
  "- stray",
  "...",
);
const eol = fc.constantFrom("\n", "\r\n");
const block = fc
  .tuple(fc.array(blockLine, { maxLength: 6 }), eol, fc.string({ unit: "binary", maxLength: 40 }))
  .map(([lines, end, body]) => ["---", ...lines, "---", body].join("\n").replaceAll("\n", end));
const anyPage = fc.oneof(
  block,
  fc.string({ unit: "binary", maxLength: 80 }),
  fc
    .array(fc.constantFrom("---", "\n", "\r\n", "\r", "a: b", " ", "- c", "#", "\uFEFF", "x"), { maxLength: 12 })
    .map((parts) => parts.join("")),
);
const text = fc.string({ unit: "binary", maxLength: 30 }).map((value) => value.toWellFormed());
const settable = fc.constantFrom("type", "title", "description", "status");

describe("for any page", () => {
  test("a text that is set is the text that is read, and no other key or byte of the body changes", () => {
    fc.assert(
      fc.property(anyPage, settable, text, (page, key, value) => {
        const result = patchFrontmatter(page, [set(key, value)]);
        if ("refused" in result) return;
        const before = layOut(page);
        const after = layOut(result.page);
        if (after.kind !== "block") throw new Error("the block is gone");
        const read = readFields(after)[key as "type"]; // one of the four that are read alike
        expect(read).toBe(/^\p{White_Space}*$/u.test(value) ? null : value);
        const body = before.kind === "block" ? page.slice(before.block.body) : page;
        expect(result.page.endsWith(body)).toBe(true);
        if (before.kind !== "block") return;
        expect(result.page.slice(after.block.body)).toBe(body);
        const others = (source: string, from: typeof before): string[] =>
          from.block.keys.filter(({ name }) => name !== key).map(({ start, end }) => source.slice(start, end));
        expect(others(result.page, after)).toEqual(others(page, before));
      }),
      { numRuns: 2000 },
    );
  });

  test("taking a change back gives the page back, byte for byte", () => {
    fc.assert(
      fc.property(anyPage, text, (page, value) => {
        const layout = layOut(page);
        const isThere = layout.kind === "block" && layout.block.keys.some(({ name }) => name === "added");
        const result = patchFrontmatter(page, [set("added", value)]);
        if ("refused" in result || isThere || layout.kind !== "block") return;
        expect(patch(result.page, remove("added"))).toBe(page);
      }),
      { numRuns: 1000 },
    );
  });

  test("an appended record is the last one read, and those before it stay", () => {
    fc.assert(
      fc.property(anyPage, text, text, (page, by, at) => {
        const result = patchFrontmatter(page, [append("verified", { by, at })]);
        if ("refused" in result) return;
        expect(readFields(layOut(result.page)).verified).toEqual([...readFields(layOut(page)).verified, { by, at }]);
      }),
      { numRuns: 2000 },
    );
  });

  test("every value that is written is read back as it was", () => {
    const written = fc.oneof(
      fc.array(text, { maxLength: 4 }),
      fc.array(fc.record({ a: text, b: text }), { minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(anyPage, written, (page, value) => {
        const result = patchFrontmatter(page, [set("tags", value)]);
        if ("refused" in result) return;
        const layout = layOut(result.page);
        const key = layout.kind === "block" ? layout.block.keys.find(({ name }) => name === "tags") : undefined;
        if (key === undefined) throw new Error("the key is gone");
        const isList = value.every((item) => typeof item === "string");
        if (isList)
          expect(readFields(layout).tags).toEqual(value as string[]); // texts, as just seen
        else expect<unknown>(recordsOf(key, ["a", "b"]).map(([a, b]) => ({ a, b }))).toEqual(value);
      }),
      { numRuns: 1000 },
    );
  });

  test("patching twice is patching once", () => {
    fc.assert(
      fc.property(anyPage, settable, text, (page, key, value) => {
        const once = patchFrontmatter(page, [set(key, value)]);
        if ("refused" in once) return;
        expect(patch(once.page, set(key, value))).toBe(once.page);
      }),
      { numRuns: 1000 },
    );
  });
});

// What is a link and where it leads (knowledge-base.md 6), and the one form of a path (1).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { linksOf } from "../../../src/features/knowledge/page/links.ts";
import {
  canonicalDirectory,
  canonicalPagePath,
  fromRestSpelling,
} from "../../../src/features/knowledge/page/page-path.ts";
import { pageLinksMax, pagePathBytes } from "../../../src/shared/limits.ts";

const targets = (text: string, path = "/fs/dir/page.md"): (string | null)[] =>
  linksOf(path, text).map(({ target }) => target);
const lines = (text: string): number[] => linksOf("/fs/page.md", text).map(({ line }) => line);

describe("a link", () => {
  test.each<[string, string[]]>([
    ["[a](b.md)", ["/fs/dir/b.md"]],
    ["x [a](b.md) y ![i](c.png) z", ["/fs/dir/b.md", "/fs/dir/c.png"]],
    ["[](b.md)", ["/fs/dir/b.md"]],
    ["[a](<b c.md>)", ["/fs/dir/b c.md"]],
    ['[a](b.md "a title (x)")', ["/fs/dir/b.md"]],
    ["[a](  b.md )", ["/fs/dir/b.md"]],
    ["[a](b_(c).md)", ["/fs/dir/b_(c).md"]],
    ["[a](b.md#part) [a](c.md?x#y)", ["/fs/dir/b.md", "/fs/dir/c.md"]],
    ["[a](#part) [a](?x) [a]() [a](<>)", []],
    ["[a](https://x/y) [a](mailto:a@b) [a](//x/y) [a](a+b-c.d1:x)", []],
    ["[a](b/c:d.md)", ["/fs/dir/b/c:d.md"]],
    [
      "[a](/fs/x.md) [a](/x.md) [a](../x.md) [a](./x.md) [a](x//y/)",
      ["/fs/x.md", "/fs/x.md", "/fs/x.md", "/fs/dir/x.md", "/fs/dir/x/y"],
    ],
    ["[a](/fs) [a](/) [a](..)", ["/fs", "/fs", "/fs"]],
    ["[a](b.md", []],
    ["[a] (b.md)", []],
    ["[[wiki]] [label] [label][] b.md <b.md> <a href='b.md'>", []],
    ["[t][l] [T][ L ]\n\n[ L]: b.md 'title'", ["/fs/dir/b.md", "/fs/dir/b.md"]],
    ["[t][l]\n[l]: <b c.md>\n[l]: d.md", ["/fs/dir/b c.md"]],
    ["[t][nowhere] [l]\n\n[l]: b.md", []],
    ["[a][b](c.md)", ["/fs/dir/c.md"]],
    ["[![i](a.png)](b.md)", ["/fs/dir/a.png"]],
    ["---\nsources: [x](b.md)\n---\n", ["/fs/dir/b.md"]],
    ["[ключ](путь.md) [鍵](道.md)", ["/fs/dir/путь.md", "/fs/dir/道.md"]],
  ])("in %j leads to %j", (text, expected) => {
    expect(targets(text)).toEqual(expected);
  });

  test("that climbs above the root leads nowhere", () => {
    expect(targets("[a](../../x.md) [a](/../x) [a](/fs/../x)")).toEqual([null, null, null]);
    expect(targets("[a](../x.md)", "/fs/page.md")).toEqual([null]);
  });

  test("is tried as written, then decoded once", () => {
    const [link] = linksOf("/fs/page.md", "[a](b%20c%2Fd%2520.md)");
    expect(link).toEqual({ line: 1, target: "/fs/b%20c%2Fd%2520.md", decoded: "/fs/b c/d%20.md" });
    expect(linksOf("/fs/page.md", "[a](100%.md)")).toEqual([{ line: 1, target: "/fs/100%.md", decoded: null }]);
    expect(linksOf("/fs/page.md", "[a](%2e%2e/x)")).toEqual([{ line: 1, target: "/fs/%2e%2e/x", decoded: null }]);
  });

  test("has the line it stands on, whatever ends the lines", () => {
    expect(lines("[a](b)\n\n[a](c) [d](e)\n")).toEqual([1, 3, 3]);
    expect(lines("\r\n[a](b)\r\n\r\n[a][l]\r\n[l]: c")).toEqual([2, 4]);
  });
});

describe("code is no prose", () => {
  const link = "[a](b)";
  test.each<[string, number[]]>([
    [`\`${link}\` ${link}`, [1]],
    [`\`\`${link} \` ${link}\`\` ${link}`, [1]],
    [`\` ${link} \`\` ${link}`, [1, 1]],
    [`[\`]\`](b)`, [1]],
    [`\`\`\`\n${link}\n\`\`\`\n${link}`, [4]],
    [`~~~ x\`y\n${link}\n\`\`\`\n~~~~ \n${link}`, [5]],
    [`\`\`\`\`\n\`\`\`\n${link}\n\`\`\`\`\`\n${link}`, [5]],
    [`\`\`\` a\n${link}\n\`\`\` a\n${link}`, []],
    [`\`\`\` a\`b\n${link}`, [2]],
    [`   ~~~\n${link}\n   ~~~\n${link}`, [4]],
    [`x\n    ~~~\n${link}`, [3]],
    [`- x\n\n        ~~~\n  ${link}\n        ~~~\n  ${link}`, [6]],
    [`- ~~~\n  ${link}\n  ~~~\n  ${link}`, [4]],
    [`    ${link}`, []],
    [`\t${link}`, []],
    [`x\n\n    ${link}\n\n    ${link}\n${link}`, [6]],
    [`x\n    ${link}`, [2]],
    [`# h\n    ${link}`, []],
    [`#tag\n    ${link}`, [2]],
    [`~~~\n~~~\n    ${link}`, []],
    [`- x\n\n    ${link}`, [3]],
    [`1. x\n\n    ${link}\n\ny\n\n    ${link}`, [3]],
    [`- x\ny\n\n    ${link}`, [4]],
    [`* x\n\n* y\n\n    ${link}`, [5]],
    [`# ${link}\n> ${link}`, [1, 2]],
    [`~~~\n[l]: b\n~~~\n[a][l]`, []],
  ])("%j", (text, expected) => {
    expect(lines(text)).toEqual(expected);
  });
});

describe("any text at all", () => {
  test("is read, and every link leads inside or is told to climb", () => {
    const part = fc.constantFrom(
      "[",
      "]",
      "(",
      ")",
      "<",
      ">",
      "`",
      "``",
      "~~~",
      "\n",
      " ",
      "    ",
      "- ",
      "a",
      "/",
      "..",
      "%41",
      "#",
      ":",
      "\t",
      "[l]: x\n",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        for (const { target, decoded, line } of linksOf("/fs/d/p.md", parts.join(""))) {
          if (target !== null) expect(target.startsWith("/fs")).toBe(true);
          if (decoded !== null) expect(decoded.startsWith("/fs")).toBe(true);
          expect(line).toBeGreaterThan(0);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("costs its length: a mebibyte of the worst lines is read, with a bound on the links", () => {
    for (const unit of ["[", "[a](", "[a](<", "`", "](", "[a][", "(", "[a](b ", "[a](b)", "- ", "[](%", "    "]) {
      expect(linksOf("/fs/p.md", unit.repeat(1_048_576 / unit.length)).length).toBeLessThanOrEqual(pageLinksMax);
    }
    expect(linksOf("/fs/p.md", "[a](b)".repeat(20_000))).toHaveLength(pageLinksMax);
  });
});

describe("a path", () => {
  test.each([
    "/fs/a/b.md",
    "/fs/a//b.md",
    "/fs/a/./b.md",
    "/fs/x/../a/b.md",
    "/fs/a/b.md/",
    "/fs/../../a/b.md",
    "/fs/a/b.md/.",
    "/fs/a/b.md/x/..",
  ])("%s is /fs/a/b.md", (path) => {
    expect(canonicalPagePath(path)).toBe("/fs/a/b.md");
  });

  test("keeps case and Unicode form", () => {
    for (const path of [
      "/fs/A.md",
      "/fs/a.md",
      "/fs/é",
      "/fs/e\u0301",
      "/fs/ ",
      "/fs/%2e",
      "/fs/🧠",
      "/fs/...",
      "/fs/kv/a",
    ]) {
      expect(canonicalPagePath(path)).toBe(path);
    }
  });

  test.each([
    "",
    "/",
    "/fs",
    "/fs/",
    "/fs/..",
    "fs/a",
    "a",
    "/fsx/a",
    "/FS/a",
    "/kv",
    "/kv/a",
    "/kv/../fs/a",
    "/fs/a\\b",
    "/fs/a\u0000",
    "/fs/a\u001f",
    "/fs/\u007f",
    "/fs/\u0085/../a",
    "/fs/\u009f",
    "/fs/\ud800",
    `/fs/${"x".repeat(pagePathBytes - 3)}`,
    `/fs/${"é".repeat(255)}`,
  ])("%j names no page", (path) => {
    expect(canonicalPagePath(path)).toBeUndefined();
  });

  test("has room for 512 bytes in its one form", () => {
    const longest = `/fs/${"x".repeat(pagePathBytes - 4)}`;
    expect(canonicalPagePath(longest)).toBe(longest);
    expect(canonicalPagePath(`/fs/${"./".repeat(600)}a`)).toBe("/fs/a");
  });

  test("of a directory may be the root", () => {
    for (const path of ["/fs", "/fs/", "/fs/.", "/fs/a/../.."]) expect(canonicalDirectory(path)).toBe("/fs");
    expect(canonicalDirectory("/fs/a/")).toBe("/fs/a");
    for (const path of ["", "/", "/kv", "/fsx"]) expect(canonicalDirectory(path)).toBeUndefined();
  });

  test.each([
    ["svc/a.md", "/fs/svc/a.md"],
    ["fs/svc/a.md", "/fs/svc/a.md"],
    ["/fs/svc/a.md", "/fs/svc/a.md"],
    ["fs/fs/a", "/fs/fs/a"],
    ["kv.md", "/fs/kv.md"],
    ["kv/a", undefined],
    ["kv", undefined],
    ["/kv/a", undefined],
    ["/svc/a.md", undefined],
    ["", undefined],
    ["fs", undefined],
  ])("%j in an address is %j", (given, expected) => {
    expect(canonicalPagePath(fromRestSpelling(given))).toBe(expected);
  });

  test("is stable: the canonical form of a canonical form is itself", () => {
    const part = fc.constantFrom("a", "b c", "..", ".", "", "é", "🧠");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const path = canonicalDirectory(`/fs/${parts.join("/")}`) ?? "";
        expect(canonicalDirectory(path)).toBe(path);
        expect(path).toMatch(/^\/fs(\/[^/]+)*$/);
      }),
    );
  });
});

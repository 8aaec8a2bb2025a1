// Canonical paths as a property (mcp-tools.md 14.1): one spelling for each file, whatever was written.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ancestorsOf, canonicalPath } from "../../../src/features/sessions/paths.ts";

const part = fc.oneof(
  fc.constantFrom("", ".", "..", "...", "a", "b", ".a", "a.", " "),
  fc.string({ minLength: 1, maxLength: 8 }),
);
const written = fc.array(part, { maxLength: 12 }).map((parts) => `/fs/${parts.join("/")}`);

/** What a file system that starts at the root makes of it. */
function walk(path: string): string | undefined {
  const url = path.slice("/fs/".length).split("/");
  const at: string[] = [];
  for (const step of url) {
    if (step === "..") at.splice(-1);
    else if (step !== "." && step !== "") at.push(step);
  }
  return at.length === 0 ? undefined : `/fs/${at.join("/")}`;
}

describe("a canonical path", () => {
  test("is what walking it arrives at", () => {
    fc.assert(fc.property(written, (path) => expect(canonicalPath(path)).toBe(walk(path))));
  });

  test("is its own canonical form", () => {
    fc.assert(
      fc.property(written, (path) => {
        const canonical = canonicalPath(path);
        if (canonical !== undefined) expect(canonicalPath(canonical)).toBe(canonical);
      }),
    );
  });

  test("has no empty part, no dots for a part, and stays below /fs", () => {
    fc.assert(
      fc.property(written, (path) => {
        const canonical = canonicalPath(path);
        if (canonical === undefined) return;
        const [root, fs, ...parts] = canonical.split("/");
        expect([root, fs]).toEqual(["", "fs"]);
        expect(parts.length).toBeGreaterThan(0);
        for (const each of parts) expect(["", ".", ".."]).not.toContain(each);
      }),
    );
  });

  test("does not change with detours", () => {
    const detour = fc.constantFrom("/.", "//", "/x/..", "/x/y/../..", "/./x/../");
    fc.assert(
      fc.property(written, detour, (path, way) => {
        const cut = path.slice("/fs".length);
        expect(canonicalPath(`/fs${way}${cut}`)).toBe(canonicalPath(path));
        expect(canonicalPath(`${path}/.`)).toBe(canonicalPath(path));
      }),
    );
  });

  test("of a key is the key", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 300 }), (key) => {
        const path = `/kv/${key}`;
        expect(canonicalPath(path)).toBe(Buffer.byteLength(path) > 1024 ? undefined : path);
      }),
    );
  });

  test("is nothing outside the two namespaces", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!/^\/(?:fs|kv)\//.test(text)) expect(canonicalPath(text)).toBeUndefined();
      }),
    );
  });

  test("is at most 1024 bytes", () => {
    expect(canonicalPath(`/fs/${"a".repeat(1020)}`)).toBeString();
    expect(canonicalPath(`/fs/${"a".repeat(1021)}`)).toBeUndefined();
    expect(canonicalPath(`/fs/${"é".repeat(510)}`)).toBeString();
    expect(canonicalPath(`/fs/${"é".repeat(511)}`)).toBeUndefined();
    expect(canonicalPath(`/kv/${"a".repeat(1020)}`)).toBeString();
    expect(canonicalPath(`/kv/${"a".repeat(1021)}`)).toBeUndefined();
  });
});

test("ancestors are the directories above a file, nearest last, and never a namespace", () => {
  expect(ancestorsOf("/fs/a/b/c")).toEqual(["/fs/a", "/fs/a/b"]);
  expect(ancestorsOf("/fs/a")).toEqual([]);
  expect(ancestorsOf("/kv/a/b/c")).toEqual([]);
});

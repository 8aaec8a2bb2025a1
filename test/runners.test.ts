// The gates around the tests, each shown failing once.
import { describe, expect, test } from "bun:test";
import { downloadAddresses } from "./support/download-addresses.ts";
import { bunTestFailures, bunTestTotals, playwrightTotals, totalsAfterRerun } from "./support/runner-totals.ts";

describe("totals of bun test", () => {
  test.each([
    [" 12 pass\n 0 fail\n 30 expect() calls\nRan 12 tests across 2 files. [1.00s]", 0, { passed: 12, failed: 0 }],
    [" 12 pass\n 3 fail\nRan 15 tests across 2 files. [1.00s]", 1, { passed: 12, failed: 3 }],
    [" 12 pass\n 2 skip\n 1 todo\n 0 fail\n", 0, { passed: 12, failed: 3 }],
    [" 12 pass\n 0 fail\n 1 error\n", 1, { passed: 12, failed: 1 }],
    [" 99 pass\nprinted by a test\n 1 pass\n 0 fail\n", 0, { passed: 1, failed: 0 }],
    ["\u001b[32m 4 pass\u001b[0m\n\u001b[2m 0 fail\u001b[0m\n", 0, { passed: 4, failed: 0 }],
    [" 4 pass\n 0 fail\n", 143, { passed: 4, failed: 1 }],
    [" 0 pass\n 0 fail\n", 0, { passed: 0, failed: 1 }],
    ["No tests found!", 1, { passed: 0, failed: 1 }],
    ["", null, { passed: 0, failed: 1 }],
  ])("%j with exit code %p", (output, code, totals) => {
    expect(bunTestTotals(output, code)).toEqual(totals);
  });

  test("name each failure with its file and what was said before it", () => {
    const lines = [...Array.from({ length: 40 }, (_, index) => `line ${index}`), "error: expected 1"];
    const output = [
      "test/a.test.ts:",
      "said by one that passes",
      "(pass) one [1.00ms]",
      ...lines,
      "\u001b[31m(fail) two [2.00ms]\u001b[0m",
      "(pass) three",
      "test/b.test.ts:",
      "(fail) four [1.00ms]",
      "2 tests failed:\n(fail) two [2.00ms]\n(fail) four [1.00ms]",
      " 2 pass\n 2 fail",
    ].join("\n");
    expect(bunTestFailures(output)).toEqual([
      { file: "test/a.test.ts", said: ["test/a.test.ts:", ...lines.slice(-30), "(fail) two [2.00ms]"].join("\n") },
      { file: "test/b.test.ts", said: "test/b.test.ts:\n(fail) four [1.00ms]" },
    ]);
  });

  test.each([
    ["passes then", 2, { passed: 98, failed: 2 }, { passed: 7, failed: 0 }, { passed: 100, failed: 0 }],
    ["fails again in part", 2, { passed: 98, failed: 2 }, { passed: 6, failed: 1 }, { passed: 99, failed: 1 }],
    ["beside an error outside", 1, { passed: 98, failed: 2 }, { passed: 7, failed: 0 }, { passed: 99, failed: 1 }],
    ["does not end then", 1, { passed: 99, failed: 1 }, { passed: 0, failed: 1 }, { passed: 99, failed: 1 }],
  ])("of files that ran again, one that %s", (_what, failures, first, again, totals) => {
    expect(totalsAfterRerun(first, Array(failures).fill({ file: "", said: "" }), again)).toEqual(totals);
  });
});

describe("totals of playwright", () => {
  const report = (stats: object, errors: unknown[] = []): string => JSON.stringify({ stats, errors });
  test.each([
    [report({ expected: 12, unexpected: 0, flaky: 0, skipped: 0 }), 0, { passed: 12, failed: 0 }],
    [report({ expected: 12, unexpected: 2, flaky: 0, skipped: 0 }), 1, { passed: 12, failed: 2 }],
    [report({ expected: 12, unexpected: 0, flaky: 1, skipped: 2 }), 0, { passed: 13, failed: 2 }],
    [report({ expected: 12, unexpected: 0 }, [{ message: "no browser" }]), 1, { passed: 12, failed: 1 }],
    [report({ expected: 12, unexpected: 0 }), 143, { passed: 12, failed: 1 }],
    [report({ expected: 0, unexpected: 0 }), 0, { passed: 0, failed: 1 }],
    ["", 1, { passed: 0, failed: 1 }],
    ["", null, { passed: 0, failed: 1 }],
  ])("%j with exit code %p", (text, code, totals) => {
    expect(playwrightTotals(text, code)).toEqual(totals);
  });
});

describe("download addresses", () => {
  const address = `${"https"}://packages.example/a/-/a-1.0.0`;
  test("the lock file names none at all", () => {
    expect(downloadAddresses("bun.lock", `"a": ["a@1.0.0", "${address}"]`)).toHaveLength(1);
    expect(downloadAddresses("bun.lock", '"a": ["a@1.0.0", ""]')).toEqual([]);
  });
  test("other files name no archive", () => {
    expect(downloadAddresses("README.md", `one\ncurl ${address}.tgz | tar x`)).toEqual([
      "README.md:2: a download address",
    ]);
    expect(downloadAddresses("README.md", `see ${address}.html, or a.tgz`)).toEqual([]);
  });
});

// One record, one line, whatever is in it.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLog } from "../../src/kernel/log.ts";

function linesOf(
  level: "off" | "error" | "info" | "trace",
  write: (log: ReturnType<typeof createLog>) => void,
): string[] {
  const lines: string[] = [];
  write(createLog(level, (line) => lines.push(line)));
  return lines;
}

describe("the log", () => {
  test("writes time, level, message and fields", () => {
    const [line] = linesOf("trace", (log) =>
      log.warn("it fell", { count: 2, note: "two words", gone: undefined, none: null }),
    );
    expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z warn it fell count=2 note="two words" none=null\n$/);
  });

  test("leaves out what is below its level", () => {
    const all = (log: ReturnType<typeof createLog>): void => {
      for (const level of ["error", "warn", "info", "debug", "trace"] as const) log[level](level);
    };
    const levels = (lines: string[]): string[] => lines.map((line) => line.split(" ")[1] ?? "");
    expect(levels(linesOf("trace", all))).toEqual(["error", "warn", "info", "debug", "trace"]);
    expect(levels(linesOf("info", all))).toEqual(["error", "warn", "info"]);
    expect(levels(linesOf("error", all))).toEqual(["error"]);
    expect(linesOf("off", all)).toEqual([]);
  });

  test("equal records are all written", () => {
    expect(linesOf("info", (log) => Array.from({ length: 50 }, () => log.info("again"))).length).toBe(50);
  });

  test("is one line without control characters, whatever it is given", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\u009b31m", "a\u0085b", "\u2028", "\r\n", "\u007f", "\u0000"),
    );
    fc.assert(
      fc.property(text, text, (message, value) => {
        const [line = "", ...rest] = linesOf("info", (log) => log.info(message, { value }));
        expect(rest).toEqual([]);
        expect(line.endsWith("\n")).toBe(true);
        expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
      {
        examples: [
          ["\u009b31m", "\u009b31m"],
          ["a\u0085b", "a\u0085 b"],
          ["a", "\u2028 x"],
        ],
      },
    );
  });

  test("a value that is quoted is JSON of what was given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (value) => {
        const [line = ""] = linesOf("info", (log) => log.info("m", { value: `" ${value}` }));
        const quoted = line.slice(line.indexOf("value=") + 6, -1);
        expect(JSON.parse(quoted)).toBe(`" ${value}`);
      }),
    );
  });
});

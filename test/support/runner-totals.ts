// What a test runner says it did, reduced to the two numbers that count.
import { isObject } from "../../src/shared/json.ts";

export type Totals = { passed: number; failed: number };

const escapeCodes = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

/**
 * The summary that `bun test` prints last. A test that did not run is a failure, and so is an error between tests,
 * a bad exit without one, and a run in which nothing ran.
 */
export function bunTestTotals(output: string, exitCode: number | null): Totals {
  const counts: Record<string, number> = {};
  for (const match of output.replace(escapeCodes, "").matchAll(/^ *(\d+) (pass|fail|skip|todo|error)s?$/gm)) {
    counts[match[2] ?? ""] = Number(match[1]);
  }
  const passed = counts["pass"] ?? 0;
  const failed = (counts["fail"] ?? 0) + (counts["skip"] ?? 0) + (counts["todo"] ?? 0) + (counts["error"] ?? 0);
  const isUnexplained = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: isUnexplained ? 1 : failed };
}

const linesBefore = 30;

/** A test that failed, and what `bun test` said of it: its file, the last lines before its name, its name. */
export type TestFailure = { file: string; said: string };

/** For the end of a run, whose last lines are what is kept of it at times. */
export function bunTestFailures(output: string): TestFailure[] {
  const failures: TestFailure[] = [];
  let file = "";
  let before: string[] = [];
  for (const line of output.replace(escapeCodes, "").split("\n")) {
    const isEnd = /^\((?:pass|fail|skip|todo)\) /.test(line);
    const named = /^(\S+\.test\.tsx?):$/.exec(line)?.[1];
    if (named !== undefined) file = named;
    else if (!isEnd) before.push(line);
    // The summary names each once more.
    if (/^ *\d+ tests? failed:$/.test(line)) break;
    if (line.startsWith("(fail) ")) {
      failures.push({ file, said: [`${file}:`, ...before.slice(-linesBefore), line].join("\n") });
    }
    if (isEnd) before = [];
  }
  return failures;
}

/**
 * The totals of a run after the files of its failures ran again: one that passed then has passed, as with Playwright.
 * What failed outside of a test stays a failure.
 */
export function totalsAfterRerun(first: Totals, failures: readonly TestFailure[], again: Totals): Totals {
  const outside = Math.max(0, first.failed - failures.length);
  const failed = outside + again.failed;
  return { passed: Math.max(0, first.passed + first.failed - failed), failed };
}

/**
 * The report that Playwright writes as JSON. A test that was skipped is a failure, and so is an error outside of tests, a
 * bad exit without one, and a run in which nothing ran. One that passed when it was tried again has passed; the list of
 * the run names it.
 */
export function playwrightTotals(report: string, exitCode: number | null): Totals {
  const { stats, errors } = reportOf(report);
  const count = (name: string): number => Number(stats[name] ?? 0);
  const passed = count("expected") + count("flaky");
  const failed = count("unexpected") + count("skipped") + errors;
  const isUnexplained = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: isUnexplained ? 1 : failed };
}

function reportOf(text: string): { stats: Record<string, unknown>; errors: number } {
  try {
    const report: unknown = JSON.parse(text);
    const told = isObject(report) ? report : {};
    return {
      stats: isObject(told["stats"]) ? told["stats"] : {},
      errors: Array.isArray(told["errors"]) ? told["errors"].length : 0,
    };
  } catch {
    return { stats: {}, errors: 0 }; // it ended before it could write one
  }
}

export function sum(totals: readonly Totals[]): Totals {
  return totals.reduce((all, next) => ({ passed: all.passed + next.passed, failed: all.failed + next.failed }), {
    passed: 0,
    failed: 0,
  });
}

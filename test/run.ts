// `bun run test`: builds the binary, runs the checks and every test, and ends with `N passed, N failed`.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { runChecks } from "./check.ts";
import { runCommand, track } from "./support/processes.ts";
import {
  bunTestFailures,
  bunTestTotals,
  playwrightTotals,
  sum,
  type TestFailure,
  type Totals,
  totalsAfterRerun,
} from "./support/runner-totals.ts";
import { root } from "./support/source-files.ts";

/** Of one test; the end-to-end ones that start programs set their own. */
const testTimeoutMs = 30_000;
const installTimeoutMs = 600_000;
const buildTimeoutMs = 180_000;

/** Programs the tests use that come with no package of ours, and the Debian package that brings each. */
const systemPrograms = [
  { program: "faketime", debianPackage: "faketime" },
  { program: "nginx", debianPackage: "nginx" },
  { program: "chromium", debianPackage: "chromium" },
];

// False, after one sentence that says what to install, when something is missing and cannot be installed.
async function hasSystemPrograms(): Promise<boolean> {
  const missing = systemPrograms.filter(({ program }) => Bun.which(program) === null);
  if (missing.length === 0) return true;
  const names = missing.map(({ debianPackage }) => debianPackage).join(" ");
  const canInstall = process.getuid?.() === 0 && existsSync("/etc/debian_version") && Bun.which("apt-get") !== null;
  if (canInstall && (await installed(missing.map(({ debianPackage }) => debianPackage)))) return true;
  process.stderr.write(`The tests need a program that is not installed; on Debian: apt-get install ${names}\n`);
  return false;
}

async function installed(packages: string[]): Promise<boolean> {
  // In this run level no package starts a service of its own.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const install = ["apt-get", "install", "-y", "--no-install-recommends", ...packages];
  for (const command of [["apt-get", "update"], install]) {
    const { code, stdout, stderr } = await runCommand(command, { env, timeoutMs: installTimeoutMs });
    if (code === 0) continue;
    process.stderr.write(stdout + stderr);
    return false;
  }
  return true;
}

async function build(): Promise<Totals> {
  const { code, stdout, stderr } = await runCommand([process.execPath, "build.ts"], {
    cwd: root,
    timeoutMs: buildTimeoutMs,
  });
  process.stdout.write(`${code === 0 ? "ok  " : "FAIL"} build\n${code === 0 ? "" : stdout + stderr}`);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function check(): Promise<Totals> {
  const outcomes = await runChecks();
  const passed = outcomes.filter(({ isPassed }) => isPassed).length;
  return { passed, failed: outcomes.length - passed };
}

type Tested = Totals & { failures: TestFailure[] };

// In the same order everywhere: left to itself the runner takes files as the disk lists them.
const bunFiles = [...new Bun.Glob("test/**/*.test.ts").scanSync(root)].sort();

async function bunTest(files: readonly string[]): Promise<Tested> {
  const { output, code } = await runShown(
    [process.execPath, "test", `--timeout=${testTimeoutMs}`, ...files.map((file) => `./${file}`)],
    {},
  );
  return { ...bunTestTotals(output, code), failures: bunTestFailures(output) };
}

// A stall of a shared machine can outlast a test's bound; what fails once more on its own is a fault. Both are named.
async function bunTestAgain(first: Tested): Promise<Tested> {
  const files = [...new Set(first.failures.map(({ file }) => file))];
  if (files.length === 0) return first;
  const again = await bunTest(files);
  const shown = again.failed === 0 ? first.failures : again.failures;
  const outcome = again.failed === 0 ? "Passed when it ran again" : "Failed again";
  const failures = shown.map(({ file, said }) => ({ file, said: `${outcome}: ${said}` }));
  return { ...totalsAfterRerun(first, first.failures, again), failures };
}

// Playwright is made for Node, so where there is one it has it; Bun runs it too.
async function browserTest(): Promise<Totals> {
  const report = join(root, "dist", `browser-tests.${process.pid}.json`);
  const runtime = Bun.which("node") === null ? [process.execPath, "--bun"] : ["node"];
  const runner = ["node_modules/@playwright/test/cli.js", "test", "--config=test/web/playwright.config.ts"];
  const { code } = await runShown([...runtime, ...runner, "--reporter=list,json"], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  const file = Bun.file(report);
  const text = (await file.exists()) ? await file.text() : "";
  await rm(report, { force: true });
  return playwrightTotals(text, code);
}

async function runShown(
  command: string[],
  env: Record<string, string>,
): Promise<{ output: string; code: number | null }> {
  const child = track(
    Bun.spawn(command, {
      cwd: root,
      env: { ...process.env, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    }),
  );
  const [stdout, stderr, code] = await Promise.all([
    pass(child.stdout, process.stdout),
    pass(child.stderr, process.stderr),
    child.exited,
  ]);
  return { output: `${stdout}\n${stderr}`, code };
}

// Shows output as it comes and keeps it.
async function pass(from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of from) {
    to.write(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

if (!(await hasSystemPrograms())) process.exit(1);
const built = await build();
const checked = await check();
const nothing: Totals = { passed: 0, failed: 1 };
// Without a binary the tests have nothing to test.
const tested = built.failed === 0 ? await bunTest(bunFiles) : { ...nothing, failures: [] };
const browsed = built.failed === 0 ? await browserTest() : nothing;
const settled = await bunTestAgain(tested);
// The browser's runner says its own again at the end.
for (const { said } of settled.failures) process.stdout.write(`\n${said}\n`);
const { passed, failed } = sum([built, checked, settled, browsed]);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

// The command line as a process: bytes on both streams, exit codes, signals, a closed stdout (cli.md 2.2, 2.3).
import { expect, test } from "bun:test";
import { closedUrl, openScriptedHub, problem, toolResult } from "../support/cli-hub.ts";
import { mainFile, openSandbox, runProcess, startProcess } from "../support/cli-process.ts";
import { runCommand, within } from "../support/processes.ts";

const boundMs = 20_000;

test("every exit code, with the bytes of both streams", async () => {
  await using sandbox = await openSandbox();
  using good = openScriptedHub(() => toolResult({ text: "grüße" }));
  using denied = openScriptedHub(() => problem(403, { code: "forbidden", detail: "denied", details: {} }));
  using stranger = openScriptedHub(() => problem(401, { code: "unauthenticated", detail: "who?", details: {} }));
  const closed = closedUrl();
  const call = (url: string) => runProcess(sandbox, ["call", "x"], { HUB_URL: url });
  expect(await call(good.url)).toEqual({ code: 0, signal: null, stdout: '{"text":"grüße"}\n', stderr: "" });
  expect(await call(denied.url)).toEqual({
    code: 1,
    signal: null,
    stdout: "",
    stderr: '{"error":{"code":"forbidden","message":"denied","retryable":false,"details":{}}}\n',
  });
  expect((await runProcess(sandbox, ["call"])).code).toBe(2);
  expect((await call(closed)).code).toBe(69);
  expect((await call(stranger.url)).code).toBe(77);
  expect((await runProcess(sandbox, ["call", "x"])).code).toBe(78);
});

test("arguments come from standard input", async () => {
  await using sandbox = await openSandbox();
  using remote = openScriptedHub(() => toolResult({}));
  const given = { text: "ä".repeat(100_000) };
  const outcome = await runProcess(sandbox, ["call", "x", "-"], { HUB_URL: remote.url }, JSON.stringify(given));
  expect(outcome.code).toBe(0);
  expect(remote.requests[0]?.body).toMatchObject({ params: { arguments: given } });
});

test("an open standard input is not waited for", async () => {
  await using sandbox = await openSandbox();
  using remote = openScriptedHub(() => toolResult({}));
  const child = startProcess(sandbox, ["call", "x"], { HUB_URL: remote.url });
  expect(await within(boundMs, "end of call", child.exited)).toBe(0);
});

test("a large result arrives whole", async () => {
  await using sandbox = await openSandbox();
  const text = "x".repeat(8_000_000);
  using remote = openScriptedHub(() => toolResult({ text }));
  const { code, stdout } = await runProcess(sandbox, ["call", "x"], { HUB_URL: remote.url });
  expect(code).toBe(0);
  expect(stdout).toBe(`{"text":"${text}"}\n`);
});

test("a reader that goes away ends the process with 0 and no message", async () => {
  await using sandbox = await openSandbox();
  using remote = openScriptedHub(() => toolResult({ text: "x".repeat(1_000_000) }));
  const script = `"$0" "$1" call x | head -c 1; echo "\${PIPESTATUS[0]}"`;
  const outcome = await runCommand(["bash", "-c", script, process.execPath, mainFile], {
    cwd: sandbox.directory,
    env: { ...sandbox.env, HUB_URL: remote.url },
  });
  expect(outcome).toEqual({ code: 0, signal: null, stdout: "{0\n", stderr: "" });
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends a client command by that signal", async (signal) => {
  await using sandbox = await openSandbox();
  const asked = Promise.withResolvers<void>();
  using remote = openScriptedHub(() => {
    asked.resolve();
    return new Promise<Response>(() => undefined);
  });
  const child = startProcess(sandbox, ["call", "x"], { HUB_URL: remote.url });
  await within(boundMs, "request", asked.promise);
  child.kill(signal);
  await within(boundMs, "end of call", child.exited);
  expect(child.signalCode).toBe(signal);
  expect(await child.stdout.text()).toBe("");
});

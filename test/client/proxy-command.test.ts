// `agent-hub mcp` as a process: exit codes, streams, signals, and that nothing is left when its parent is gone.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { runCommand, track, within } from "../support/processes.ts";
import { proxyCommand, proxyEnv } from "../support/proxy-command.ts";
import { eventually, openScriptedHub, problem, type Seen } from "../support/proxy-harness.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

const list = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" })}\n`;

/** A proxy whose stdin stays open. */
function startCommand(url: string, ...args: string[]) {
  const child = track(
    Bun.spawn([...proxyCommand, ...args], { env: proxyEnv(url), stdin: "pipe", stdout: "pipe", stderr: "pipe" }),
  );
  return {
    child,
    send: (line: string) => {
      child.stdin.write(line);
      child.stdin.flush();
    },
    exited: () => within(20_000, "exit of the proxy", child.exited, () => child.kill("SIGKILL")),
  };
}

describe("the command", () => {
  test("answers lines piped in and ends with them", async () => {
    await using hub = openScriptedHub();
    const { code, stdout, stderr } = await runCommand([...proxyCommand, "--tools", "core"], {
      env: proxyEnv(hub.url),
      stdin: `${list(1)}no json\n${list(2)}`,
    });
    expect(code).toBe(0);
    expect(stderr).toBe("");
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(3);
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: 2, result: {} });
    expect(hub.seen.every((seen) => seen.path === "/mcp?tools=core")).toBe(true);
    expect(hub.seen.at(-1)?.method).toBe("DELETE");
  });

  test.each([
    ["a token that is refused", () => problem(401, "unauthenticated", "unknown token"), 77, "unauthenticated"],
    ["a hub that refuses", () => problem(403, "forbidden", "no"), 1, "forbidden"],
  ] as const)("ends at %s with its exit code and the error on stderr", async (_name, onPing, exitCode, errorCode) => {
    await using hub = openScriptedHub();
    hub.onPing = onPing;
    const { code, stdout, stderr } = await runCommand([...proxyCommand], { env: proxyEnv(hub.url), stdin: list(1) });
    expect(code).toBe(exitCode);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: errorCode } });
    expect(hub.seen).toHaveLength(1);
  });

  test("ends with 69 where nobody listens", async () => {
    const hub = openScriptedHub();
    await hub.kill();
    const { code, stdout, stderr } = await runCommand([...proxyCommand], { env: proxyEnv(hub.url), stdin: list(1) });
    expect(code).toBe(69);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr).error).toEqual({
      code: "unavailable",
      message: `${hub.url}/mcp is unreachable: connection refused`,
      retryable: true,
      details: {},
    });
  });

  test.each([{ args: ["--tools", "some"] }, { args: ["--tools"] }, { args: ["--project", "x"] }, { args: ["x"] }])(
    "refuses $args",
    async ({ args }) => {
      const { code, stdout } = await runCommand([...proxyCommand, ...args], { env: proxyEnv("http://127.0.0.1:9") });
      expect(code).toBe(2);
      expect(stdout).toBe("");
    },
  );
});

describe("the process", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("drains and ends with 0 on %s", async (signal) => {
    let answer: (response: Response) => void = () => undefined;
    await using hub = openScriptedHub(
      () =>
        new Promise<Response>((resolve) => {
          answer = resolve;
        }),
    );
    const { child, send, exited } = startCommand(hub.url);
    send(list(1));
    await eventually("the request", () => hub.calls("tools/list")[0]);
    child.kill(signal);
    answer(Response.json({ jsonrpc: "2.0", id: 1, result: { late: true } }));
    expect(await exited()).toBe(0);
    expect(child.signalCode).toBeNull();
    expect(await new Response(child.stdout).text()).toBe('{"jsonrpc":"2.0","id":1,"result":{"late":true}}\n');
    expect(await new Response(child.stderr).text()).toBe("");
    expect(hub.seen.at(-1)?.method).toBe("DELETE");
  });

  test("ends on a signal during the opening", async () => {
    await using hub = openScriptedHub();
    hub.onPing = () => new Promise(() => undefined);
    const { child, exited } = startCommand(hub.url);
    await eventually("the ping", () => hub.seen[0]);
    child.kill("SIGTERM");
    expect(await exited()).toBe(0);
  });

  test("ends without a word when nobody reads its stdout", async () => {
    await using hub = openScriptedHub();
    const { child, send, exited } = startCommand(hub.url);
    await child.stdout.cancel();
    send(list(1));
    expect(await exited()).toBe(0);
    expect(await new Response(child.stderr).text()).toBe("");
  });

  test("carries answers and lines of many megabytes while its stdout is not read", async () => {
    const large = "x".repeat(20_000_000);
    const reply = (seen: Seen) =>
      Response.json({
        jsonrpc: "2.0",
        id: seen.message["id"],
        result: { large: seen.message["id"] === 1 ? large : "" },
      });
    await using hub = openScriptedHub(reply);
    const { child, send, exited } = startCommand(hub.url);
    send(list(1));
    await eventually("the first request", () => hub.calls("tools/list").length === 1);
    send(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list", params: { large } })}\n`);
    // The first answer fills the pipe; the second request goes out all the same.
    await eventually("the second request", () => hub.calls("tools/list").length === 2);
    child.stdin.end();
    const lines = (await new Response(child.stdout).text()).trimEnd().split("\n");
    expect(await exited()).toBe(0);
    expect(lines.map((line) => JSON.parse(line).id).sort()).toEqual([1, 2]);
    expect(Math.max(...lines.map((line) => line.length))).toBeGreaterThan(large.length);
  });

  test("leaves nothing behind when its parent is killed, forty times over", async () => {
    const waits: Seen[] = [];
    await using hub = openScriptedHub((seen) => {
      waits.push(seen);
      return new Promise(() => undefined);
    });
    // The parent starts the proxies, gives each a wait, tells their pids and never ends by itself.
    const parent = `
      const pids = [];
      for (let index = 0; index < 40; index += 1) {
        const child = Bun.spawn(${JSON.stringify(proxyCommand)}, { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
        child.stdin.write(${JSON.stringify(list(1))});
        child.stdin.flush();
        pids.push(child.pid);
      }
      await Bun.write(Bun.stdout, pids.join(" ") + "\\n");
      setInterval(() => undefined, 1000);
    `;
    const child = track(
      Bun.spawn([process.execPath, "-e", parent], {
        env: proxyEnv(hub.url),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "inherit",
      }),
    );
    const pids = (await within(20_000, "pids", firstLine(child.stdout))).split(" ").map(Number);
    expect(pids).toHaveLength(40);
    try {
      await eventually("forty waits", () => waits.length === 40);
      child.kill("SIGKILL");
      await child.exited;
      await eventually("the end of every proxy", () => pids.every((pid) => !isAlive(pid)));
      await eventually("the end of every wait", () => waits.every((seen) => seen.signal.aborted));
    } finally {
      for (const pid of pids.filter(isAlive)) process.kill(pid, "SIGKILL");
    }
  });
});

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const [line, ...rest] = text.split("\n");
    if (rest.length > 0) return line ?? "";
  }
  return text;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // no such process
  }
}

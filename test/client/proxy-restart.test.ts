// What the proxy does when the hub goes away, comes back, or no longer knows the session (cli.md 4.2, "Hub restart or
// lost connection").
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  answer,
  answerEmpty,
  eventually,
  gate,
  initialized,
  openScriptedHub,
  problem,
  type Script,
  type ScriptedHub,
  type Seen,
  startProxy,
  type TestProxy,
} from "../support/proxy-harness.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

const initialize = '{"jsonrpc":"2.0", "id":0, "method":"initialize","params":{"protocolVersion":"2025-11-25"}}';

describe("a hub that goes away", () => {
  test("fails what is in flight, once, and serves again when it is back", async () => {
    await using hub = openScriptedHub(() => new Promise(() => undefined));
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "signal_append" } });
    proxy.send({ jsonrpc: "2.0", id: 2, method: "resources/read", params: { uri: "a:b" } });
    await eventually("both requests", () => hub.seen.length === 3);
    await hub.kill();

    const error = {
      code: "unavailable",
      message: `${hub.url}/mcp is unreachable: connection lost`,
      retryable: true,
      details: {},
    };
    expect(await proxy.answer(1)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        isError: true,
        structuredContent: { error },
        content: [{ type: "text", text: JSON.stringify({ error }) }],
      },
    });
    expect(await proxy.answer(2)).toEqual({
      jsonrpc: "2.0",
      id: 2,
      error: { code: -32603, message: error.message, data: { error } },
    });

    // Nobody listens: one attempt, one answer.
    proxy.send({ jsonrpc: "2.0", id: 3, method: "tools/list" });
    expect(await proxy.answer(3)).toMatchObject({
      error: { code: -32603, data: { error: { code: "unavailable", retryable: true } } },
    });

    hub.script = answerEmpty;
    hub.start();
    proxy.send({ jsonrpc: "2.0", id: 4, method: "tools/list" });
    expect(await proxy.answer(4)).toEqual({ jsonrpc: "2.0", id: 4, result: {} });
    expect(hub.seen.map((seen) => seen.message["id"]).slice(1)).toEqual([1, 2, 4]);
    expect(new Set(hub.seen.map((seen) => seen.headers.get("hub-connection"))).size).toBe(1);
    expect(proxy.stderr()).toBe("");
  });

  test("in the middle of a stream fails the call", async () => {
    await using hub = openScriptedHub(
      () =>
        new Response(
          async function* () {
            yield 'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n';
            await new Promise(() => undefined);
          },
          { headers: { "content-type": "text/event-stream" } },
        ),
    );
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "inbox_wait" } });
    await eventually("progress", () => proxy.stdout.length === 1);
    await hub.kill();
    expect(await proxy.answer(1)).toMatchObject({
      result: { isError: true, structuredContent: { error: { code: "unavailable", retryable: true } } },
    });
  });
});

describe("a session the hub no longer knows", () => {
  type ForgetfulHub = ScriptedHub & {
    /** From now on it knows the next session only, as `version`. */
    forget(version?: string): void;
    /** Instead of the answer that names the session it knows. */
    onInitialize: Script | undefined;
  };

  function openForgetfulHub(): ForgetfulHub {
    let session = 1;
    let version = "1.0.0";
    const more: Pick<ForgetfulHub, "forget" | "onInitialize"> = {
      onInitialize: undefined,
      forget(next = version) {
        session += 1;
        version = next;
      },
    };
    const hub = Object.assign(openScriptedHub(), more);
    hub.script = (seen) => {
      if (seen.message["method"] === "initialize") {
        return hub.onInitialize?.(seen) ?? initialized(seen, `session-${session}`, version);
      }
      if (seen.headers.get("mcp-session-id") === `session-${session}`) return answerEmpty(seen);
      return problem(404, "not_found", "unknown connection");
    };
    return hub;
  }

  async function begin(hub: ScriptedHub, proxy: TestProxy): Promise<void> {
    proxy.send(initialize);
    await proxy.answer(0);
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    await proxy.answer(1);
    hub.seen.length = 0;
  }

  const path = (hub: ScriptedHub) =>
    hub.seen.map((seen) => `${seen.message["method"]} ${seen.headers.get("mcp-session-id")}`);

  test("is made again with the harness's own initialize, and the request is sent once more", async () => {
    await using hub = openForgetfulHub();
    await using proxy = startProxy({ url: hub.url });
    await begin(hub, proxy);
    hub.forget();
    proxy.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    expect(await proxy.answer(2)).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
    expect(path(hub)).toEqual(["tools/list session-1", "initialize null", "tools/list session-2"]);
    expect(hub.calls("initialize")[0]?.body).toBe(initialize);
    expect(new Set(hub.seen.map((seen) => seen.headers.get("hub-connection"))).size).toBe(1);
    expect(proxy.stderr()).toBe(`agent-hub mcp: reconnected to ${hub.url}\n`);
    // The answer to the replay is not the harness's.
    expect(proxy.stdout).toHaveLength(3);
  });

  test("is announced when the server is another version", async () => {
    await using hub = openForgetfulHub();
    await using proxy = startProxy({ url: hub.url });
    await begin(hub, proxy);
    hub.forget("1.1.0");
    proxy.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    await proxy.answer(2);
    expect(proxy.stdout.slice(2).map((line) => JSON.parse(line))).toEqual([
      { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
      { jsonrpc: "2.0", id: 2, result: {} },
    ]);
  });

  test("is made again once for all requests that lost it", async () => {
    await using hub = openForgetfulHub();
    await using proxy = startProxy({ url: hub.url });
    await begin(hub, proxy);
    hub.forget();
    const held = gate();
    hub.onInitialize = async (seen) => {
      await held.opened;
      return initialized(seen, "session-2");
    };
    for (const id of [2, 3, 4]) proxy.send({ jsonrpc: "2.0", id, method: "tools/list" });
    await eventually("three losses and a replay", () => hub.seen.length === 4);
    held.open();
    for (const id of [2, 3, 4]) await proxy.answer(id);
    expect(hub.calls("initialize")).toHaveLength(1);
    expect(proxy.stderr().split("\n")).toHaveLength(2);
  });

  test("is not made again for a request that hears of the loss too late", async () => {
    await using hub = openForgetfulHub();
    await using proxy = startProxy({ url: hub.url });
    await begin(hub, proxy);
    hub.forget();
    const late = gate();
    const { script } = hub;
    hub.script = async (seen) => {
      const reply = await script(seen);
      if (seen.message["id"] === 2 && reply.status === 404) await late.opened;
      return reply;
    };
    proxy.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    await eventually("the first loss", () => hub.seen.length === 1);
    proxy.send({ jsonrpc: "2.0", id: 3, method: "tools/list" });
    await proxy.answer(3);
    late.open();
    expect(await proxy.answer(2)).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
    expect(hub.calls("initialize")).toHaveLength(1);
  });

  test("that is lost again at once is the answer", async () => {
    await using hub = openForgetfulHub();
    await using proxy = startProxy({ url: hub.url });
    await begin(hub, proxy);
    hub.forget();
    hub.onInitialize = (seen) => initialized(seen, "session-nobody-knows");
    proxy.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    expect(await proxy.answer(2)).toMatchObject({ error: { code: -32002, data: { error: { code: "not_found" } } } });
    expect(hub.seen).toHaveLength(3);
  });

  test.each([
    ["not answered in time", () => new Promise<Response>(() => undefined), "unavailable"],
    ["refused", () => problem(401, "unauthenticated", "no"), "unauthenticated"],
    [
      "answered with an error",
      (seen: Seen) => Response.json({ jsonrpc: "2.0", id: seen.message["id"], error: { code: -32602, message: "no" } }),
      "invalid_argument",
    ],
  ])("whose replay is %s fails the request, and the next one tries again", async (_name, onInitialize, code) => {
    await using hub = openForgetfulHub();
    await using proxy = startProxy({ url: hub.url, bounds: { replayMs: 100 } });
    await begin(hub, proxy);
    hub.forget();
    hub.onInitialize = onInitialize;
    proxy.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "whoami" } });
    expect(await proxy.answer(2)).toMatchObject({ result: { isError: true, structuredContent: { error: { code } } } });
    expect(proxy.stderr()).toBe("");
    hub.onInitialize = undefined;
    proxy.send({ jsonrpc: "2.0", id: 3, method: "tools/list" });
    expect(await proxy.answer(3)).toEqual({ jsonrpc: "2.0", id: 3, result: {} });
  });

  test("is not looked for in a 404 that is a JSON-RPC answer, nor without a session", async () => {
    await using hub = openScriptedHub((seen) => {
      if (seen.message["method"] === "initialize") return initialized(seen, "session-1");
      if (seen.message["method"] === "tools/list") return problem(404, "not_found", "no such page");
      const error = { code: -32601, message: "unknown method" };
      return Response.json({ jsonrpc: "2.0", id: seen.message["id"], error }, { status: 404 });
    });
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await proxy.answer(1)).toMatchObject({ error: { data: { error: { code: "not_found" } } } });
    proxy.send(initialize);
    await proxy.answer(0);
    proxy.send({ jsonrpc: "2.0", id: 2, method: "x/y" });
    expect(await proxy.answer(2)).toMatchObject({ error: { code: -32601 } });
    expect(hub.calls("initialize")).toHaveLength(1);
  });

  test("settled by an event stream counts too", async () => {
    await using hub = openForgetfulHub();
    hub.onInitialize = async (seen) => {
      const json = initialized(seen, "session-1");
      const headers = { "content-type": "text/event-stream", "mcp-session-id": "session-1" };
      return new Response(`data: ${await json.text()}\n\n`, { headers });
    };
    await using proxy = startProxy({ url: hub.url });
    proxy.send(initialize);
    expect(await proxy.answer(0)).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await proxy.answer(1)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test("that never had a name is not made again", async () => {
    await using hub = openScriptedHub((seen) =>
      seen.message["method"] === "initialize" ? answer(seen, {}) : problem(404, "not_found", "no such page"),
    );
    await using proxy = startProxy({ url: hub.url });
    proxy.send(initialize);
    await proxy.answer(0);
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await proxy.answer(1)).toMatchObject({ error: { data: { error: { code: "not_found" } } } });
    expect(hub.calls("initialize")).toHaveLength(1);
  });

  test("a failed initialize leaves none", async () => {
    await using hub = openScriptedHub((seen) =>
      seen.message["method"] === "initialize" ? problem(503, "unavailable", "busy") : answer(seen, {}),
    );
    await using proxy = startProxy({ url: hub.url });
    proxy.send(initialize);
    expect(await proxy.answer(0)).toMatchObject({ error: { code: -32603, message: "busy" } });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    await proxy.answer(1);
    expect(hub.calls("tools/list")[0]?.headers.has("mcp-protocol-version")).toBe(false);
  });
});

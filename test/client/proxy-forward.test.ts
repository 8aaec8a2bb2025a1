// What the proxy sends to the hub for a line of stdin, and what it writes for what comes back (cli.md 4.2).
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  answer,
  answerEmpty,
  eventually,
  gate,
  initialized,
  modernMeta,
  openScriptedHub,
  problem,
  type Script,
  startProxy,
  token,
} from "../support/proxy-harness.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

describe("a request", () => {
  test("is the line, byte for byte, under one connection", async () => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: `${hub.url}/prefix` });
    const line = ' { "id":7,"jsonrpc" : "2.0", "method":"x/unknown","params":{"a":1.50,"b":"\\u00e9 é","a":2}} ';
    proxy.send(line);
    await proxy.answer(7);
    const [ping, sent] = hub.seen;
    expect(sent?.body).toBe(line);
    expect(sent?.path).toBe("/prefix/mcp");
    expect(sent?.method).toBe("POST");
    expect(sent?.headers.get("content-type")).toBe("application/json");
    expect(sent?.headers.get("accept")).toBe("application/json, text/event-stream");
    expect(sent?.headers.get("authorization")).toBe(`Bearer ${token}`);
    expect(sent?.headers.get("hub-connection")).toBe(ping?.headers.get("hub-connection") ?? "");
  });

  test("goes to the core profile when asked to", async () => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: hub.url, tools: "core" });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    await proxy.answer(1);
    expect(hub.seen.map((seen) => seen.path)).toEqual(["/mcp?tools=core", "/mcp?tools=core"]);
  });

  test("of the 2025 line carries what initialize settled", async () => {
    await using hub = openScriptedHub((seen) =>
      seen.message["method"] === "initialize" ? initialized(seen, "session-1") : answerEmpty(seen),
    );
    await using proxy = startProxy({ url: hub.url });
    // Sent ahead, as a script does that pipes its lines in.
    proxy.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } });
    proxy.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    await proxy.answer(1);
    const [first] = hub.calls("initialize");
    expect(first?.headers.has("mcp-session-id")).toBe(false);
    expect(first?.headers.has("mcp-protocol-version")).toBe(false);
    for (const method of ["notifications/initialized", "tools/list"]) {
      const sent = await eventually(method, () => hub.calls(method)[0]);
      expect(sent.headers.get("mcp-session-id")).toBe("session-1");
      expect(sent.headers.get("mcp-protocol-version")).toBe("2025-11-25");
      expect(sent.headers.has("mcp-method")).toBe(false);
    }
  });

  test.each([
    ["tools/call", { name: "whoami", uri: "x:y" }, "whoami"],
    ["resources/read", { uri: "agenthub://kb/a" }, "agenthub://kb/a"],
    ["tools/list", {}, null],
    ["tools/call", { name: "größe" }, `=?base64?${Buffer.from("größe").toString("base64")}?=`],
    ["tools/call", { name: " a" }, `=?base64?${Buffer.from(" a").toString("base64")}?=`],
    ["tools/call", { name: "a\nb" }, `=?base64?${Buffer.from("a\nb").toString("base64")}?=`],
    ["tools/call", { name: "" }, "=?base64??="],
    ["tools/call", { name: "=?base64?YQ==?=" }, `=?base64?${Buffer.from("=?base64?YQ==?=").toString("base64")}?=`],
    ["tools/call", { name: 5, uri: "x:y" }, "x:y"],
  ])("of 2026-07-28 says %s %j in its headers", async (method, params, name) => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: modernMeta } });
    await proxy.answer(1);
    const [sent] = hub.calls(method);
    expect(sent?.headers.get("mcp-protocol-version")).toBe("2026-07-28");
    expect(sent?.headers.get("mcp-method")).toBe(method);
    expect(sent?.headers.get("mcp-name") ?? null).toBe(name);
    expect(sent?.headers.has("mcp-session-id")).toBe(false);
  });

  test("is answered when it is done, not in turn", async () => {
    const slow = gate();
    await using hub = openScriptedHub(async (seen) => {
      if (seen.message["id"] === 1) await slow.opened;
      return answerEmpty(seen);
    });
    await using proxy = startProxy({ url: hub.url });
    for (const id of [1, 2, "1"]) proxy.send({ jsonrpc: "2.0", id, method: "tools/list" });
    await proxy.answer(2);
    await proxy.answer("1");
    slow.open();
    await proxy.answer(1);
    expect(proxy.stdout).toHaveLength(3);
    expect(proxy.stdout.at(-1)).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  });

  test("may be a batch", async () => {
    await using hub = openScriptedHub((seen) =>
      seen.body.includes('"c"')
        ? problem(503, "unavailable", "busy")
        : Response.json([
            { jsonrpc: "2.0", id: "a", result: {} },
            { jsonrpc: "2.0", id: "b", result: {} },
          ]),
    );
    await using proxy = startProxy({ url: hub.url });
    const batch = (...ids: string[]) => ids.map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
    proxy.send([...batch("a", "b"), { jsonrpc: "2.0", method: "notifications/x" }]);
    await eventually("the batch answer", () => proxy.stdout[0]?.startsWith("["));
    proxy.send(batch("c", "d"));
    expect(await proxy.answer("c")).toMatchObject({ error: { code: -32603, message: "busy" } });
    expect(await proxy.answer("d")).toMatchObject({ error: { code: -32603, message: "busy" } });
    expect(proxy.stdout).toHaveLength(3);
  });

  test("a notification and a response of the harness are forwarded and not answered", async () => {
    await using hub = openScriptedHub((seen) =>
      seen.message["id"] === 9 ? answerEmpty(seen) : problem(401, "unauthenticated", "no"),
    );
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
    proxy.send({ jsonrpc: "2.0", id: 5, result: { roots: [] } });
    await eventually("both", () => hub.seen.length === 3);
    proxy.send({ jsonrpc: "2.0", id: 9, method: "tools/list" });
    await proxy.answer(9);
    expect(proxy.stdout).toHaveLength(1);
  });
});

describe("an answer", () => {
  async function lineFor(script: Script): Promise<string> {
    await using hub = openScriptedHub(script);
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "x:y" } });
    await proxy.answer(1);
    expect(proxy.stdout).toHaveLength(1);
    return proxy.stdout[0] ?? "";
  }

  test("is written as it is", async () => {
    const text = '{"jsonrpc":"2.0","result":{"n":1.50,"é":"\\u00e9","_meta":{}},"id":1}';
    expect(await lineFor(() => new Response(text, { headers: { "content-type": "application/json" } }))).toBe(
      `${text}\n`,
    );
  });

  test("is one line, whatever its layout", async () => {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { a: ["x\ny"] } }, null, 2);
    const line = await lineFor(() => new Response(`${text}\r\n`, { headers: { "content-type": "application/json" } }));
    expect(line.trimEnd()).not.toContain("\n");
    expect(JSON.parse(line)).toEqual(JSON.parse(text));
  });

  test.each([
    ["with its id", 1],
    ["without one", null],
  ])("that is an error of HTTP 400 or 404 is the hub's own, %s", async (_name, id) => {
    const error = { code: -32020, message: "headers and body disagree", data: { mismatch: {} } };
    for (const status of [400, 404]) {
      const line = await lineFor(() => Response.json({ jsonrpc: "2.0", id, error }, { status }));
      expect(JSON.parse(line)).toEqual({ jsonrpc: "2.0", id: 1, error });
    }
  });

  test("that answers something else is no answer", async () => {
    const line = await lineFor(() => Response.json({ jsonrpc: "2.0", id: 2, result: {} }));
    expect(JSON.parse(line)).toMatchObject({ id: 1, error: { code: -32603, data: { error: { code: "internal" } } } });
  });

  test.each([202, 204, 200])("that is an empty %i is an error", async (status) => {
    const line = await lineFor(() => new Response(null, { status }));
    expect(JSON.parse(line)).toMatchObject({ id: 1, error: { data: { error: { code: "internal" } } } });
  });
});

describe("an event stream", () => {
  test("passes on what it brings as it arrives", async () => {
    const last = gate();
    await using hub = openScriptedHub(
      (seen) =>
        new Response(
          async function* () {
            yield ": keep-alive\n\n";
            yield 'event: message\nid: 3\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t"}}\r\n\r\n';
            await last.opened;
            yield 'event: other\ndata: {"jsonrpc":"2.0","method":"x"}\n\ndata: no json\n\ndata:\n\n';
            // A line end inside the data, and a cut inside a character.
            const bytes = new TextEncoder().encode(`data: {"jsonrpc":"2.0","id":1,\ndata:"result":{"é":1}}\n\n`);
            yield bytes.subarray(0, 46);
            yield bytes.subarray(46);
            // The answer ends the exchange, whether or not the hub does.
            await new Promise((resolve) => seen.signal.addEventListener("abort", resolve));
          },
          { headers: { "content-type": "text/event-stream; charset=utf-8" } },
        ),
    );
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "inbox_wait" } });
    await eventually("progress", () => proxy.stdout.length === 1);
    expect(proxy.stdout[0]).toContain("notifications/progress");
    last.open();
    expect(await proxy.answer(1)).toEqual({ jsonrpc: "2.0", id: 1, result: { é: 1 } });
    expect(proxy.stdout).toHaveLength(2);
    await eventually("the end of the request", () => hub.calls("tools/call")[0]?.signal.aborted);
  });

  test("that ends without the answer is a lost connection", async () => {
    await using hub = openScriptedHub(
      () => new Response(": hello\n\n", { headers: { "content-type": "text/event-stream" } }),
    );
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await proxy.answer(1)).toMatchObject({
      error: { code: -32603, data: { error: { code: "unavailable", retryable: true } } },
    });
  });

  test("brings requests of the hub through", async () => {
    await using hub = openScriptedHub((seen) => {
      if (seen.message["method"] !== "tools/list") return new Response(null, { status: 202 });
      const lines = [
        { jsonrpc: "2.0", id: 1, method: "roots/list" },
        { jsonrpc: "2.0", id: 1, result: {} },
      ];
      return new Response(lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join(""), {
        headers: { "content-type": "text/event-stream" },
      });
    });
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    await proxy.answer(1);
    expect(proxy.stdout.map((line) => JSON.parse(line))).toEqual([
      { jsonrpc: "2.0", id: 1, method: "roots/list" },
      { jsonrpc: "2.0", id: 1, result: {} },
    ]);
  });
});

describe("a refusal over HTTP", () => {
  const details = { limit: 1 };
  test.each([
    [400, "invalid_argument", -32602],
    [401, "unauthenticated", -32600],
    [403, "forbidden", -32600],
    [404, "not_found", -32002],
    [409, "conflict", -32602],
    [413, "payload_too_large", -32602],
    [429, "rate_limited", -32600],
    [500, "internal", -32603],
    [503, "unavailable", -32603],
    [418, "of_a_newer_hub", -32603],
  ])("%i %s becomes its error object", async (status, code, rpcCode) => {
    await using hub = openScriptedHub(() => problem(status, code, `${status} it is`, details));
    await using proxy = startProxy({ url: hub.url });
    const error = { code, message: `${status} it is`, retryable: code === "unavailable", details };

    proxy.send({ jsonrpc: "2.0", id: 1, method: "resources/list" });
    const data = { error };
    expect(await proxy.answer(1)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: rpcCode, message: error.message, data },
    });

    proxy.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "whoami" } });
    const result = {
      isError: true,
      structuredContent: { error },
      content: [{ type: "text", text: JSON.stringify({ error }) }],
    };
    expect(await proxy.answer(2)).toEqual({ jsonrpc: "2.0", id: 2, result });

    proxy.send({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "whoami", _meta: modernMeta } });
    // The 2026-07-28 client refuses a result without a type.
    expect(await proxy.answer(3)).toEqual({ jsonrpc: "2.0", id: 3, result: { resultType: "complete", ...result } });
  });

  test("without a problem document has the code of its status", async () => {
    await using hub = openScriptedHub(() => new Response("<html>bad gateway", { status: 502 }));
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await proxy.answer(1)).toMatchObject({
      error: { data: { error: { code: "internal", message: `${hub.url}/mcp answered 502`, retryable: false } } },
    });
  });

  test("missing is -32602 in the 2026-07-28 revision", async () => {
    await using hub = openScriptedHub(() => problem(404, "not_found", "gone"));
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "a:b", _meta: modernMeta } });
    expect(await proxy.answer(1)).toMatchObject({ error: { code: -32602 } });
  });

  test("a redirect is not followed", async () => {
    await using other = openScriptedHub();
    await using hub = openScriptedHub(() => Response.redirect(`${other.url}/mcp`, 307));
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await proxy.answer(1)).toMatchObject({
      error: { data: { error: { message: `${hub.url}/mcp answered 307` } } },
    });
    expect(other.seen).toEqual([]);
  });

  test("a token refused later is answered, and the next request tries again", async () => {
    let isRefused = true;
    await using hub = openScriptedHub((seen) =>
      isRefused ? problem(401, "unauthenticated", "unknown token") : answer(seen, { ok: true }),
    );
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "whoami" } });
    proxy.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    expect(await proxy.answer(1)).toMatchObject({
      result: { isError: true, structuredContent: { error: { code: "unauthenticated", retryable: false } } },
    });
    expect(await proxy.answer(2)).toMatchObject({
      error: { code: -32600, data: { error: { code: "unauthenticated" } } },
    });
    isRefused = false;
    proxy.send({ jsonrpc: "2.0", id: 3, method: "tools/list" });
    expect(await proxy.answer(3)).toMatchObject({ result: { ok: true } });
    expect(proxy.exited()).toBe(false);
  });
});

describe("a cancel", () => {
  test.each([
    ["2025 line", {}],
    ["2026-07-28", { _meta: modernMeta }],
  ])("of the %s ends the request and is forwarded; the call gets no answer", async (_name, meta) => {
    await using hub = openScriptedHub((seen) =>
      seen.message["method"] === "tools/call" ? new Promise(() => undefined) : answerEmpty(seen),
    );
    await using proxy = startProxy({ url: hub.url });
    for (const id of [1, "1"]) {
      proxy.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "inbox_wait", ...meta } });
    }
    const calls = () => hub.calls("tools/call");
    await eventually("both calls", () => calls().length === 2);
    const cancel = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1, reason: "r", ...meta },
    };
    proxy.send(cancel);
    const dropped = await eventually("an end of the request", () => calls().find((seen) => seen.signal.aborted));
    expect(dropped.message["id"]).toBe(1);
    const forwarded = await eventually("the cancel", () => hub.calls("notifications/cancelled")[0]);
    expect(forwarded.message).toEqual(cancel);
    proxy.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    await proxy.answer(2);
    expect(proxy.stdout).toHaveLength(1);
    expect(calls().filter((seen) => seen.signal.aborted)).toHaveLength(1);
  });

  test("of nothing is forwarded all the same", async () => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "gone" } });
    await eventually("the cancel", () => hub.calls("notifications/cancelled")[0]);
    expect(proxy.stdout).toEqual([]);
  });
});

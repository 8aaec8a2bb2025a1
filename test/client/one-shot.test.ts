// The wire of a one-shot command: what is sent, and how each kind of answer comes out (cli.md 2.4, 2.6, 6).
import { describe, expect, test } from "bun:test";
import type { Hub } from "../../src/client/connection.ts";
import { headerValue } from "../../src/client/header-value.ts";
import { HubFailure, shortCause } from "../../src/client/hub-failure.ts";
import { callTool, listTools } from "../../src/client/one-shot.ts";
import { version } from "../../src/shared/build.ts";
import { closedUrl, openScriptedHub, problem, rpcAnswer, streamed, toolResult } from "../support/cli-hub.ts";

function hubAt(url: string, timeoutMs = 10_000): Hub {
  return { url, token: "secret", timeoutMs };
}

async function failureOf(work: Promise<unknown>): Promise<HubFailure> {
  try {
    await work;
  } catch (error) {
    if (error instanceof HubFailure) return error;
    throw error;
  }
  throw new Error("expected a failure");
}

describe("the request", () => {
  test("is one POST /mcp in the 2026-07-28 form", async () => {
    using remote = openScriptedHub(() => toolResult({ ok: true }));
    await callTool(hubAt(`${remote.url}/prefix/`), "feed_read", { limit: 3 });
    expect(remote.requests).toHaveLength(1);
    const [request] = remote.requests;
    expect(request?.method).toBe("POST");
    expect(request?.path).toBe("/prefix/mcp");
    expect(request?.body).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "feed_read",
        arguments: { limit: 3 },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "agent-hub", version },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    });
    const sent = ["authorization", "content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name"];
    expect(sent.map((name) => request?.headers.get(name))).toEqual([
      "Bearer secret",
      "application/json",
      "application/json, text/event-stream",
      "2026-07-28",
      "tools/call",
      "feed_read",
    ]);
  });

  test("has no Authorization header without a token", async () => {
    using remote = openScriptedHub(() => toolResult({}));
    await callTool({ url: remote.url, token: null, timeoutMs: 10_000 }, "whoami", {});
    expect(remote.requests[0]?.headers.has("authorization")).toBe(false);
  });

  test.each([
    ["whoami", "whoami"],
    ["größe", "=?base64?Z3LDtsOfZQ==?="],
    ["工具", "=?base64?5bel5YW3?="],
    ["a\r\nb: c", "=?base64?YQ0KYjogYw==?="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="],
  ])("names the tool %j in a header", async (name, header) => {
    using remote = openScriptedHub(() => toolResult({}));
    await callTool(hubAt(remote.url), name, {});
    expect(remote.requests[0]?.headers.get("mcp-name")).toBe(header);
    expect(remote.requests[0]?.body).toMatchObject({ params: { name } });
  });

  test("an empty header value is encoded too", () => expect(headerValue("")).toBe("=?base64??="));
});

describe("a result", () => {
  const text = (...texts: string[]) => ({ content: texts.map((each) => ({ type: "text", text: each })) });
  const answer = { jsonrpc: "2.0", id: 1, result: { structuredContent: { a: 1 } } };
  const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } };
  const cases: [title: string, answer: () => Response, expected: unknown][] = [
    [
      "structured",
      () => toolResult({ a: 1, notifications: { pending: [] } }),
      { a: 1, notifications: { pending: [] } },
    ],
    ["JSON text", () => rpcAnswer({ result: text('{"a":[1]}') }), { a: [1] }],
    ["JSON null", () => rpcAnswer({ result: text("null") }), null],
    ["plain text", () => rpcAnswer({ result: text("hello") }), { text: "hello" }],
    ["two texts", () => rpcAnswer({ result: text("hello", "you") }), { text: "hello\nyou" }],
    ["nothing", () => rpcAnswer({ result: {} }), { text: "" }],
    ["isError false", () => rpcAnswer({ result: { isError: false, ...text("x") } }), { text: "x" }],
    [
      "streamed after progress",
      () => streamed(": hi\n\n", `data: ${JSON.stringify(progress)}\n\n`, `id: 7\ndata: ${JSON.stringify(answer)}\n\n`),
      { a: 1 },
    ],
    [
      "streamed with CRLF, over two data lines",
      () => streamed('data: {"jsonrpc":"2.0","id":1,\r\ndata:"result":{"structuredContent":{"a":"ä"}}}\r\n\r\n'),
      { a: "ä" },
    ],
  ];
  test.each(cases)("%s", async (_title, respond, expected) => {
    using remote = openScriptedHub(respond);
    expect(await callTool(hubAt(remote.url), "x", {})).toEqual(expected);
  });

  test("is taken from a stream that stays open", async () => {
    const open = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(answer)}\n\n`)),
    });
    using remote = openScriptedHub(() => new Response(open, { headers: { "Content-Type": "text/event-stream" } }));
    expect(await callTool(hubAt(remote.url), "x", {})).toEqual({ a: 1 });
  });
});

describe("a refusal", () => {
  const hubError = {
    code: "conflict",
    message: "stale current_version=3",
    retryable: false,
    details: { current_version: 3 },
  };
  const newer = { code: "teapot", message: "short", retryable: true, details: {} };
  const plain = (code: string, message: string) => ({ code, message, retryable: code === "unavailable", details: {} });
  const toolError = (result: object) => () => rpcAnswer({ result: { isError: true, ...result } });
  const rpcFailure =
    (code: number, message: string, data?: unknown, status = 200) =>
    () =>
      rpcAnswer({ error: { code, message, ...(data === undefined ? {} : { data }) } }, status);
  const cases: [title: string, answer: () => Response, error: object, reason?: string][] = [
    ["of the tool", toolError({ structuredContent: { error: hubError } }), hubError],
    ["with a code of a newer hub", toolError({ structuredContent: { error: newer } }), newer],
    [
      "without an error object",
      toolError({ content: [{ type: "text", text: "no" }] }),
      plain("invalid_argument", "no"),
    ],
    ["without a word", toolError({}), plain("invalid_argument", "the tool failed without a message")],
    [
      "unavailable",
      toolError({ structuredContent: { error: plain("unavailable", "busy") } }),
      plain("unavailable", "busy"),
    ],
    [
      "unauthenticated as a code",
      toolError({ structuredContent: { error: plain("unauthenticated", "who?") } }),
      plain("unauthenticated", "who?"),
      "unauthenticated",
    ],
    [
      "forbidden",
      toolError({ structuredContent: { error: plain("forbidden", "denied") } }),
      plain("forbidden", "denied"),
    ],
    ["of JSON-RPC with the hub's object", rpcFailure(-32602, "x", { error: hubError }), hubError],
    ["JSON-RPC -32602", rpcFailure(-32602, "bad params"), plain("invalid_argument", "bad params")],
    ["JSON-RPC unknown tool", rpcFailure(-32602, "Unknown tool: x"), plain("not_found", "Unknown tool: x")],
    ["JSON-RPC tool not found", rpcFailure(-32602, "Tool x not found"), plain("not_found", "Tool x not found")],
    ["JSON-RPC -32002", rpcFailure(-32002, "gone"), plain("not_found", "gone")],
    ["JSON-RPC -32603", rpcFailure(-32603, "boom"), plain("internal", "boom")],
    ["JSON-RPC on HTTP 404", rpcFailure(-32601, "no such method", undefined, 404), plain("internal", "no such method")],
    ["JSON-RPC on HTTP 400", rpcFailure(-32602, "bad params", undefined, 400), plain("invalid_argument", "bad params")],
    [
      "a problem document",
      () => problem(429, { detail: "too many", code: "rate_limited", retryable: false, details: { cap: 2 } }),
      { code: "rate_limited", message: "too many", retryable: false, details: { cap: 2 } },
    ],
    [
      "a problem document with 401",
      () => problem(401, { detail: "bad token", code: "unauthenticated", retryable: false, details: {} }),
      plain("unauthenticated", "bad token"),
      "unauthenticated",
    ],
    [
      "HTTP 401 with another code",
      () => problem(401, { detail: "no", code: "forbidden", retryable: false, details: {} }),
      plain("forbidden", "no"),
      "unauthenticated",
    ],
  ];
  test.each(cases)("%s", async (_title, respond, error, reason = "refused") => {
    using remote = openScriptedHub(respond);
    const failure = await failureOf(callTool(hubAt(remote.url), "x", {}));
    expect(failure.error).toEqual(error as typeof failure.error);
    expect(failure.reason).toBe(reason as typeof failure.reason);
  });

  test.each([
    [301, "internal"],
    [302, "internal"],
    [400, "invalid_argument"],
    [401, "unauthenticated"],
    [403, "forbidden"],
    [404, "not_found"],
    [405, "internal"],
    [409, "conflict"],
    [413, "payload_too_large"],
    [429, "rate_limited"],
    [500, "internal"],
    [502, "internal"],
    [503, "unavailable"],
  ])("HTTP %d without a problem document is %s", async (status, code) => {
    using remote = openScriptedHub(() => new Response("<html>", { status, headers: { Location: "/elsewhere" } }));
    const failure = await failureOf(callTool(hubAt(remote.url), "x", {}));
    expect(failure.error).toEqual(plain(code, `${remote.url}/mcp answered ${status}`));
    expect(failure.reason).toBe(status === 401 ? "unauthenticated" : "refused");
    expect(remote.requests).toHaveLength(1);
  });

  test.each([
    ["a page", () => new Response("<html>")],
    ["nothing", () => new Response("")],
    ["other JSON", () => Response.json({ hello: 1 })],
    ["a message that is no answer", () => Response.json({ jsonrpc: "2.0", id: 1 })],
  ])("HTTP 200 with %s", async (_title, respond) => {
    using remote = openScriptedHub(respond);
    const { error, reason } = await failureOf(callTool(hubAt(remote.url), "x", {}));
    expect(error.code).toBe("internal");
    expect(error.message).toStartWith(`${remote.url}/mcp answered `);
    expect(reason).toBe("refused");
  });
});

describe("unreachable", () => {
  async function expectUnreachable(work: Promise<unknown>, endpoint: string, cause: string): Promise<void> {
    const { error, reason } = await failureOf(work);
    const message = `${endpoint} is unreachable: ${cause}`;
    expect(error).toEqual({ code: "unavailable", message, retryable: true, details: {} });
    expect(reason).toBe("unreachable");
  }

  test("connection refused", async () => {
    const url = closedUrl();
    await expectUnreachable(callTool(hubAt(url), "x", {}), `${url}/mcp`, "connection refused");
  });

  test("no answer within the timeout", async () => {
    using remote = openScriptedHub(() => new Promise<Response>(() => undefined));
    await expectUnreachable(callTool(hubAt(remote.url, 20), "x", {}), `${remote.url}/mcp`, "timed out");
  });

  test("an answer that never ends within the timeout", async () => {
    const open = () => new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
    using remote = openScriptedHub(() => new Response(open()));
    await expectUnreachable(callTool(hubAt(remote.url, 20), "x", {}), `${remote.url}/mcp`, "timed out");
  });

  test("a stream that ends without the answer", async () => {
    using remote = openScriptedHub(() => streamed("data: {}\n\n"));
    await expectUnreachable(callTool(hubAt(remote.url), "x", {}), `${remote.url}/mcp`, "connection lost");
  });

  test("a connection cut before the answer", async () => {
    using cut = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: (socket) => void socket.end() } });
    const url = `http://127.0.0.1:${cut.port}`;
    await expectUnreachable(callTool(hubAt(url), "x", {}), `${url}/mcp`, "connection lost");
  });

  test.each([
    ["ENOTFOUND", "name not found"],
    ["EAI_AGAIN", "name not found"],
    ["ETIMEDOUT", "timed out"],
    ["EHOSTUNREACH", "could not connect"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate not trusted"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate not trusted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate not trusted"],
    ["EOTHER", "first line"],
  ])("%s is %s", (code, expected) => {
    expect(shortCause(Object.assign(new TypeError("first line\nat stack"), { code }))).toBe(expected);
  });
});

describe("tools/list", () => {
  const tool = (name: string) => ({ name, description: "d", inputSchema: { type: "object" } });

  test("follows every page in order, and keeps name, description and schema", async () => {
    using remote = openScriptedHub(({ body }) => {
      const isSecond = JSON.stringify(body).includes('"cursor":"next"');
      if (isSecond) return rpcAnswer({ result: { tools: [tool("b")] } });
      return rpcAnswer({ result: { tools: [{ ...tool("a"), title: "A", annotations: {} }], nextCursor: "next" } });
    });
    expect(await listTools(hubAt(remote.url))).toEqual([tool("a"), tool("b")]);
    expect(remote.requests.map(({ headers }) => headers.get("mcp-method"))).toEqual(["tools/list", "tools/list"]);
    expect(remote.requests[0]?.headers.has("mcp-name")).toBe(false);
  });

  test("a cursor that never ends is refused", async () => {
    using remote = openScriptedHub(() => rpcAnswer({ result: { tools: [], nextCursor: "again" } }));
    const { error } = await failureOf(listTools(hubAt(remote.url)));
    expect(error.message).toContain("more than 100 pages");
    expect(remote.requests).toHaveLength(100);
  });

  test("an answer without tools is refused", async () => {
    using remote = openScriptedHub(() => rpcAnswer({ result: {} }));
    expect((await failureOf(listTools(hubAt(remote.url)))).error.code).toBe("internal");
  });
});

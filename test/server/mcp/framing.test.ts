// /mcp at the level of HTTP and JSON-RPC (mcp-tools.md 1, 4.3; rest-api.md 24): which status, which code, on which line.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { mcpBodyBytes } from "../../../src/shared/limits.ts";
import { openHttpHub, problem, strangers } from "../http/requests.ts";
import { initializeMessage, lines, type McpHub, type Message, openMcpHub, resultOf, type Sent } from "./rpc.ts";

let mcp: McpHub;
beforeAll(async () => {
  mcp = await openMcpHub();
});
afterAll(() => mcp[Symbol.asyncDispose]());

const ping: Message = { id: 1, method: "ping" };
const whoami: Message = { id: 7, method: "tools/call", params: { name: "whoami" } };
const rpcError = (code: number, id: string | number | null = null): JsonObject => ({
  jsonrpc: "2.0",
  id,
  error: expect.objectContaining({ code, message: expect.any(String) }),
});
const plain: Sent = { headers: { accept: "application/json, text/event-stream" } };

describe("before JSON-RPC", () => {
  test("every stranger gets one 401, and its body is not looked at", async () => {
    await using http = await openHttpHub();
    const bodies = new Set<string>();
    for (const as of strangers) {
      for (const path of ["/mcp", "/mcp/", "/mcp?tools=nonsense"]) {
        const headers = { "content-type": "text/plain", "hub-connection": "nonsense", "mcp-session-id": "unknown" };
        const answer = await http.send("POST", path, { as, text: "{", headers });
        expect(answer.json).toEqual(problem("Unauthorized", 401, "unauthenticated"));
        const challenge = answer.headers.get("www-authenticate");
        const isSent = !["none", "basic", "empty"].includes(as);
        expect(challenge).toBe(`Bearer realm="agent-hub"${isSent ? ', error="invalid_token"' : ""}`);
        expect(challenge).not.toContain("resource_metadata");
        bodies.add(answer.text);
      }
    }
    expect(bodies.size).toBe(1);
  });

  test.each(["GET", "HEAD", "PUT", "PATCH", "OPTIONS"])("%s is 405", async (method) => {
    for (const path of ["/mcp", "/mcp/"]) {
      const headers = { authorization: `Bearer ${mcp.alice.token}`, accept: "text/event-stream" };
      const response = await fetch(`${mcp.url}${path}`, { method, headers });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, DELETE"]);
      if (method !== "HEAD")
        expect(await response.json()).toEqual(problem("Method Not Allowed", 405, "invalid_argument"));
    }
  });

  test("OPTIONS is 405 without a token too", async () => {
    expect((await fetch(`${mcp.url}/mcp`, { method: "OPTIONS" })).status).toBe(405);
  });

  test("/mcp/ is the same route, without a redirect", async () => {
    for (const line of lines) {
      const answer = await mcp.call(line, "whoami", {}, { path: "/mcp/" });
      expect(resultOf(answer)).toMatchObject({ actor: "alice" });
    }
  });

  test("a body over the cap is 413 as a problem document, by its declared length alone", async () => {
    const { hostname, port } = new URL(mcp.url);
    const answered = Promise.withResolvers<string>();
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, data) => answered.resolve(data.toString()),
        error: (_, error) => answered.reject(error),
      },
    });
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${mcp.alice.token}\r\nContent-Type: application/json\r\nContent-Length: ${mcpBodyBytes + 1}\r\n\r\n`,
    );
    const text = await answered.promise;
    socket.end();
    expect(text).toStartWith("HTTP/1.1 413 ");
    expect(JSON.parse(text.split("\r\n\r\n")[1] ?? "")).toEqual(
      problem("Payload Too Large", 413, "payload_too_large", { limit: mcpBodyBytes, actual: mcpBodyBytes + 1 }),
    );
  });

  test("a call larger than a REST body may be is read", async () => {
    const answer = await mcp.call("2025", "brain_put", {
      path: "/kv/x",
      content: "x".repeat(8_000_000),
      store: "session",
    });
    expect(answer.json).toMatchObject({ result: { isError: true } });
    expect(answer.text).toContain("payload_too_large");
  });
});

describe("the body", () => {
  test.each(["", "{", "not json", "\u0000", '{"jsonrpc":"2.0",}'])("%p is a parse error", async (body) => {
    for (const headers of [{}, { "mcp-protocol-version": "2026-07-28" }]) {
      const answer = await mcp.post(body, { headers });
      expect([answer.status, answer.json]).toEqual([400, rpcError(-32700)]);
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
  });

  test("that is no UTF-8 is a parse error, and not another text", async () => {
    const bytes = new Uint8Array([
      ...new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"x'),
      0xff,
      0x22,
      0x7d,
    ]);
    const headers = { authorization: `Bearer ${mcp.alice.token}`, "content-type": "application/json" };
    const response = await fetch(`${mcp.url}/mcp`, { method: "POST", headers, body: bytes });
    expect([response.status, await response.json()]).toEqual([400, rpcError(-32700)]);
  });

  test.each([
    "null",
    "5",
    '"text"',
    "{}",
    '{"id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":5}',
    "[]",
    "[5]",
  ])("%p is no request", async (body) => {
    const answer = await mcp.post(body);
    expect([answer.status, answer.json["error"]]).toMatchObject([400, { code: -32600 }]);
  });

  test.each(["text/plain", "application/xml", ""])("of type %p is 415", async (type) => {
    for (const line of lines) {
      const answer = await mcp.rpc(line, ping, { headers: { "content-type": type } });
      expect([answer.status, answer.json["error"]]).toMatchObject([415, { code: expect.any(Number) }]);
    }
  });

  test("of type JSON with parameters is taken", async () => {
    for (const line of lines) {
      const headers = { "content-type": "application/json; charset=utf-8" };
      expect(resultOf(await mcp.rpc(line, whoami, { headers }))).toMatchObject({ actor: "alice" });
    }
  });

  test("a notification and a response are 202 without a body", async () => {
    const bodies = [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } },
      { jsonrpc: "2.0", method: "notifications/made_up" },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } },
    ];
    for (const body of bodies) {
      const answer = await mcp.post(JSON.stringify(body), plain);
      expect([answer.status, answer.text]).toEqual([202, ""]);
    }
    const modern = await mcp.rpc("2026", { method: "notifications/cancelled", params: { requestId: 99 } });
    expect([modern.status, modern.text]).toEqual([202, ""]);
  });

  test("a batch is answered as one, in its order, and without what has no answer", async () => {
    const batch = [
      { jsonrpc: "2.0", ...ping },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", ...whoami, params: { name: "whoami", arguments: null, _meta: { progressToken: 1 } } },
      { jsonrpc: "2.0", id: "3", method: "nope" },
    ];
    const answer = await mcp.post(JSON.stringify(batch), plain);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(answer.text)).toMatchObject([
      { id: 1, result: {} },
      { id: 7, result: { structuredContent: { actor: "alice" } } },
      { id: "3", error: { code: -32601 } },
    ]);
    const silent = await mcp.post(JSON.stringify(batch.slice(1, 2)), plain);
    expect([silent.status, silent.text]).toEqual([202, ""]);
    const large = await mcp.post(JSON.stringify(Array.from({ length: 101 }, () => batch[0])), plain);
    expect([large.status, large.json["error"]]).toMatchObject([400, { code: -32600 }]);
  });
});

describe("the headers", () => {
  const unusable = [
    undefined,
    "",
    "application/json",
    "text/html",
    "text/event-stream",
    "*/*",
    "image/*;q=0",
    "garbage",
  ];

  test.each(unusable)("Accept %p is no reason to refuse, and gets JSON", async (accept) => {
    for (const line of lines) {
      const headers: Record<string, string> = { accept: accept ?? "" };
      const answer = await mcp.rpc(line, whoami, { headers });
      expect([line, answer.status, answer.headers.get("content-type")?.split(";")[0]]).toEqual([
        line,
        200,
        "application/json",
      ]);
      expect(resultOf(answer)).toMatchObject({ actor: "alice" });
    }
  });

  test("a protocol version nobody speaks is 400", async () => {
    for (const version of ["1999-01-01", "2024-01-01", "", "garbage"]) {
      for (const message of [ping, whoami]) {
        const answer = await mcp.rpc("2025", message, { headers: { "mcp-protocol-version": version } });
        expect([version, answer.status, answer.json["error"]]).toMatchObject([
          version,
          400,
          { code: expect.any(Number) },
        ]);
      }
    }
    const modern = await mcp.rpc(
      "2026",
      { ...whoami, params: { name: "whoami", _meta: { "io.modelcontextprotocol/protocolVersion": "2030-01-01" } } },
      { headers: { "mcp-protocol-version": "2030-01-01" } },
    );
    expect([modern.status, modern.json["error"]]).toMatchObject([
      400,
      { code: -32022, data: { supported: ["2026-07-28"], requested: "2030-01-01" } },
    ]);
  });

  test.each(["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "every revision of the 2025 line is spoken: %s",
    async (version) => {
      const params = { ...initializeMessage.params, protocolVersion: version };
      const opened = await mcp.rpc("2025", { ...initializeMessage, params });
      expect(opened.json).toMatchObject({ result: { protocolVersion: version } });
      const headers = { "mcp-protocol-version": version };
      expect((await mcp.rpc("2025", ping, { headers })).status).toBe(200);
      expect(resultOf(await mcp.rpc("2025", whoami, { headers }))).toMatchObject({ actor: "alice" });
    },
  );

  test("initialize for a revision nobody speaks settles on the newest of the line", async () => {
    for (const protocolVersion of ["1.0", "2026-07-28", "2099-01-01"]) {
      const answer = await mcp.rpc("2025", {
        ...initializeMessage,
        params: { ...initializeMessage.params, protocolVersion },
      });
      expect(answer.json).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
    }
  });

  test("of the 2026 revision must agree with the body", async () => {
    for (const headers of [
      { "mcp-method": "tools/list" },
      { "mcp-name": "version" },
      { "mcp-protocol-version": "2025-11-25" },
    ]) {
      const answer = await mcp.rpc("2026", whoami, { headers });
      expect([headers, answer.status, answer.json["error"]]).toMatchObject([
        headers,
        400,
        { code: expect.any(Number) },
      ]);
    }
  });
});

describe("tools=", () => {
  const names = (answer: { text: string }): string[] =>
    [...answer.text.matchAll(/\{"name":"([a-z_]+)","description"/g)].map(([, name = ""]) => name);
  const list: Message = { id: 1, method: "tools/list" };

  test("core lists the core tools, full and none every tool", async () => {
    const { tools } = mcp.hub.hub;
    for (const line of lines) {
      for (const query of ["", "?tools=full", "?other=1"]) {
        expect(names(await mcp.rpc(line, list, { query }))).toEqual(tools.map(({ name }) => name));
      }
      const core = names(await mcp.rpc(line, list, { query: "?tools=core" }));
      expect(core).toEqual(tools.filter((tool) => tool.core).map(({ name }) => name));
      const unlisted = tools.find((tool) => !core.includes(tool.name))?.name ?? "";
      const answer = await mcp.call(line, unlisted, {}, { query: "?tools=core" });
      expect(answer.json).toMatchObject({ result: { content: [{ type: "text" }] } });
    }
  });

  test.each(["", "Core", "all", "core,full"])("%p is 400", async (value) => {
    for (const line of lines) {
      const answer = await mcp.rpc(line, list, { query: `?tools=${value}` });
      expect([answer.status, answer.json["error"]]).toMatchObject([
        400,
        { data: { error: { code: "invalid_argument", details: { field: "tools", expected: "core or full" } } } },
      ]);
    }
  });
});

describe("methods", () => {
  test("an unknown one is -32601: 200 on the 2025 line, 404 on the 2026 revision", async () => {
    for (const method of ["nope", "tools/nope", "completion/complete", "resources/subscribe", "__proto__"]) {
      const old = await mcp.rpc("2025", { id: 5, method });
      expect([method, old.status, old.json]).toEqual([method, 200, rpcError(-32601, 5)]);
      const modern = await mcp.rpc("2026", { id: 5, method });
      expect([method, modern.status, modern.json]).toEqual([method, 404, rpcError(-32601, 5)]);
    }
  });

  test("initialize is none of the 2026 revision, server/discover none of the 2025 line", async () => {
    expect((await mcp.rpc("2026", initializeMessage)).json).toEqual(rpcError(-32601, 0));
    expect((await mcp.rpc("2025", { id: 1, method: "server/discover" })).json).toEqual(rpcError(-32601, 1));
  });

  test("malformed params are -32602, on either line and for every method", async () => {
    const malformed: Message[] = [
      { method: "tools/call", params: {} },
      { method: "tools/call", params: { name: 5 } },
      { method: "tools/call", params: { name: "whoami", arguments: [] } },
      { method: "tools/call", params: { name: "whoami", arguments: "x" } },
      { method: "tools/call" },
      { method: "resources/read", params: {} },
      { method: "tools/list", params: { cursor: 5 } },
    ];
    for (const message of malformed) {
      for (const line of lines) {
        const answer = await mcp.rpc(line, { id: 9, ...message });
        expect([line, message, answer.json]).toEqual([line, message, rpcError(-32602, 9)]);
      }
    }
    const initialize = await mcp.rpc("2025", { ...initializeMessage, params: {} });
    expect(initialize.json).toEqual(rpcError(-32602, 0));
  });

  test("arguments left out or null are none", async () => {
    for (const params of [{ name: "whoami" }, { name: "whoami", arguments: null }, { name: "whoami", arguments: {} }]) {
      for (const line of lines) {
        expect(resultOf(await mcp.rpc(line, { ...whoami, params }))).toMatchObject({ actor: "alice" });
      }
    }
  });

  test("ids come back as they were sent", async () => {
    for (const line of lines) {
      for (const id of [0, -1, 1, "1", "", "ünï", 2 ** 53 - 1]) {
        expect((await mcp.call(line, "whoami", {}, { id })).json["id"]).toBe(id);
      }
    }
  });

  test("a resource that is not there is an error by its line, with the hub's object", async () => {
    for (const [line, code] of [
      ["2025", -32002],
      ["2026", -32602],
    ] as const) {
      const params = { uri: "agenthub://nowhere" };
      const headers: Record<string, string> = line === "2026" ? { "mcp-name": params.uri } : {};
      const { error } = (await mcp.rpc(line, { id: 1, method: "resources/read", params }, { headers })).json;
      expect(error).toMatchObject({ code, data: { error: { code: "not_found", retryable: false, details: {} } } });
      const message = error !== null && typeof error === "object" && !Array.isArray(error) ? error["message"] : "";
      expect(JSON.stringify(error)).toContain(`"message":${JSON.stringify(message)},"retryable"`);
    }
  });
});

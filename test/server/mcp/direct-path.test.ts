// The direct path of tools/call answers what the SDKs answer, byte for byte: the same requests, well-formed and odd, go
// to two endpoints of one hub, of which one sends everything to the SDKs.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createApp } from "../../../src/server/http/app.ts";
import { readDirectCall } from "../../../src/server/mcp/direct-call.ts";
import { createMcpEndpoint, type McpEndpoint } from "../../../src/server/mcp/endpoint.ts";
import { isObject } from "../../../src/shared/json.ts";
import { openTestHub, type TestHub } from "../../support/hub.ts";

type Parts = Record<string, unknown>;
type Sent = { message: unknown; headers: Record<string, string> };
type Answer = { status: number; headers: [string, string][]; body: string };

const origin = "http://127.0.0.1:4300";
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

let hub: TestHub;
let token: string;
let sessionId: string;
let endpoints: McpEndpoint[];
let paths: ((sent: Sent) => Promise<Answer>)[];

beforeAll(async () => {
  hub = await openTestHub();
  await hub.project("shared");
  await hub.project("hidden", { confidential: true });
  const alice = await hub.agent("alice");
  token = alice.token;
  sessionId = await hub.connect(alice);
  endpoints = [createMcpEndpoint(hub.hub), createMcpEndpoint(hub.hub, () => undefined)];
  paths = endpoints.map((mcp) => {
    const app = createApp({
      hub: hub.hub,
      mcp,
      bound: () => "127.0.0.1:4300",
      peerOf: () => "127.0.0.1",
      keepOpen: () => undefined,
    });
    return async ({ message, headers }) => {
      const body = typeof message === "string" ? message : JSON.stringify(message);
      const response = await app.fetch(new Request(`${origin}/mcp`, { method: "POST", headers, body }));
      return { status: response.status, headers: [...response.headers].sort(), body: await response.text() };
    };
  });
});

afterAll(async () => {
  for (const endpoint of endpoints) await endpoint.close();
  await hub[Symbol.asyncDispose]();
});

/** Both answers, which are the same one. */
async function answerOf(sent: Sent): Promise<Answer> {
  const [direct, sdk] = await Promise.all(paths.map((path) => path(sent)));
  if (direct === undefined || sdk === undefined) throw new Error("two paths give two answers");
  expect(direct).toEqual(sdk);
  return direct;
}

function isDirect({ message, headers }: Sent): boolean {
  return readDirectCall(new Headers(headers), message) !== undefined;
}

function common(extra: Record<string, string>): Record<string, string> {
  return {
    host: "127.0.0.1:4300",
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...extra,
  };
}

function on2025(params: object, headers: Record<string, string> = {}): Sent {
  return { message: { jsonrpc: "2.0", id: 7, method: "tools/call", params }, headers: common(headers) };
}

function on2026(name: string, rest: object = {}, headers: Record<string, string> = {}): Sent {
  return {
    message: { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, _meta: meta, ...rest } },
    headers: common({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
      ...headers,
    }),
  };
}

// A key makes both paths of one append answer with the same event.
const append = (key: string, more: object = {}): object => ({
  project_id: "shared",
  kind: "signal",
  summary: 'done "so far" \u2028 \ud83d\ude80 \ud800',
  payload: { __proto__: null, 1: [true, null], body: "line\nline" },
  idempotency_key: key,
  ...more,
});

const calls: [tool: string, args: object | undefined][] = [
  ["whoami", undefined],
  ["whoami", {}],
  ["whoami", { unknown: 1 }],
  ["version", {}],
  ["feed_read", { project_id: "shared" }],
  ["feed_read", { project_id: "hidden" }],
  ["feed_read", { project_id: 5 }],
  ["feed_read", {}],
  ["signal_append", append("one")],
  ["signal_append", append("one", { kind: "idea" })],
  ["signal_append", append("two", { kind: "nothing" })],
  ["signal_append", append("three", { summary: "x".repeat(2000) })],
  ["signal_append", { project_id: "shared", kind: "signal", summary: null, thread_id: null }],
  ["inbox_read", {}],
  ["session_start", { project_id: "shared", name: "not/allowed" }],
  ["no_such_tool", {}],
  ["", {}],
  ["toString", {}],
];

describe("a plain call goes the direct path and is answered alike", () => {
  test.each(calls)("%s", async (name, args) => {
    const params = args === undefined ? { name } : { name, arguments: args };
    const older = [
      on2025(params),
      on2025(params, { "mcp-protocol-version": "2025-11-25", "mcp-session-id": sessionId }),
      on2025(params, { "hub-connection": "7d444840-9dc0-11d1-b245-5ffdce74fad2" }),
      on2025({ ...params, _meta: {} }),
      on2025({ ...params, _meta: { progressToken: 3, "claudecode/toolUseId": "toolu_1" } }),
      on2025({ ...params, _meta: { progressToken: "p" } }, { accept: "application/json" }),
    ];
    for (const sent of older) {
      if (name !== "") expect(isDirect(sent)).toBe(true);
      expect((await answerOf(sent)).status).toBe(200);
    }
    if (name === "") return;
    const rest = args === undefined ? {} : { arguments: args };
    const capabilities = { roots: {}, elicitation: { form: {}, url: {} }, extensions: { "a/b": {} }, other: {} };
    const newer = [
      on2026(name, rest),
      on2026(name, { ...rest, _meta: { ...meta, "io.modelcontextprotocol/clientInfo": undefined } }),
      on2026(name, { ...rest, _meta: { ...meta, "io.modelcontextprotocol/clientCapabilities": capabilities } }),
      on2026(
        name,
        { ...rest, _meta: { ...meta, "vendor/x": [1] } },
        { "content-type": "application/json; charset=utf-8" },
      ),
    ];
    for (const sent of newer) {
      expect(isDirect(sent)).toBe(true);
      expect((await answerOf(sent)).status).toBe(200);
    }
  });

  test.each([0, -0, -5, 2 ** 53 - 1, "", "a", "7", '"\u2028\ud800'])("request id %j", async (id) => {
    for (const sent of [on2025({ name: "whoami" }), on2026("whoami")]) {
      const answer = await answerOf({ ...sent, message: { ...Object(sent.message), id } });
      expect(JSON.parse(answer.body).id).toBe(JSON.parse(JSON.stringify(id)));
    }
  });

  test("a caller whose connection is not known", async () => {
    const sent = on2025({ name: "whoami" }, { "mcp-session-id": "no-such-connection" });
    expect(isDirect(sent)).toBe(true);
    expect((await answerOf(sent)).status).toBe(404);
  });
});

describe("what is odd is left to the SDKs", () => {
  test.each<[string, (sent: Sent) => Sent]>([
    ["a batch", ({ message, headers }) => ({ message: [message], headers })],
    ["another member", ({ message, headers }) => ({ message: { ...Object(message), extra: 1 }, headers })],
    ["no id", ({ message, headers }) => ({ message: { ...Object(message), id: undefined }, headers })],
    ["an id with a fraction", ({ message, headers }) => ({ message: { ...Object(message), id: 1.5 }, headers })],
    [
      "another version of JSON-RPC",
      ({ message, headers }) => ({ message: { ...Object(message), jsonrpc: "1" }, headers }),
    ],
    ["another method", ({ message, headers }) => ({ message: { ...Object(message), method: "tools/list" }, headers })],
    ["no params", ({ message, headers }) => ({ message: { ...Object(message), params: undefined }, headers })],
  ])("%s", async (_, odd) => {
    for (const plain of [on2025({ name: "whoami", arguments: {} }), on2026("whoami")]) {
      const sent = odd(plain);
      expect(isDirect({ ...sent, message: JSON.parse(JSON.stringify(sent.message)) })).toBe(false);
      await answerOf(sent);
    }
  });

  test.each<[string, Sent]>([
    ["a task", on2025({ name: "whoami", task: { ttl: 1 } })],
    ["a related task", on2025({ name: "whoami", _meta: { "io.modelcontextprotocol/related-task": { taskId: "t" } } })],
    ["a progress token with a fraction", on2025({ name: "whoami", _meta: { progressToken: 1.5 } })],
    ["arguments that are a list", on2025({ name: "whoami", arguments: [] })],
    ["arguments that are null", on2025({ name: "whoami", arguments: null })],
    ["a number as name", on2025({ name: 5 })],
    ["an unknown revision", on2025({ name: "whoami" }, { "mcp-protocol-version": "2024-01-01" })],
    ["the newest revision without its envelope", on2025({ name: "whoami" }, { "mcp-protocol-version": "2026-07-28" })],
    ["no header for the revision", on2026("whoami", {}, { "mcp-protocol-version": "" })],
    ["another name in the header", on2026("whoami", {}, { "mcp-name": "version" })],
    ["an encoded name in the header", on2026("whoami", {}, { "mcp-name": `=?base64?${btoa("whoami")}?=` })],
    ["a name that looks encoded", on2026("=?base64?d2hvYW1p?=")],
    ["another method in the header", on2026("whoami", {}, { "mcp-method": "tools/list" })],
    ["a strange content type", on2026("whoami", {}, { "content-type": "application/json;charset" })],
    ["a progress token", on2026("whoami", { _meta: { ...meta, progressToken: 1 } })],
    ["a state to go on from", on2026("whoami", { requestState: "s" })],
    ["no capabilities", on2026("whoami", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } })],
    [
      "a wrong capability",
      on2026("whoami", {
        _meta: { ...meta, "io.modelcontextprotocol/clientCapabilities": { roots: { listChanged: {} } } },
      }),
    ],
    [
      "a client without a version",
      on2026("whoami", { _meta: { ...meta, "io.modelcontextprotocol/clientInfo": { name: "x" } } }),
    ],
    [
      "another revision",
      on2026("whoami", { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "2027-01-01" } }),
    ],
    ["a log level", on2026("whoami", { _meta: { ...meta, "io.modelcontextprotocol/logLevel": "info" } })],
  ])("%s", async (_, sent) => {
    expect(isDirect(sent)).toBe(false);
    const { headers, message } = sent;
    // The table was made before there was a token.
    await answerOf({ message, headers: { ...headers, authorization: `Bearer ${token}` } });
  });

  test("a member named __proto__", async () => {
    const message =
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"whoami","arguments":{"__proto__":1}}}';
    const sent = { message, headers: on2025({}).headers };
    expect(readDirectCall(new Headers(sent.headers), JSON.parse(message))).toBeUndefined();
    await answerOf(sent);
  });
});

// What may be put in place of a part of a plain request; undefined leaves the part out.
const replacements: Record<"top" | "params" | "meta" | "headers", Record<string, readonly unknown[]>> = {
  top: {
    jsonrpc: [undefined, "1.0", 2],
    id: [undefined, "a", "", 1.5, null, true, 2 ** 60],
    method: [undefined, "tools/list", "ping", "initialize", "notifications/cancelled", 1],
    params: [undefined, null, [], "x", {}],
    result: [{}],
    error: [{ code: 1, message: "x" }],
    extra: [1],
  },
  params: {
    name: [undefined, "version", "nope", "", "=?base64?d2hvYW1p?=", 5, null],
    arguments: [undefined, {}, { a: 1 }, null, [], "x"],
    _meta: [undefined, {}, meta, null, []],
    task: [{}, { ttl: "x" }, null],
    requestState: ["s", 1],
    inputResponses: [{}, []],
    extra: [1],
  },
  meta: {
    "io.modelcontextprotocol/protocolVersion": [undefined, "2026-07-28", "2025-11-25", "2027-01-01", null, 5],
    "io.modelcontextprotocol/clientCapabilities": [
      undefined,
      {},
      { roots: {} },
      { roots: { listChanged: true } },
      null,
      [],
    ],
    "io.modelcontextprotocol/clientInfo": [undefined, { name: "a", version: "1", title: "A" }, { name: "a" }, null],
    "io.modelcontextprotocol/logLevel": ["info", "loud"],
    "io.modelcontextprotocol/related-task": [{ taskId: "t" }, {}, null],
    "io.modelcontextprotocol/other": [1],
    progressToken: [1, "p", 1.5, null],
    vendor: [1, null, {}],
  },
  headers: {
    "mcp-protocol-version": [undefined, "2026-07-28", "2025-11-25", "2024-10-07", "junk", " 2026-07-28 "],
    "mcp-method": [undefined, "tools/call", "tools/list"],
    "mcp-name": [undefined, "whoami", "version", " whoami ", "=?base64?d2hvYW1p?=", "=?base64?*?="],
    "mcp-session-id": ["none", undefined],
    "content-type": [
      undefined,
      "APPLICATION/JSON",
      "application/json;charset=utf-8",
      "application/json;x",
      "text/plain",
    ],
    accept: [undefined, "application/json", "text/event-stream", "text/html"],
  },
};

test("any mix of right and wrong parts is answered alike", async () => {
  const replacement = fc.constantFrom(
    ...Object.entries(replacements).flatMap(([where, parts]) =>
      Object.entries(parts).flatMap(([key, values]) => values.map((value) => ({ where, key, value }))),
    ),
  );
  let direct = 0;
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(replacement, { maxLength: 3 }), async (isNew, changes) => {
      const plain = isNew ? on2026("whoami", { arguments: {} }) : on2025({ name: "whoami", arguments: {}, _meta: {} });
      // Cut loose from the constants it is made of.
      const { message, headers } = structuredClone(plain) as { message: Parts; headers: Parts };
      for (const { where, key, value } of changes) {
        const params = message["params"];
        const target = { top: message, headers, params, meta: isObject(params) ? params["_meta"] : undefined }[where];
        if (isObject(target)) target[key] = value;
      }
      const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const sent = { message: JSON.parse(JSON.stringify(message)), headers: Object.fromEntries(given) };
      if (isDirect(sent)) direct += 1;
      await answerOf(sent);
    }),
    { numRuns: 1000 },
  );
  // The mix is worth something only when both ways are taken often.
  expect(direct).toBeGreaterThan(100);
  expect(direct).toBeLessThan(900);
}, 30_000);

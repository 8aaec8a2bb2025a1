// What the hub counts of itself (operations.md 13): every family, every label of a closed set from the start, each thing
// once, and nothing a caller sent.
import { describe, expect, test } from "bun:test";
import { createCounter, createMetrics } from "../../../src/kernel/metrics.ts";
import { escaped } from "../../../src/server/http/metrics.ts";
import { errorCodes } from "../../../src/shared/errors.ts";
import { eventKinds } from "../../../src/shared/views.ts";
import { eventually } from "../../support/proxy-harness.ts";
import { type McpHub, openMcpHub } from "../mcp/rpc.ts";

type Page = { status: number; headers: Headers; text: string; value(series: string): number | undefined };

async function scrape(http: McpHub): Promise<Page> {
  const response = await fetch(`${http.url}/metrics`, {
    headers: { authorization: `Bearer ${http.hub.operator.token}` },
  });
  const text = await response.text();
  const values = new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
  return {
    status: response.status,
    headers: response.headers,
    text,
    value: (series) => values.get(`agenthub_${series}`),
  };
}

/** What a series grew by while something was done; the scrape itself is a GET that succeeds. */
async function growth(http: McpHub, series: readonly string[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await scrape(http);
  await work();
  const after = await scrape(http);
  return series.map((name) => (after.value(name) ?? Number.NaN) - (before.value(name) ?? Number.NaN));
}

const requests = (method: string, status: string): string =>
  `http_requests_total{method="${method}",status_class="${status}"}`;
const errors = (code: string): string => `errors_total{code="${code}"}`;
const calls = (tool: string): string => `tool_calls_total{tool="${tool}"}`;

test("the page lists every family with its help and type, and closed sets whole, before anything happened", async () => {
  await using http = await openMcpHub();
  const page = await scrape(http);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  const families = [...page.text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  expect(families).toEqual([
    "agenthub_http_requests_total counter",
    "agenthub_errors_total counter",
    "agenthub_events_total counter",
    "agenthub_tool_calls_total counter",
    "agenthub_notify_sends_total counter",
    "agenthub_blobs_collected_total counter",
    "agenthub_data_volume_free_bytes gauge",
    "agenthub_hub_db_bytes gauge",
    "agenthub_hub_wal_bytes gauge",
    "agenthub_blob_bytes gauge",
    "agenthub_blobs gauge",
  ]);
  expect([...page.text.matchAll(/^# HELP (\S+) \S/gm)].length).toBe(families.length);
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "OTHER"]) {
    for (const status of ["1xx", "2xx", "3xx", "4xx", "5xx"]) expect(page.value(requests(method, status))).toBeNumber();
  }
  for (const code of errorCodes) expect(page.value(errors(code))).toBe(0);
  for (const kind of eventKinds) expect(page.value(`events_total{kind="${kind}"}`)).toBeNumber();
  for (const result of ["delivered", "failed"]) expect(page.value(`notify_sends_total{result="${result}"}`)).toBe(0);
  for (const tool of http.hub.hub.tools) expect(page.value(calls(tool.name))).toBe(0);
  expect(page.value(calls("<unknown>"))).toBe(0);
  expect(page.text).not.toContain("integrity");
  expect(page.value("hub_db_bytes")).toBeGreaterThan(0);
  expect(page.value("data_volume_free_bytes")).toBeGreaterThan(0);
});

test("is the operator's alone", async () => {
  await using http = await openMcpHub();
  for (const token of [http.alice.token, "garbage", ""]) {
    const answer = await fetch(`${http.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([401, "application/problem+json"]);
  }
});

describe("requests", () => {
  test("are counted by method and class, on every address, /mcp and refused ones among them", async () => {
    await using http = await openMcpHub();
    const send = (method: string, path: string, token = http.hub.operator.token) =>
      fetch(`${http.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
    const grew = await growth(
      http,
      [
        requests("GET", "2xx"),
        requests("GET", "4xx"),
        requests("POST", "2xx"),
        requests("POST", "4xx"),
        requests("DELETE", "4xx"),
        requests("HEAD", "2xx"),
        requests("OPTIONS", "4xx"),
        requests("OTHER", "4xx"),
        requests("PUT", "4xx"),
        errors("not_found"),
        errors("unauthenticated"),
        errors("invalid_argument"),
      ],
      async () => {
        await send("GET", "/healthz");
        await send("GET", "/api/v1/version");
        await send("GET", "/nope");
        await http.call("2025", "version");
        await send("POST", "/mcp", "garbage");
        await send("POST", "/api/v1/nope");
        await send("DELETE", "/mcp");
        await send("HEAD", "/healthz");
        await send("OPTIONS", "/api/v1/version");
        await send("PROPFIND", "/nope");
        await send("PUT", "//odd");
      },
    );
    // The first scrape counts itself once it is answered.
    expect(grew).toEqual([3, 1, 1, 2, 1, 1, 1, 1, 1, 5, 1, 1]);
  });
});

describe("tool calls and their errors", () => {
  test.each(["2025", "2026"] as const)("%s: each once, an unknown name under one label", async (line) => {
    await using http = await openMcpHub();
    const evil = 'x"} 1\nagenthub_forged 1';
    const grew = await growth(
      http,
      [
        calls("version"),
        calls("feed_read"),
        calls("<unknown>"),
        errors("forbidden"),
        errors("not_found"),
        errors("invalid_argument"),
        requests("POST", "2xx"),
      ],
      async () => {
        await http.call(line, "version");
        await http.call(line, "version");
        await http.call(line, "feed_read", { project_id: "nowhere" });
        await http.call(line, "feed_read", { project_id: 5 });
        await http.call(line, evil.replaceAll("\n", " "));
        await http.call(line, "nope");
      },
    );
    expect(grew).toEqual([2, 2, 2, 1, 2, 1, 6]);
    expect((await scrape(http)).text).not.toContain("forged");
  });

  test.each(["2025", "2026"] as const)("%s: a resource that is not there is one error", async (line) => {
    await using http = await openMcpHub();
    const message = { id: 1, method: "resources/read", params: { uri: "agenthub://nope" } };
    let status = 0;
    const names = [errors("not_found"), errors("invalid_argument")];
    const grew = await growth(http, names, async () => {
      ({ status } = await http.rpc(line, message, { headers: { "mcp-name": "agenthub://nope" } }));
    });
    expect([status < 300, grew]).toEqual([true, [1, 0]]);
  });
});

test("events are counted once they are written, audit records too", async () => {
  await using http = await openMcpHub();
  const kinds = ["signal", "question", "answer", "session", "system", "idea"].map(
    (kind) => `events_total{kind="${kind}"}`,
  );
  const grew = await growth(http, kinds, async () => {
    await http.alice.call("signal_append", { project_id: "p", kind: "signal", summary: "x" });
    const key = { project_id: "p", kind: "idea", summary: "x", idempotency_key: "k" };
    await http.alice.call("signal_append", key);
    await http.alice.call("signal_append", key);
    const asked = await http.alice.call("question_post", { project_id: "p", subject: "?" });
    await http.hub.rest("answerQuestion", { params: { id: String(asked["question_id"]) }, body: { body: "!" } });
    await http.alice.call("session_start", { project_id: "p", session_name: "s" });
    await http.hub.rest("revokeToken", { params: { id: "bob" } });
    await http.alice
      .call("signal_append", { project_id: "nowhere", kind: "signal", summary: "x" })
      .catch(() => undefined);
  });
  expect(grew).toEqual([1, 1, 1, 1, 1, 1]);
});

test("sends and their results", async () => {
  const answers = [204, 500];
  using target = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(null, { status: answers.shift() ?? 500 }),
  });
  await using http = await openMcpHub({ config: { notifyUrl: `http://127.0.0.1:${target.port}/secret` } });
  const names = ["delivered", "failed"].map((result) => `notify_sends_total{result="${result}"}`);
  const grew = await growth(http, names, async () => {
    await http.hub.rest("testNudge");
    await http.hub.rest("testNudge");
  });
  expect(grew).toEqual([1, 1]);
});

test("blobs that are kept and collected", async () => {
  await using http = await openMcpHub();
  const { hub, alice } = http;
  const connection = await hub.connect(alice);
  await alice.call("session_start", { project_id: "p", session_name: "s" }, { connection });
  const content = "a".repeat(20_000);
  await alice.call("brain_put", { store: "session", path: "/fs/a", content }, { connection });
  const kept = await scrape(http);
  expect([kept.value("blobs"), kept.value("blob_bytes")]).toEqual([1, content.length]);
  await alice.call("brain_delete", { store: "session", path: "/fs/a" }, { connection });
  const { createCollector } = await import("../../../src/features/upkeep/collect.ts");
  const collector = createCollector([{ table: "brain_entries", column: "blob", by: "id" }], () => false);
  const grew = await growth(http, ["blobs_collected_total", "blobs"], async () => {
    await collector.sweep(hub.hub.kernel.services);
    hub.clock.now += 700_000;
    await collector.sweep(hub.hub.kernel.services);
  });
  expect(grew).toEqual([1, -1]);
});

test("the integrity sample, once there is one", async () => {
  await using http = await openMcpHub();
  http.hub.hub.kernel.services.metrics.integrity = { isOk: true, failures: 0 };
  const well = await scrape(http);
  expect([well.value("integrity_ok"), well.value("integrity_failures_total")]).toEqual([1, 0]);
  http.hub.hub.kernel.services.metrics.integrity = { isOk: false, failures: 2 };
  const ill = await scrape(http);
  expect([ill.value("integrity_ok"), ill.value("integrity_failures_total")]).toEqual([0, 2]);
});

test("labels are escaped, and past 256 names the rest is one", () => {
  expect(escaped('a\\b"c\nd')).toBe('a\\\\b\\"c\\nd');
  const names = Array.from({ length: 300 }, (_, n) => `tool-${n}`);
  const { calls: counter } = createMetrics({ events: [], tools: names });
  for (const name of names) counter.add(name);
  const samples = counter.samples();
  expect(samples.length).toBe(256);
  expect(samples.at(-1)).toEqual({ labels: { tool: "<other>" }, value: 46 });
  expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(300);
});

test("counting takes next to no time", () => {
  const counter = createCounter("kind", eventKinds);
  const { requests: counted } = createMetrics({ events: [], tools: [] });
  const rounds = 1_000_000;
  const since = performance.now();
  for (let n = 0; n < rounds; n += 1) {
    counter.add("signal");
    counted.add("POST", 200);
  }
  // Far below a microsecond; the bound leaves room for a busy machine.
  expect((performance.now() - since) / rounds).toBeLessThan(0.002);
});

test("/hub tells of the hub itself, of calls that were refused and of the last nudge", async () => {
  using target = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const notifyUrl = `http://127.0.0.1:${target.port}/topic?title=x`;
  await using http = await openMcpHub({ config: { notifyUrl, enrol: false, enrolPendingTtlSecs: 77 } });
  const before = await http.hub.hub.kernel.services.now();
  const read = async () => {
    const answer = await fetch(`${http.url}/api/v1/hub`, {
      headers: { authorization: `Bearer ${http.hub.operator.token}` },
    });
    const text = await answer.text();
    return { text, body: Object(JSON.parse(text)) };
  };
  const first = await read();
  expect(first.body).toEqual({
    version: expect.any(String),
    commit: null,
    build: expect.any(String),
    node: { host: http.hub.hub.config.nodeName, mode: "local" },
    started_at: new Date(before).toISOString(),
    public_url: null,
    mcp_url: `${http.url}/mcp`,
    data_path: http.hub.dataDir,
    schema_version: expect.any(Number),
    features: { enrol: false, notify: true, backups: false },
    limits: {
      body_bytes: 4194304,
      artifact_bytes: 52428800,
      page_bytes: 1048576,
      brain_value_bytes: 4194304,
      note_chars: 2000,
      comment_chars: 2000,
      handoff_chars: 4096,
    },
    enrol_ttl_secs: 77,
    notify: { origin: `http://127.0.0.1:${target.port}`, last_result: null, last_at: null },
    refused_calls: { count: 0, last_at: null },
  });
  expect(first.text).not.toContain("topic");

  await http.post("{}", { token: "garbage" });
  await http.post("{}", { token: "garbage", path: "/mcp/" });
  await fetch(`${http.url}/api/v1/version`);
  http.hub.clock.now += 5000;
  await http.alice.call("question_post", { project_id: "p", subject: "?" });
  await eventually("the nudge", () => http.hub.hub.kernel.services.metrics.lastSend.at !== null);
  const second = await read();
  expect(second.body.refused_calls).toEqual({ count: 2, last_at: new Date(before).toISOString() });
  expect(second.body.notify).toMatchObject({
    last_result: "delivered",
    last_at: new Date(before + 5000).toISOString(),
  });
});

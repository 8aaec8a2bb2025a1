// Work is counted, not timed: how many statements one call costs over MCP, token and connection included. A number that
// grows is a decision, to be made and explained here.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Caller, openTestHub, type TestHub } from "../support/hub.ts";
import { recordStatements } from "../support/statements.ts";

type Work = { reads: string[]; writes: string[] };

let hub: TestHub;
let alice: Caller;
let url: string;
let connection: string;

beforeAll(async () => {
  hub = await openTestHub();
  await hub.project("shared");
  await hub.project("hidden", { confidential: true });
  alice = await hub.agent("alice");
  await hub.rest("createGrant", { params: { id: "alice" }, body: { agent_id: "alice", project_id: "hidden" } });
  connection = await hub.connect(alice);
  url = await hub.listen();
  // The first call of an agent is noted, and looks whether something is pending for it.
  await work("whoami", {});
  await hub.hub.kernel.services.touches.flush();
});
afterAll(() => hub[Symbol.asyncDispose]());

/** What the second of two equal calls asks of the store. */
async function work(name: string, args: object, headers: Record<string, string> = {}): Promise<Work> {
  await call(name, args, headers);
  using recording = await recordStatements(hub);
  await call(name, args, headers);
  const all = recording.statements.map(({ sql }) => sql.trim());
  const reads = all.filter((sql) => sql.startsWith("SELECT"));
  return { reads, writes: all.filter((sql) => !reads.includes(sql)) };
}

async function call(name: string, args: object, headers: Record<string, string>): Promise<void> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${alice.token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const text = await response.text();
  expect(text).not.toContain('"isError":true');
  expect(response.status).toBe(200);
}

const signal = (project_id: string) => ({ project_id, kind: "signal", summary: "done", payload: { body: "so far" } });
const connected = () => ({ "mcp-session-id": connection });

describe("whoami", () => {
  test("reads token, its agent, and the caller", async () => {
    const { reads, writes } = await work("whoami", {});
    expect(reads.length).toBeLessThanOrEqual(3);
    expect(writes).toEqual([]);
  });
  test("on a connection reads that too", async () => {
    const { reads, writes } = await work("whoami", {}, connected());
    expect(reads.length).toBeLessThanOrEqual(4);
    expect(writes).toEqual([]);
  });
});

describe("signal_append", () => {
  test("reads token, its agent, the project before and inside the job, and the ceiling", async () => {
    const { reads } = await work("signal_append", signal("shared"));
    expect(reads.length).toBeLessThanOrEqual(5);
  });
  test("on a connection reads that at the start and for its session", async () => {
    const { reads } = await work("signal_append", signal("shared"), connected());
    expect(reads.length).toBeLessThanOrEqual(7);
  });
  test("into a confidential project reads the grant as often as the project", async () => {
    const { reads } = await work("signal_append", signal("hidden"));
    expect(reads.length).toBeLessThanOrEqual(7);
  });
  test("writes the event and the project's totals; the index takes it in later", async () => {
    const { writes } = await work("signal_append", signal("shared"));
    const tables = writes.map((sql) => /^(?:INSERT INTO|UPDATE) (\w+)/.exec(sql)?.[1] ?? sql);
    expect(tables.filter((table) => table === "events")).toHaveLength(1);
    expect(tables.filter((table) => table === "event_totals")).toHaveLength(1);
    expect(tables.length).toBeLessThanOrEqual(2);
  });
  test("costs no more in a long feed", async () => {
    const short = await work("signal_append", signal("shared"), connected());
    await Promise.all(Array.from({ length: 300 }, () => call("signal_append", signal("shared"), {})));
    expect(await work("signal_append", signal("shared"), connected())).toEqual(short);
  });
});

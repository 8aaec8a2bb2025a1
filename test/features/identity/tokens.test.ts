// Tokens and what the hub notes of their use (rest-api.md 0.2, 2, 9), with real requests.
import { describe, expect, test } from "bun:test";
import { sha256 } from "../../../src/storage/blobs.ts";
import type { TestHub } from "../../support/hub.ts";
import { openTestHub } from "../../support/hub.ts";
import { objectsIn, rows, sql } from "../as-caller.ts";

type Client = {
  hub: TestHub;
  status(token: string, path?: string): Promise<number>;
  issue(id: string): Promise<string>;
};

async function openClient(hub: TestHub): Promise<Client> {
  const url = await hub.listen();
  return {
    hub,
    async status(token, path = "/api/v1/version") {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "whoami" } });
      const response = await fetch(`${url}${path}`, path === "/mcp" ? { method: "POST", headers, body } : { headers });
      await response.text();
      return response.status;
    },
    issue: async (id) => String((await hub.rest("issueToken", { params: { id } }))["token"]),
  };
}

async function seen(hub: TestHub, id: string) {
  await hub.hub.kernel.services.touches.flush();
  const agents = objectsIn(await hub.rest("listAgents"), "agents");
  const { first_seen_at, last_seen_at, first_call_at, last_refused_at, token_live } =
    agents.find((agent) => agent["id"] === id) ?? {};
  return { first_seen_at, last_seen_at, first_call_at, last_refused_at, token_live };
}

const minutes = 60_000;
const at = (ms: number): string => new Date(ms).toISOString();

describe("a token", () => {
  test("is stored as its hash alone", async () => {
    await using hub = await openTestHub();
    const { token } = await hub.agent("alice");
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(rows(hub, "SELECT hash FROM tokens")).toEqual([{ hash: sha256(new TextEncoder().encode(token)) }]);
    const everything = rows(hub, "SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) =>
      JSON.stringify(rows(hub, `SELECT * FROM "${name}"`)),
    );
    expect(everything.join("")).not.toContain(token);
    expect(hub.log.join("")).not.toContain(token);
  });

  test("dies at once when another is issued, on REST and MCP, also after a restart", async () => {
    await using hub = await openTestHub();
    const { token: old } = await hub.agent("alice");
    let client = await openClient(hub);
    for (const path of ["/api/v1/version", "/mcp"]) expect(await client.status(old, path)).toBe(200);
    const fresh = await client.issue("alice");
    for (const path of ["/api/v1/version", "/mcp"]) {
      expect([await client.status(old, path), await client.status(fresh, path)]).toEqual([401, 200]);
    }
    await hub.reopen();
    client = await openClient(hub);
    expect([await client.status(old), await client.status(fresh)]).toEqual([401, 200]);
    expect(rows(hub, "SELECT count(*) AS live FROM tokens WHERE revoked_at IS NULL")).toEqual([{ live: 1 }]);
  });

  test("of two issued at once one lives", async () => {
    await using hub = await openTestHub();
    await hub.agent("alice");
    const client = await openClient(hub);
    const issued = await Promise.all(Array.from({ length: 8 }, () => client.issue("alice")));
    const statuses = await Promise.all(issued.map((token) => client.status(token)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(issued).size).toBe(8);
  });

  test("of a pending agent resolves to nothing and leaves no trace of use", async () => {
    await using hub = await openTestHub();
    const { token } = await hub.agent("newcomer");
    await sql(hub, "UPDATE agents SET state = 'pending'");
    const client = await openClient(hub);
    expect(await client.status(token)).toBe(401);
    expect(await seen(hub, "newcomer")).toMatchObject({ first_seen_at: null, last_seen_at: null });
    await hub.rest("revokeToken", { params: { id: "newcomer" } });
    expect(await client.status(token)).toBe(401);
    expect(await seen(hub, "newcomer")).toMatchObject({ last_refused_at: null });
  });
});

describe("what the hub notes", () => {
  test("first and last seen: the first call, then at most once in five minutes", async () => {
    await using hub = await openTestHub();
    const { token } = await hub.agent("alice");
    const client = await openClient(hub);
    const start = hub.clock.now;
    expect(await seen(hub, "alice")).toEqual({
      first_seen_at: null,
      last_seen_at: null,
      first_call_at: null,
      last_refused_at: null,
      token_live: true,
    });
    await client.status(token);
    expect(await seen(hub, "alice")).toMatchObject({ first_seen_at: at(start), last_seen_at: at(start) });
    hub.clock.now = start + 5 * minutes - 1;
    await client.status(token);
    expect(await seen(hub, "alice")).toMatchObject({ last_seen_at: at(start) });
    hub.clock.now = start + 5 * minutes;
    await client.status(token);
    expect(await seen(hub, "alice")).toMatchObject({ first_seen_at: at(start), last_seen_at: at(hub.clock.now) });
  });

  test("the first tool call, which REST is not, once and across restarts", async () => {
    await using hub = await openTestHub();
    const { token } = await hub.agent("alice");
    let client = await openClient(hub);
    await client.status(token);
    expect(await seen(hub, "alice")).toMatchObject({ first_call_at: null });
    const first = hub.clock.now;
    await client.status(token, "/mcp");
    expect(await seen(hub, "alice")).toMatchObject({ first_call_at: at(first) });
    hub.clock.now += 60 * minutes;
    await hub.reopen();
    client = await openClient(hub);
    await client.status(token, "/mcp");
    expect(await seen(hub, "alice")).toMatchObject({ first_call_at: at(first), last_seen_at: at(hub.clock.now) });
  });

  test("the last call refused with a revoked token of the agent, and no other refusal", async () => {
    await using hub = await openTestHub();
    const { token: old } = await hub.agent("alice");
    const client = await openClient(hub);
    await client.status("0".repeat(64));
    const fresh = await client.issue("alice");
    await client.status(fresh);
    expect(await seen(hub, "alice")).toMatchObject({ last_refused_at: null });
    hub.clock.now += minutes;
    await client.status(old);
    expect(await seen(hub, "alice")).toMatchObject({ last_refused_at: at(hub.clock.now), token_live: true });
    hub.clock.now += minutes;
    await client.status(old, "/mcp");
    expect(await seen(hub, "alice")).toMatchObject({ last_refused_at: at(hub.clock.now) });
    await hub.rest("revokeToken", { params: { id: "alice" } });
    expect(await seen(hub, "alice")).toMatchObject({ token_live: false });
  });
});

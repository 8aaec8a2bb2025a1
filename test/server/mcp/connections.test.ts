// Connections over real HTTP (mcp-tools.md 1, 13.2; architecture.md 7): how one is named, whose it is, how long it lasts.
import { describe, expect, test } from "bun:test";
import { connectionIdleMs } from "../../../src/shared/limits.ts";
import { rows } from "../../features/as-caller.ts";
import { problem } from "../http/requests.ts";
import { errorOf, initializeMessage, lines, type McpHub, openMcpHub, resultOf, type Sent } from "./rpc.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ping = { id: 1, method: "ping" };
const gone = problem("Not Found", 404, "not_found");
const session = (id: string): Sent => ({ headers: { "mcp-session-id": id } });

const kept = (mcp: McpHub) =>
  rows(mcp.hub, "SELECT identity, id, client, protocol FROM connections ORDER BY created_at");
const start = (mcp: McpHub, sent: Sent, line: "2025" | "2026" = "2025") =>
  mcp.call(line, "session_start", { project_id: "p", session_name: "work" }, sent);
const note = (mcp: McpHub, sent: Sent, line: "2025" | "2026" = "2025") =>
  mcp.call(line, "brain_put", { path: "/kv/k", content: "v", store: "session" }, sent);

describe("initialize", () => {
  test("opens a connection with what the client said, and only that answer names it", async () => {
    await using mcp = await openMcpHub();
    const id = await mcp.initialize();
    expect(id).toMatch(uuid);
    expect(kept(mcp)).toEqual([{ identity: "alice", id, client: "raw", protocol: "2025-11-25" }]);
    for (const message of [ping, { method: "notifications/initialized" }]) {
      const answer = await mcp.rpc("2025", message, session(id));
      expect([answer.status < 300, answer.headers.get("mcp-session-id")]).toEqual([true, null]);
    }
    expect(await mcp.initialize(session(id))).not.toBe(id);
    expect(kept(mcp)).toHaveLength(2);
  });

  test("keeps the revision it settled on", async () => {
    await using mcp = await openMcpHub();
    for (const [asked, settled] of [
      ["2025-03-26", "2025-03-26"],
      ["1999-01-01", "2025-11-25"],
    ] as const) {
      const params = { ...initializeMessage.params, protocolVersion: asked };
      const answer = await mcp.rpc("2025", { ...initializeMessage, params });
      const row = kept(mcp).find(({ id }) => id === answer.headers.get("mcp-session-id"));
      expect(row?.["protocol"]).toBe(settled);
    }
  });

  test("that is refused opens none", async () => {
    await using mcp = await openMcpHub();
    for (const params of [{}, { protocolVersion: 5 }, { ...initializeMessage.params, clientInfo: "x" }]) {
      const answer = await mcp.rpc("2025", { ...initializeMessage, params });
      expect(answer.json).toMatchObject({ error: { code: -32602 } });
      expect(answer.headers.get("mcp-session-id")).toBeNull();
    }
    await mcp.rpc("2025", { method: "initialize", params: initializeMessage.params });
    expect(kept(mcp)).toEqual([]);
  });

  test("under Hub-Connection returns that uuid: one row, two names", async () => {
    await using mcp = await openMcpHub();
    const connection = crypto.randomUUID();
    expect(await mcp.initialize({ connection })).toBe(connection);
    expect(kept(mcp)).toEqual([{ identity: "alice", id: connection, client: "raw", protocol: "2025-11-25" }]);
    await start(mcp, session(connection));
    expect(resultOf(await note(mcp, { connection }))).toMatchObject({ ok: true });
  });
});

describe("Hub-Connection", () => {
  test.each(["nonsense", "", "123", `${crypto.randomUUID()}0`, `{${crypto.randomUUID()}}`])(
    "%p is 400",
    async (connection) => {
      await using mcp = await openMcpHub();
      for (const line of lines) {
        const answer = await mcp.rpc(line, ping, { connection });
        expect([answer.status, answer.json["error"]]).toMatchObject([400, { code: -32600 }]);
      }
      expect(kept(mcp)).toEqual([]);
    },
  );

  test("makes the connection on first use, on either line, and keeps its session across them", async () => {
    await using mcp = await openMcpHub();
    const connection = crypto.randomUUID();
    expect(resultOf(await start(mcp, { connection }, "2026"))).toMatchObject({ bound: true });
    expect(resultOf(await note(mcp, { connection: connection.toUpperCase() }, "2025"))).toMatchObject({ ok: true });
    expect(kept(mcp)).toEqual([{ identity: "alice", id: connection, client: null, protocol: null }]);
  });

  test("wins over whatever Mcp-Session-Id is sent beside it", async () => {
    await using mcp = await openMcpHub();
    const other = await mcp.initialize();
    const connection = crypto.randomUUID();
    await start(mcp, { connection });
    for (const id of [other, "unknown"]) {
      const sent = { connection, headers: { "mcp-session-id": id } };
      expect(resultOf(await note(mcp, sent))).toMatchObject({ ok: true });
    }
    expect(errorOf(await note(mcp, session(other)))).toMatchObject({ code: "conflict" });
  });

  test("of two identities is two connections", async () => {
    await using mcp = await openMcpHub();
    const connection = crypto.randomUUID();
    await start(mcp, { connection });
    expect(errorOf(await note(mcp, { connection, token: mcp.bob.token }))).toMatchObject({ code: "conflict" });
    expect(resultOf(await note(mcp, { connection }))).toMatchObject({ ok: true });
    expect(kept(mcp).map(({ identity, id }) => [identity, id])).toEqual([
      ["alice", connection],
      ["bob", connection],
    ]);
  });

  test("of many first calls at once is one connection, and none undoes what another did", async () => {
    await using mcp = await openMcpHub();
    const connection = crypto.randomUUID();
    const calls = Array.from({ length: 30 }, (_, index) => start(mcp, { connection }, lines[index % 2]));
    for (const answer of await Promise.all(calls)) expect(resultOf(answer)).toMatchObject({ bound: true });
    expect(kept(mcp)).toHaveLength(1);
    expect(resultOf(await note(mcp, { connection }))).toMatchObject({ ok: true });
  });
});

describe("Mcp-Session-Id", () => {
  test("that is unknown, ended or another identity's is the same 404", async () => {
    await using mcp = await openMcpHub();
    const [id, ended] = [await mcp.initialize(), await mcp.initialize()];
    const authorization = `Bearer ${mcp.alice.token}`;
    const url = `${mcp.url}/mcp`;
    const end = (headers: Record<string, string>) =>
      fetch(url, { method: "DELETE", headers: { authorization, ...headers } });
    expect((await end({ "mcp-session-id": ended })).status).toBe(200);
    const answers = [
      await mcp.rpc("2025", ping, session(ended)),
      await mcp.rpc("2025", ping, session(crypto.randomUUID())),
      await mcp.rpc("2025", ping, session("x")),
      await mcp.rpc("2025", ping, { ...session(id), token: mcp.bob.token }),
      await mcp.rpc("2025", ping, { ...session(id), token: mcp.hub.operator.token }),
      await mcp.call("2025", "whoami", {}, { ...session(id), token: mcp.bob.token }),
    ];
    for (const answer of answers) expect([answer.status, answer.json]).toEqual([404, gone]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await mcp.rpc("2025", ping, session(id))).status).toBe(200);
  });

  test("is nothing to the 2026 revision", async () => {
    await using mcp = await openMcpHub();
    const id = await mcp.initialize();
    for (const named of [id, "unknown"]) {
      expect(resultOf(await start(mcp, session(named), "2026"))).toMatchObject({ bound: false });
    }
  });
});

describe("DELETE", () => {
  test("ends the connection, however it is named; its session stays active", async () => {
    await using mcp = await openMcpHub();
    const connection = crypto.randomUUID();
    const opened = await mcp.initialize();
    await start(mcp, { connection });
    await mcp.call("2025", "session_start", { project_id: "p", session_name: "more" }, session(opened));
    const end = async (headers: Record<string, string>) => {
      const authorization = `Bearer ${mcp.alice.token}`;
      const response = await fetch(`${mcp.url}/mcp`, { method: "DELETE", headers: { authorization, ...headers } });
      return [response.status, await response.text()];
    };
    expect(await end({ "hub-connection": connection })).toEqual([200, ""]);
    expect(await end({ "mcp-session-id": opened })).toEqual([200, ""]);
    expect(kept(mcp)).toEqual([]);
    expect(rows(mcp.hub, "SELECT status FROM sessions")).toEqual([{ status: "active" }, { status: "active" }]);
    for (const headers of [{ "mcp-session-id": opened }, { "mcp-session-id": "x" }, {}]) {
      const [status, text] = await end(headers);
      expect([status, JSON.parse(String(text))]).toEqual([404, gone]);
    }
    expect((await end({ "hub-connection": "x" }))[0]).toBe(400);
  });

  test("of another's connection is 404 and leaves it", async () => {
    await using mcp = await openMcpHub();
    const id = await mcp.initialize();
    const headers = { authorization: `Bearer ${mcp.bob.token}`, "mcp-session-id": id };
    expect((await fetch(`${mcp.url}/mcp`, { method: "DELETE", headers })).status).toBe(404);
    expect(kept(mcp)).toHaveLength(1);
  });
});

describe("a caller without a connection", () => {
  test("is served, bound to nothing, and told so", async () => {
    await using mcp = await openMcpHub();
    for (const line of lines) {
      const started = resultOf(await start(mcp, {}, line));
      expect(started["bound"]).toBe(false);
      const error = errorOf(await note(mcp, {}, line));
      expect(error["message"]).toContain("pass session");
      expect(error).toMatchObject({ code: "conflict", details: {} });
      const ref = { session: { session_id: started["session_id"] ?? "" } };
      const args = { path: "/kv/k", content: line, store: "session", ...ref };
      expect(resultOf(await mcp.call(line, "brain_put", args))).toMatchObject({ ok: true });
    }
    expect(kept(mcp)).toEqual([]);
  });
});

describe("time and restarts", () => {
  test("a connection and its active session are there after a restart; only for their identity", async () => {
    await using mcp = await openMcpHub();
    const [opened, named] = [await mcp.initialize(), crypto.randomUUID()];
    await start(mcp, session(opened));
    await mcp.call("2026", "session_start", { project_id: "p", session_name: "more" }, { connection: named });
    await mcp.hub.reopen();
    expect(resultOf(await note(mcp, session(opened)))).toMatchObject({ ok: true });
    expect(resultOf(await note(mcp, { connection: named }, "2026"))).toMatchObject({ ok: true });
    const other = await mcp.rpc("2025", ping, { ...session(opened), token: mcp.bob.token });
    expect([other.status, other.json]).toEqual([404, gone]);
    expect(rows(mcp.hub, "SELECT name FROM sessions JOIN brain_entries ON session_id = id ORDER BY name")).toEqual([
      { name: "more" },
      { name: "work" },
    ]);
  });

  test("one idle for 7 days is gone, to the millisecond; use keeps it", async () => {
    await using mcp = await openMcpHub();
    const [idle, used] = [await mcp.initialize(), await mcp.initialize()];
    const begun = mcp.hub.clock.now;
    mcp.hub.clock.now = begun + connectionIdleMs - 1000;
    expect((await mcp.rpc("2025", ping, session(used))).status).toBe(200);
    await mcp.hub.hub.kernel.services.touches.flush();
    mcp.hub.clock.now = begun + connectionIdleMs;
    expect((await mcp.rpc("2025", ping, session(idle))).status).toBe(200);
    mcp.hub.clock.now = begun + connectionIdleMs + 1;
    await mcp.hub.hub.kernel.services.touches.flush();
    expect((await mcp.rpc("2025", ping, session(used))).status).toBe(200);
    // That last ping of the idle one was a use as well.
    mcp.hub.clock.now = begun + 2 * connectionIdleMs + 1;
    for (const id of [idle, used]) {
      const answer = await mcp.rpc("2025", ping, session(id));
      expect([answer.status, answer.json]).toEqual([404, gone]);
    }
  });

  test("a named one that was idle for 7 days starts afresh, without a session", async () => {
    await using mcp = await openMcpHub();
    const connection = crypto.randomUUID();
    await start(mcp, { connection });
    mcp.hub.clock.now += connectionIdleMs + 1;
    expect(errorOf(await note(mcp, { connection }))).toMatchObject({ code: "conflict" });
    expect(kept(mcp)).toHaveLength(1);
    expect(resultOf(await start(mcp, { connection }))).toMatchObject({ bound: true, resumed: true });
  });

  test("a rotated token keeps the connection, a revoked one is 401", async () => {
    await using mcp = await openMcpHub();
    const id = await mcp.initialize();
    await start(mcp, session(id));
    const { token } = await mcp.hub.rest("issueToken", { params: { id: "alice" } });
    expect((await note(mcp, session(id))).status).toBe(401);
    expect(resultOf(await note(mcp, { ...session(id), token: String(token) }))).toMatchObject({ ok: true });
  });
});

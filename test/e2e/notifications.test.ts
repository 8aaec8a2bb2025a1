// The trailer on the compiled binary: on every tool of both protocol lines, once across connections, rotations and
// crashes (mcp-tools.md 5, 22: 16 and 19).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/shared/json.ts";
import { createAgent } from "../support/agents.ts";
import { type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { validCalls, walkedProject } from "../support/every-tool.ts";
import { agentOverHttp, agentOverStdio, type McpAgent } from "../support/mcp-agents.ts";
import { callOnWire, wireCall, wireLines } from "../support/mcp-wire.ts";
import { operate } from "../support/operator.ts";
import { pendingOf } from "../support/trailer.ts";

const boundMs = 60_000;

let folder: TempDir;
let hub: RunningHub;
let alice: string;
let bob: string;

beforeEach(async () => {
  folder = await TempDir.create();
  hub = await startHub({ dataDir: `${folder.path}/data` });
  await operate(hub, "createProject", { body: { id: walkedProject, display_name: "P" } });
  alice = await createAgent(hub, "alice");
  bob = await createAgent(hub, "bob");
}, boundMs);
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function signal(summary: string): Promise<string> {
  const { content } = await callOnWire(hub.url, bob, "2025", "signal_append", {
    project_id: walkedProject,
    kind: "signal",
    summary,
  });
  return String(content["event_id"]);
}

async function restart(): Promise<void> {
  expect(await hub.kill()).toBe(137);
  const { dataDir, port } = hub;
  await hub[Symbol.asyncDispose]();
  hub = await startHub({ dataDir, port });
}

const idsOf = (content: JsonObject): string[] => pendingOf(content).map((entry) => String(entry["id"]));
const subscribe = (token: string): Promise<unknown> =>
  callOnWire(hub.url, token, "2025", "notify_subscribe", { kinds: ["signal"], actor: "bob" });
const told = async (token = alice): Promise<string[]> =>
  idsOf((await callOnWire(hub.url, token, "2025", "whoami")).content);

async function askAndAnswer(subject: string): Promise<string> {
  const { content } = await callOnWire(hub.url, alice, "2026", "question_post", { project_id: walkedProject, subject });
  const id = String(content["question_id"]);
  await operate(hub, "answerQuestion", { params: { id }, body: { body: "yes" } });
  return id;
}

test.each(wireLines)(
  "rides on every tool of the %s line, the same in both views, and on no error",
  async (line) => {
    await subscribe(alice);
    // A few tools ask for an active session.
    const connection = crypto.randomUUID();
    const call = (tool: string, args: object) => callOnWire(hub.url, alice, line, tool, args, { connection });
    const listing = await fetch(`${hub.url}/mcp`, {
      method: "POST",
      headers: { ...wireCall("2025", alice, "", {}).headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    const { result } = (await listing.json()) as { result: { tools: { name: string }[] } }; // the list of the protocol
    expect(result.tools.length).toBeGreaterThan(10);
    for (const { name } of result.tools) {
      const prepare = async (tool: string, args: object): Promise<JsonObject> => (await call(tool, args)).content;
      const args = await validCalls[name]?.(prepare);
      expect([name, args === undefined]).toEqual([name, false]);
      await told();
      const id = await signal(`beside ${name}`);
      const refused = await call(
        name,
        Object.fromEntries(Object.entries(args ?? {}).map(([key]) => [key, { not: "this" }])),
      );
      if (refused.isError) expect([name, Object.keys(refused.content)]).toEqual([name, ["error"]]);
      else expect([name, Object.keys(args ?? {})]).toEqual([name, []]);
      // A tool without arguments cannot be refused, so it has told by now.
      const answer = refused.isError ? await call(name, args ?? {}) : refused;
      expect([name, answer.status, answer.isError]).toEqual([name, 200, false]);
      expect([name, idsOf(answer.content).includes(id)]).toEqual([name, true]);
      expect(answer.text).toEqual(answer.content);
      expect([name, (await told()).includes(id)]).toEqual([name, false]);
    }
  },
  boundMs,
);

test(
  "comes once to an actor with many connections of both lines, over HTTP and through the proxy",
  async () => {
    const agents: McpAgent[] = [];
    try {
      agents.push(await agentOverHttp(hub.url, alice), await agentOverHttp(hub.url, alice));
      agents.push(await agentOverStdio(hub.url, alice), await agentOverStdio(hub.url, alice));
      await agents[0]?.call("notify_subscribe", { kinds: ["signal"] });
      for (let round = 0; round < 20; round += 1) {
        const ids = [await askAndAnswer(`q${round}`), await signal(`s${round}`)];
        const contents = await Promise.all([...agents, ...agents].map((agent) => agent.call("version")));
        expect(contents.map(idsOf).filter((list) => list.length > 0)).toEqual([ids]);
      }
    } finally {
      for (const agent of agents) await agent[Symbol.asyncDispose]();
    }
  },
  boundMs,
);

describe("across a crash", () => {
  test(
    "what was told stays told and what was not is told, a token rotation between",
    async () => {
      await subscribe(alice);
      const first = [await askAndAnswer("told before"), await signal("told before")];
      expect(await told()).toEqual(first);
      const due = [await askAndAnswer("due"), await signal("due")];
      await restart();
      const { token } = await operate(hub, "issueToken", { params: { id: "alice" } });
      expect((await callOnWire(hub.url, alice, "2025", "whoami")).status).toBe(401);
      expect(await told(String(token))).toEqual(due);
      await restart();
      expect(await told(String(token))).toEqual([]);
      const later = await signal("later");
      expect(await told(String(token))).toEqual([later]);
    },
    boundMs,
  );

  test(
    "in the middle of many calls, nothing is told twice and nothing that was not answered is lost",
    async () => {
      await subscribe(alice);
      const written: string[] = [];
      const heard: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        // Writers and readers at once; the hub dies under them.
        const enough = Promise.withResolvers<void>();
        const work = Array.from({ length: 120 }, async (_, index) => {
          try {
            if (index % 2 === 0) written.push(await signal(`${round} ${index}`));
            else heard.push(...(await told()));
          } catch {
            // Cut by the crash: a write that was not acknowledged may or may not be there.
          }
          if (index === 60) enough.resolve();
        });
        await enough.promise;
        await restart();
        await Promise.all(work);
      }
      for (let call = 0; call < 100; call += 1) {
        const more = await told();
        heard.push(...more);
        if (more.length === 0) break;
      }
      const acknowledged = written.filter((id) => id !== "undefined");
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(new Set(heard).size).toBe(heard.length);
      // A position is moved before its answer leaves, so a crash in between may lose the nudge, never repeat it; the
      // record is in the feed.
      const feed = await callOnWire(hub.url, alice, "2025", "feed_read", {
        project_id: walkedProject,
        since: "0",
        limit: 500,
      });
      const inFeed = (feed.content["events"] as { id: string }[]).map(({ id }) => id); // events by contract
      for (const id of acknowledged) expect(inFeed).toContain(id);
      for (const id of heard) expect(inFeed).toContain(id);
    },
    boundMs * 2,
  );
});

test(
  "what a missing grant hides is held back over restarts and told once the grant comes",
  async () => {
    await operate(hub, "createProject", { body: { id: "vault", display_name: "V", confidential: true } });
    await operate(hub, "createGrant", { params: { id: "bob" }, body: { agent_id: "bob", project_id: "vault" } });
    await subscribe(alice);
    const { content } = await callOnWire(hub.url, bob, "2026", "signal_append", {
      project_id: "vault",
      kind: "signal",
      summary: "hidden",
    });
    const open = await signal("open");
    expect(await told()).toEqual([open]);
    await restart();
    expect(await told()).toEqual([]);
    const waiting = callOnWire(hub.url, alice, "2026", "notify_wait", { wait_seconds: 55 });
    await operate(hub, "createGrant", { params: { id: "alice" }, body: { agent_id: "alice", project_id: "vault" } });
    const ended = await waiting;
    expect(ended.content["timed_out"]).toBe(false);
    expect(idsOf(ended.content)).toEqual([String(content["event_id"])]);
    expect(await told()).toEqual([]);
  },
  boundMs,
);

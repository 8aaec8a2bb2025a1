// The hub's main job from cold start to a crash and on, on the compiled binary with real clients. Read it as a story:
// an operator, two agents, a question, an answer, a SIGKILL in the middle of many writes, and everybody goes on.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/shared/json.ts";
import { type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { agentOverHttp, agentOverStdio, type McpAgent, ToolFailure } from "../support/mcp-agents.ts";
import { operate } from "../support/operator.ts";

const writesAtOnce = 400;
const inFlightAtKill = 32;
const pageSize = 500;

/** The operator makes an agent and hands out its token. */
async function enrolByHand(hub: RunningHub, id: string): Promise<string> {
  await operate(hub, "createAgent", { body: { id, display_name: `Agent ${id}` } });
  const { token } = await operate(hub, "issueToken", { params: { id } });
  return String(token);
}

/** Every event of the project, oldest first, read back page by page as the operator's agent tools do. */
async function wholeFeed(agent: McpAgent, projectId: string): Promise<JsonObject[]> {
  const events: JsonObject[] = [];
  let since = "0";
  for (let page = 0; page < 20; page += 1) {
    const answer = await agent.call("feed_read", { project_id: projectId, since, limit: pageSize });
    const batch = answer["events"] as JsonObject[]; // a list of events by contract
    events.push(...batch);
    if (batch.length < pageSize) return events;
    since = String(answer["next_since"]);
  }
  throw new Error("the feed does not end");
}

describe("an operator and two agents", () => {
  test("work, ask, answer, and go on after the hub was killed", async () => {
    await using folder = await TempDir.create();
    const dataDir = `${folder.path}/data`;
    await using hub = await startHub({ dataDir });

    // The operator makes a project and two agents.
    await operate(hub, "createProject", { body: { id: "homelab", display_name: "Home lab" } });
    const aliceToken = await enrolByHand(hub, "alice");
    const bobToken = await enrolByHand(hub, "bob");

    // Alice comes over HTTP with the 1.x client, Bob through the proxy with the 2.x client in the newest revision.
    await using alice = await agentOverHttp(hub.url, aliceToken);
    await using bob = await agentOverStdio(hub.url, bobToken);
    expect(alice.revision).toBe("2025-11-25");
    expect(bob.revision).toBe("2026-07-28");
    expect(await alice.call("whoami")).toMatchObject({ actor: "alice", admin: false });
    expect(await bob.call("whoami")).toMatchObject({ actor: "bob", admin: false });

    // Both open a session; later calls on their connections may leave it out.
    for (const [agent, name] of [
      [alice, "migration"],
      [bob, "review"],
    ] as const) {
      const started = await agent.call("session_start", { project_id: "homelab", session_name: name });
      expect(started).toMatchObject({ resumed: false, bound: true, recovery_path: "/fs/RECOVERY.md", handoff: null });
    }

    // On a first start there is no recovery document; each leaves one.
    await expect(alice.call("brain_get", { path: "/fs/RECOVERY.md" })).rejects.toMatchObject({
      error: { code: "not_found" },
    });
    const recovery = "# Migration\n\nMoving the zone files. 次: ゾーンを確認する。\n";
    const stored = await alice.call("brain_put", { path: "/fs/RECOVERY.md", content: recovery, store: "session" });
    await bob.call("brain_put", { path: "/fs/RECOVERY.md", content: "reading along", store: "session" });

    // Bob hears what Alice signals, in her session.
    await alice.call("signal_append", { project_id: "homelab", kind: "signal", summary: "zone files copied" });
    const heard = (await bob.call("feed_read", { project_id: "homelab" }))["events"] as JsonObject[]; // a list of events
    expect(heard.find((event) => event["kind"] === "signal")).toMatchObject({
      actor: "alice",
      summary: "zone files copied",
      session_id: expect.any(String),
    });

    // Alice asks; it lands in the operator's inbox with its options.
    const question = await alice.call("question_post", {
      project_id: "homelab",
      subject: "Switch the name servers now?",
      options: ["now", "tonight"],
      idempotency_key: "switch-1",
    });
    const questionId = String(question["question_id"]);
    const waiting = await operate(hub, "listInbox", { query: { status: "action", project: "homelab" } });
    expect(waiting["items"]).toMatchObject([
      { event_id: questionId, actor: "alice", payload: { options: ["now", "tonight"] } },
    ]);

    // She waits; the operator picks an option; the wait returns it.
    const wait = alice.call("inbox_wait", { since: questionId, wait_seconds: 30 });
    await operate(hub, "answerQuestion", { params: { id: questionId }, body: { body: "tonight" } });
    const answered = await wait;
    expect(answered["items"]).toMatchObject([
      { event_id: questionId, status: "resolved", answer: { body: "tonight", actor: "human" } },
    ]);

    // In the middle of many writes of both the hub is killed.
    const acknowledged: { summary: string; id: string }[] = [];
    const lost: string[] = [];
    const enough = Promise.withResolvers<void>();
    const writes = Array.from({ length: writesAtOnce }, async (_, index) => {
      const summary = `write ${index}`;
      const agent = index % 2 === 0 ? alice : bob;
      try {
        const { event_id } = await agent.call("signal_append", { project_id: "homelab", kind: "signal", summary });
        acknowledged.push({ summary, id: String(event_id) });
        enough.resolve();
      } catch {
        lost.push(summary);
      }
    });
    await enough.promise;
    const inFlight = writesAtOnce - acknowledged.length;
    expect(await hub.kill()).toBe(137);
    await Promise.all(writes);
    expect(inFlight).toBeGreaterThanOrEqual(inFlightAtKill);
    expect(lost.length).toBeGreaterThanOrEqual(inFlightAtKill);

    // It starts again on the same port and data; nobody reconnects by hand.
    await using again = await startHub({ dataDir, port: hub.port });
    expect(await alice.call("whoami")).toMatchObject({ actor: "alice" });
    expect(await bob.call("whoami")).toMatchObject({ actor: "bob" });

    // Every acknowledged write is there, once; some that were under way really were cut.
    const feed = await wholeFeed(alice, "homelab");
    const bySummary = Map.groupBy(feed, (event) => String(event["summary"]));
    for (const { summary, id } of acknowledged) {
      expect(bySummary.get(summary)?.map((event) => event["id"])).toEqual([id]);
    }
    expect(lost.filter((summary) => !bySummary.has(summary)).length).toBeGreaterThan(0);
    const ids = feed.map((event) => String(event["id"]));
    expect(ids).toEqual([...new Set(ids)].sort());

    // The active sessions are still theirs: no session is named, and the brain is where it was.
    expect(await alice.call("brain_get", { path: "/fs/RECOVERY.md" })).toMatchObject({
      content: recovery,
      version: String(stored["version"]),
    });
    expect(await bob.call("brain_get", { path: "/fs/RECOVERY.md" })).toMatchObject({ content: "reading along" });
    await bob.call("signal_append", { project_id: "homelab", kind: "finished", summary: "review done" });

    // A retry with the key she used gives the first question, not a second one.
    const retried = await alice.call("question_post", {
      project_id: "homelab",
      subject: "Switch the name servers now?",
      idempotency_key: "switch-1",
    });
    expect(retried["question_id"]).toBe(questionId);

    // Bob may not end Alice's session; she ends it with a note and is done.
    const { session_id } = await alice.call("session_start", { project_id: "homelab", session_name: "migration" });
    await expect(bob.call("session_end", { session_id })).rejects.toBeInstanceOf(ToolFailure);
    expect(await alice.call("session_end", { session_id, handoff: "switch tonight" })).toEqual({ ok: true });
    expect(await again.stop()).toBe(0);
  }, 120_000);
});

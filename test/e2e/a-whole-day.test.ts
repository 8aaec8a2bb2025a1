// A whole day of an operator and four agents, on the compiled binary. Read it as documentation: each step is what
// somebody does, and what everybody else then sees. The hub is stopped once and killed once, and nobody starts over.
//
//   Ada comes over HTTP and speaks the protocol's 2025 line.
//   Ben comes over HTTP and speaks its 2026-07-28 revision, which knows no connections.
//   Cy  comes through `agent-hub mcp`, as a program that starts its MCP servers itself does.
//   Dee is a shell script: each call is an `agent-hub call` of its own.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { JsonObject } from "../../src/shared/json.ts";
import { agentOverHttp, agentOverStdio, type McpAgent } from "../support/mcp-agents.ts";
import { type Day, listIn, openDay, tale, toldIn } from "./whole-day.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(90_000);

const recovery = "/fs/RECOVERY.md";
const readings = 120;

let day: Day;
let ada: McpAgent;
let ben: McpAgent;
let cy: McpAgent;
const tokens: Record<string, string> = {};
/** Ids the story comes back to. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  day = await openDay();
});
afterAll(async () => {
  for (const agent of [ada, ben, cy]) await agent?.[Symbol.asyncDispose]();
  await day?.[Symbol.asyncDispose]();
});

const dee = (tool: string, args: object = {}) => day.hook(tokens["dee"] ?? "", tool, args);
const inHomelab = (args: object): Record<string, unknown> => ({ project_id: "homelab", ...args });

/** Appends an event and returns its id. */
async function says(agent: McpAgent, kind: string, summary: string, more: object = {}): Promise<string> {
  return String((await agent.call("signal_append", inHomelab({ kind, summary, ...more })))["event_id"]);
}

/** Open items as the operator's inbox lists them: soonest deadline first, then the oldest. */
async function waitingOnTheOperator(): Promise<string[]> {
  const { items } = await day.operator("listInbox", { query: { group: "waiting" } });
  return listIn({ items: items ?? [] }, "items").map(({ actor, summary }) => `${actor}: ${summary}`);
}

async function inboxCounts(): Promise<unknown> {
  return (await day.operator("listInbox"))["counts"];
}

describe("a day", () => {
  test("08:00 the operator opens the house: two projects, four agents, one of them let into the books", async () => {
    await day.operator("createProject", { body: { id: "homelab", display_name: "Home lab" } });
    await day.operator("createProject", { body: { id: "ledger", display_name: "The books", confidential: true } });
    for (const id of ["ada", "ben", "cy", "dee"]) tokens[id] = await day.hire(id);
    await day.operator("createGrant", { params: { id: "ada" }, body: { project_id: "ledger" } });

    ada = await agentOverHttp(day.url, tokens["ada"] ?? "", "2025");
    ben = await agentOverHttp(day.url, tokens["ben"] ?? "", "2026");
    cy = await agentOverStdio(day.url, tokens["cy"] ?? "");
    expect([ada, ben, cy].map(({ revision }) => revision)).toEqual(["2025-11-25", "2026-07-28", "2026-07-28"]);
    for (const [agent, actor] of [
      [ada, "ada"],
      [ben, "ben"],
      [cy, "cy"],
    ] as const) {
      expect(await agent.call("whoami")).toMatchObject({ actor, admin: false });
    }
    expect((await dee("whoami")).result).toMatchObject({ actor: "dee" });
  });

  test("08:10 everybody starts work, and leaves a note for the day they are restarted", async () => {
    await day.reaches("08:10");
    const start = (name: string) => inHomelab({ session_name: name });
    // A connection keeps the session: Ada's is the protocol's, Cy's is that of the proxy. Ben and Dee have none.
    const migration = await ada.call("session_start", start("migration"));
    const review = await ben.call("session_start", start("review"));
    const monitoring = await cy.call("session_start", start("monitoring"));
    const nightly = (await dee("session_start", start("nightly"))).result;
    for (const [session, bound] of [
      [migration, true],
      [review, false],
      [monitoring, true],
      [nightly, false],
    ] as const) {
      expect(session).toMatchObject({ resumed: false, pickup: null, handoff: null, recovery_path: recovery, bound });
    }
    ids["migration"] = String(migration["session_id"]);
    ids["review"] = String(review["session_id"]);
    ids["monitoring"] = String(monitoring["session_id"]);
    ids["nightly"] = String(nightly["session_id"]);

    // On a first start there is nothing to recover.
    await expect(ada.call("brain_get", { path: recovery })).rejects.toMatchObject({ error: { code: "not_found" } });
    const store = "session";
    await ada.call("brain_put", { path: recovery, store, content: "zone files: three of five moved" });
    await cy.call("brain_put", { path: recovery, store, content: "three disks to watch" });
    await cy.call("brain_put", { path: "/kv/disk", store, content: "sda" });
    // Who has no connection names the session.
    await expect(ben.call("brain_put", { path: recovery, store, content: "x" })).rejects.toMatchObject({
      error: { code: "conflict", message: expect.stringContaining("pass session") },
    });
    await ben.call("brain_put", { session: { session_id: ids["review"] }, path: recovery, store, content: "page 1" });

    // Ben wants to hear of finished work here, Cy of every signal anywhere.
    await ben.call("notify_subscribe", inHomelab({ kinds: ["finished"], exclude_own: true }));
    await cy.call("notify_subscribe", { kinds: ["signal"], exclude_own: true });
  });

  test("08:30 Ada asks a question with options and waits; Dee asks for a decision within the hour", async () => {
    await day.reaches("08:30");
    const asked = await ada.call(
      "question_post",
      inHomelab({ subject: "Switch the name servers now?", options: ["now", "tonight"] }),
    );
    ids["question"] = String(asked["question_id"]);
    const reboot = await dee(
      "signal_append",
      inHomelab({ kind: "approval", summary: "Reboot the router", expires_in_seconds: 3600 }),
    );
    ids["reboot"] = String(reboot.result["event_id"]);
    // What has a deadline comes first.
    expect(await waitingOnTheOperator()).toEqual(["dee: Reboot the router", "ada: Switch the name servers now?"]);

    const wait = ada.call("inbox_wait", { since: ids["question"], wait_seconds: 50 });
    await day.operator("answerQuestion", { params: { id: ids["question"] }, body: { body: "tonight" } });
    const answered = await wait;
    expect(answered["items"]).toMatchObject([
      { event_id: ids["question"], status: "resolved", answer: { body: "tonight", actor: "human" } },
    ]);
    // The wait returned it, and the same result tells it once.
    expect(toldIn(answered)).toEqual(["answered: Switch the name servers now?"]);
    expect(toldIn(await ada.call("whoami"))).toEqual([]);

    await says(ada, "signal", "zone files copied");
    expect(toldIn(await cy.call("whoami"))).toEqual(["zone files copied"]);
    expect(toldIn(await ben.call("whoami"))).toEqual([]);
  });

  test("09:00 Ben asks for a decision; the operator approves with a note, and Ben hears of it unasked", async () => {
    await day.reaches("09:00");
    ids["disk"] = await says(ben, "approval", "Buy a second disk", { payload: { body: "The mirror has lost one." } });
    await day.operator("decideApproval", {
      params: { id: ids["disk"] },
      body: { decision: "approve", note: "the 4 TB one" },
    });
    const next = await ben.call("inbox_read", { actor: "ben" });
    expect(toldIn(next)).toEqual(["approved: Buy a second disk"]);
    expect(next["items"]).toMatchObject([
      { event_id: ids["disk"], decision: { decision: "approved", note: "the 4 TB one", actor: "human" } },
    ]);
    expect(toldIn(await ben.call("whoami"))).toEqual([]);
    // Once decided it is decided.
    const late = { params: { id: ids["disk"] }, body: { decision: "decline" } };
    expect(await day.attempt("decideApproval", late)).toBe(409);
  });

  test("09:10 the operator puts Dee's request off until ten, and gives it more time", async () => {
    await day.reaches("09:10");
    const item = { params: { event_id: ids["reboot"] ?? "" } };
    await day.operator("snoozeItem", { ...item, body: { until: day.at("10:00") } });
    await day.operator("extendItem", { ...item, body: { seconds: 2 * 3600 + 600 } });
    expect(await waitingOnTheOperator()).toEqual([]);
    expect(await inboxCounts()).toMatchObject({ waiting: 0, snoozed: 1 });

    // Dee sees the new deadline, and not that the operator is having coffee.
    const { items } = (await dee("inbox_read", { actor: "dee" })).result;
    expect(items).toMatchObject([{ event_id: ids["reboot"], status: "action", on_expiry: "decline" }]);
    const [seen] = listIn({ items: items ?? [] }, "items");
    expect(String(seen?.["expires_at"])).toStartWith(day.at("11:20").slice(0, "2026-01-01T11:20".length));
    expect(seen).not.toHaveProperty("snoozed_until");

    // The first deadline passes, and the request stands.
    await day.reaches("09:45");
    expect(await inboxCounts()).toMatchObject({ waiting: 0, snoozed: 1 });
    await day.reaches("10:01");
    expect(await waitingOnTheOperator()).toEqual(["dee: Reboot the router"]);
  });

  test("10:30 the hub is restarted; nobody starts over", async () => {
    await day.reaches("10:30");
    expect(await day.stops()).toBe(0);
    expect(day.stderr()).toEndWith("agent-hub: stopped\n");
    expect(await dee("whoami")).toMatchObject({ code: 69, error: { code: "unavailable", retryable: true } });
    await expect(cy.call("whoami")).rejects.toMatchObject({ error: { code: "unavailable", retryable: true } });
    await day.startsAgain();

    // The sessions are still active on their connections.
    expect(await ada.call("brain_get", { path: recovery })).toMatchObject({
      content: "zone files: three of five moved",
    });
    expect(await cy.call("brain_get", { path: recovery })).toMatchObject({ content: "three disks to watch" });
    expect(await ben.call("whoami")).toMatchObject({ actor: "ben" });
    expect((await dee("whoami")).result).toMatchObject({ actor: "dee" });
  });

  test("11:00 Cy finishes something; the operator reads it, and no agent can tell", async () => {
    await day.reaches("11:00");
    ids["report"] = await says(cy, "finished", "Disk report", { payload: { body: "Two disks are well, one is not." } });
    expect(toldIn(await ben.call("whoami"))).toEqual(["Disk report"]);
    expect(await inboxCounts()).toMatchObject({ unread: 1 });
    const marked = await day.operator("markRead", { params: { event_id: ids["report"] } });
    expect(marked).toMatchObject({ status: "read", changed: true });
    expect(await inboxCounts()).toMatchObject({ unread: 0 });

    const [item, ...more] = listIn(await ben.call("inbox_read", { status: "unread" }), "items");
    expect(more).toEqual([]);
    expect(item).toMatchObject({ event_id: ids["report"], status: "unread" });
    expect(item?.["updated_at"]).toBe(item?.["created_at"] ?? "");
  });

  test("11:21 Dee's request runs out and is declined; Ada's question closes without an answer", async () => {
    await day.reaches("11:18");
    const asked = await ada.call("question_post", inHomelab({ subject: "Keep the old zone?", expires_in_seconds: 60 }));
    ids["old zone"] = String(asked["question_id"]);
    const wait = ada.call("inbox_wait", { since: ids["old zone"], wait_seconds: 50 });
    await day.reaches("11:21");

    const closed = await wait;
    expect(closed["items"]).toMatchObject([
      { event_id: ids["old zone"], status: "resolved", answer: { body: null, actor: "hub", expired: true } },
    ]);
    expect(toldIn(closed)).toEqual(["expired, closed with no answer: Keep the old zone?"]);
    const { result } = await dee("version");
    expect(result).toMatchObject({
      notifications: {
        pending: [{ source: "attention", kind: "approval_decided", id: ids["reboot"], expired: true }],
      },
    });
    expect(toldIn(result)).toEqual(["expired, declined: Reboot the router"]);

    // The operator comes too late.
    expect(await day.attempt("answerQuestion", { params: { id: ids["old zone"] }, body: { body: "yes" } })).toBe(409);
    expect(await waitingOnTheOperator()).toEqual([]);
  });

  test("12:00 the hub is killed while Cy writes; what was acknowledged is there, the rest is sent again", async () => {
    await day.reaches("12:00");
    const send = (index: number): Promise<string> =>
      says(cy, "idea", `reading ${index}`, { idempotency_key: `reading-${index}` });
    const first = Promise.withResolvers<void>();
    const acknowledged = new Map<number, string>();
    const writes = Array.from({ length: readings }, async (_, index) => {
      try {
        acknowledged.set(index, await send(index));
        first.resolve();
      } catch {
        // Not acknowledged: it may have been applied, so it is sent again under its key.
      }
    });
    await first.promise;
    expect(await day.isKilled()).toBe(137);
    await Promise.all(writes);
    expect(acknowledged.size).toBeLessThan(readings);
    await day.startsAgain();

    for (let index = 0; index < readings; index += 1) {
      const id = await send(index);
      expect(id).toBe(acknowledged.get(index) ?? id);
    }
    const { events } = await day.operator("listProjectFeed", {
      params: { id: "homelab" },
      query: { kinds: "idea", session: ids["monitoring"] ?? "", limit: "500" },
    });
    const written = listIn({ events: events ?? [] }, "events").map(({ summary }) => String(summary));
    expect(written.toSorted()).toEqual(Array.from({ length: readings }, (_, index) => `reading ${index}`).toSorted());
  });

  test("13:00 Ada hands over and goes; Ben takes up her session, and Dee looks over Cy's shoulder", async () => {
    await day.reaches("13:00");
    const handoff = "three of five zones moved; switch tonight";
    await ada.call("session_end", { session_id: ids["migration"], handoff });
    const adopted = await ben.call(
      "session_start",
      inHomelab({ session_name: "migration", from: { agent: "ada", name: "migration" } }),
    );
    expect(adopted).toMatchObject({
      session_id: ids["migration"],
      agent: "ben",
      handoff,
      pickup: { mode: "adopt", from_agent: "ada", handoff, source_active: false },
    });
    const named = { session: { session_id: ids["migration"] } };
    expect(await ben.call("brain_get", { ...named, path: recovery })).toMatchObject({
      content: "zone files: three of five moved",
    });
    await ben.call("brain_put", { ...named, path: recovery, store: "session", content: "all five moved" });
    // Ada's connection holds no session any more, and it is not hers to write.
    const write = { path: recovery, store: "session", content: "mine" };
    await expect(ada.call("brain_put", write)).rejects.toMatchObject({ error: { code: "conflict" } });
    await expect(ada.call("brain_put", { ...named, ...write })).rejects.toMatchObject({
      error: { code: "forbidden", details: { owner: "ben" } },
    });

    // Cy is still at work, so Dee gets a copy, and each writes its own.
    const { result: fork } = await dee(
      "session_start",
      inHomelab({ session_name: "second-look", from: { session_id: ids["monitoring"] } }),
    );
    expect(fork).toMatchObject({
      agent: "dee",
      pickup: { mode: "fork", from_session_id: ids["monitoring"], from_agent: "cy", source_active: true },
    });
    ids["second-look"] = String(fork["session_id"]);
    const copy = { session: { session_id: ids["second-look"] }, path: "/kv/disk" };
    expect((await dee("brain_get", copy)).result).toMatchObject({ content: "sda" });
    expect((await dee("brain_put", { ...copy, store: "session", content: "sdb" })).code).toBe(0);
    expect(await cy.call("brain_get", { path: "/kv/disk" })).toMatchObject({ content: "sda" });
  });

  test("14:00 Ada writes in the books; Cy is let in afterwards, and is told what he missed", async () => {
    await day.reaches("14:00");
    const paid = { project_id: "ledger", kind: "signal", summary: "salaries paid" };
    await ada.call("signal_append", paid);
    // For Cy the books are as if they were not there.
    for (const project_id of ["ledger", "no-such-project"]) {
      await expect(cy.call("feed_read", { project_id })).rejects.toMatchObject({
        error: { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} },
      });
    }
    const search = await cy.call("search", { query: "salaries" });
    expect(search).toMatchObject({ count: 0, groups: [] });
    expect(toldIn(search)).toEqual([]);

    // A newer signal that he may read is told; what he may not read yet is not lost by it.
    await says(ada, "signal", "books are done");
    expect(toldIn(await cy.call("whoami"))).toEqual(["books are done"]);
    await day.reaches("14:20");
    await day.operator("createGrant", { params: { id: "cy" }, body: { project_id: "ledger" } });
    expect(toldIn(await cy.call("whoami"))).toEqual(["salaries paid"]);
    expect(await cy.call("search", { query: "salaries" })).toMatchObject({ count: 1 });
    expect(tale(listIn(await cy.call("feed_read", { project_id: "ledger" }), "events"))).toEqual([
      "ada signal: salaries paid",
    ]);
    await expect(ben.call("feed_read", { project_id: "ledger" })).rejects.toMatchObject({
      error: { code: "forbidden" },
    });
  });

  test("15:00 Ben's token is renewed: the old one is dead, and the hub has kept his place", async () => {
    await day.reaches("15:00");
    await ben.call("feed_read", inHomelab({ limit: 500 }));
    await says(cy, "finished", "Disk replaced");
    const renewed = await day.renewToken("ben");
    await expect(ben.call("whoami")).rejects.toThrow();
    await ben[Symbol.asyncDispose]();
    ben = await agentOverHttp(day.url, renewed, "2026");

    const news = await ben.call("feed_read", inHomelab({}));
    expect(tale(listIn(news, "events"))).toEqual(["cy finished: Disk replaced"]);
    // Told once, to the agent and not to the token.
    expect(toldIn(news)).toEqual(["Disk replaced"]);
    expect(toldIn(await ben.call("whoami"))).toEqual([]);
  });

  test("16:00 what was said and kept is found, by who may read it", async () => {
    await day.reaches("16:00");
    const found = async (agent: McpAgent, query: string, type: "feed" | "brain"): Promise<string[]> =>
      listIn(await agent.call("search", { query, type }), "groups")
        .flatMap((group) => listIn(group, "hits"))
        .map(({ title, session_name }) => (type === "feed" ? String(title) : `${session_name} ${title}`));
    expect(await found(ben, "name servers", "feed")).toEqual([
      "re: Switch the name servers now?",
      "Switch the name servers now?",
    ]);
    // Each session is found by what it holds now: Ben's by his own words, the fork by its own value.
    expect(await found(ada, "five moved", "brain")).toEqual([`migration ${recovery}`]);
    expect(await found(ada, "sda", "brain")).toEqual(["monitoring /kv/disk"]);
    expect(await found(ada, "sdb", "brain")).toEqual(["second-look /kv/disk"]);
    expect(await found(ada, "salaries", "feed")).toEqual(["salaries paid"]);
    expect(await found(ben, "salaries", "feed")).toEqual([]);
  });

  test("17:00 everybody ends the day", async () => {
    await day.reaches("17:00");
    await ben.call("session_end", { session_id: ids["migration"], handoff: "name servers switch tonight" });
    await cy.call("session_end", { session_id: ids["monitoring"] });
    expect((await dee("session_end", { session_id: ids["nightly"], handoff: "see second-look" })).code).toBe(0);
    // No connection holds an ended session.
    await expect(cy.call("brain_get", { path: recovery })).rejects.toMatchObject({ error: { code: "conflict" } });
    // Ben's review and Dee's second look go on tomorrow.
  });

  test("18:00 the operator looks back: the feed, the inbox and the sessions are exactly what happened", async () => {
    await day.reaches("18:00");
    const feedOf = async (id: string): Promise<JsonObject[]> =>
      listIn(await day.operator("listProjectFeed", { params: { id }, query: { limit: "500" } }), "events");
    const feed = await feedOf("homelab");
    const ideas = feed.filter(({ kind }) => kind === "idea");
    expect(ideas).toHaveLength(readings);
    expect(tale(feed.filter(({ kind }) => kind !== "idea"))).toEqual([
      "ada session: session migration started",
      "ben session: session review started",
      "cy session: session monitoring started",
      "dee session: session nightly started",
      "ada question: Switch the name servers now?",
      "dee approval: Reboot the router",
      "human answer: re: Switch the name servers now?",
      "ada signal: zone files copied",
      "ben approval: Buy a second disk",
      "human answer: re: Buy a second disk",
      "cy finished: Disk report",
      "ada question: Keep the old zone?",
      "hub answer: re: Keep the old zone?",
      "hub answer: re: Reboot the router",
      "ada session: session migration ended",
      "ben session: session migration picked up from ada",
      "dee session: session second-look forked from cy",
      "ada signal: books are done",
      "cy finished: Disk replaced",
      "ben session: session migration ended",
      "cy session: session monitoring ended",
      "dee session: session nightly ended",
    ]);
    expect(tale(await feedOf("ledger"))).toEqual(["ada signal: salaries paid"]);

    const { items, counts } = await day.operator("listInbox", { query: { limit: "500" } });
    expect(counts).toEqual({ waiting: 0, snoozed: 0, unread: 1, earlier: 5 });
    const outcomes = listIn({ items: items ?? [] }, "items").map(({ summary, status, answer, decision }) => ({
      summary,
      status,
      ...(answer === undefined ? {} : { answer }),
      ...(decision === undefined ? {} : { decision }),
    }));
    expect(outcomes).toMatchObject([
      { summary: "Disk replaced", status: "unread" },
      { summary: "Keep the old zone?", status: "resolved", answer: { body: null, actor: "hub", expired: true } },
      { summary: "Disk report", status: "read" },
      { summary: "Buy a second disk", status: "resolved", decision: { decision: "approved", note: "the 4 TB one" } },
      { summary: "Reboot the router", status: "resolved", decision: { decision: "declined", expired: true } },
      { summary: "Switch the name servers now?", status: "resolved", answer: { body: "tonight", actor: "human" } },
    ]);
    expect(outcomes).toHaveLength(6);

    const { sessions } = await day.operator("listSessions", { query: { project: "homelab" } });
    const told = listIn({ sessions: sessions ?? [] }, "sessions").map(
      ({ session_name, agent, status, handoff, lineage }) => ({ session_name, agent, status, handoff, lineage }),
    );
    expect(told.toSorted((a, b) => (String(a.session_name) < String(b.session_name) ? -1 : 1))).toEqual([
      {
        session_name: "migration",
        agent: "ben",
        status: "ended",
        handoff: "name servers switch tonight",
        lineage: { kind: "adopted", session_id: ids["migration"] ?? "", agent: "ben", pruned: false },
      },
      { session_name: "monitoring", agent: "cy", status: "ended", handoff: null, lineage: null },
      { session_name: "nightly", agent: "dee", status: "ended", handoff: "see second-look", lineage: null },
      { session_name: "review", agent: "ben", status: "active", handoff: null, lineage: null },
      {
        session_name: "second-look",
        agent: "dee",
        status: "active",
        handoff: null,
        lineage: { kind: "forked", session_id: ids["monitoring"] ?? "", agent: "cy", pruned: false },
      },
    ]);
  });

  test("18:30 the hub is stopped for the night, and has nothing to complain of", async () => {
    await day.reaches("18:30");
    expect(await day.stops()).toBe(0);
    expect(day.stderr().replaceAll(/^agent-hub: .*\n/gm, "")).toBe("");
  });
});

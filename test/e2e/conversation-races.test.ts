// Many clients at once against the compiled binary: whatever they try on one item, exactly one wins.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/shared/json.ts";
import type { EventView, InboxItemView } from "../../src/shared/views.ts";
import { createAgent } from "../support/agents.ts";
import { type RunningHub, startHub } from "../support/binary.ts";
import { openFakeClock } from "../support/faketime.ts";
import { operate, request } from "../support/operator.ts";
import { callTool, resultOf } from "./conversation.ts";

const items = 24;
const clients = 6;

/** What came of one attempt to resolve an item: the answer event, or the code it was refused with. */
type Attempt = { won: string } | { refused: string };

async function answerAs(hub: RunningHub, token: string, id: string, key?: string): Promise<Attempt> {
  const args = { question_id: id, body: "a", ...(key === undefined ? {} : { idempotency_key: key }) };
  const outcome = await callTool(hub.url, token, "answer_post", args);
  return "error" in outcome ? { refused: outcome.error.code } : { won: String(outcome.result["event_id"]) };
}

async function operatorTries(hub: RunningHub, id: string, isQuestion: boolean, decision: string): Promise<Attempt> {
  const { status, body } = isQuestion
    ? await request(hub.url, hub.adminToken, "answerQuestion", { params: { id }, body: { body: "b" } })
    : await request(hub.url, hub.adminToken, "decideApproval", { params: { id }, body: { decision } });
  return status === 200 ? { won: String(body["event_id"]) } : { refused: String(body["code"]) };
}

async function answersOf(hub: RunningHub): Promise<EventView[]> {
  const query = { since: "0", limit: "500", kinds: "answer" };
  const page = await operate(hub, "listProjectFeed", { params: { id: "lab" }, query });
  return page["events"] as unknown as EventView[]; // by contract, rest-api.md 5
}

async function itemsOf(hub: RunningHub, token: string): Promise<InboxItemView[]> {
  const page = await resultOf(callTool(hub.url, token, "inbox_read", { limit: 500 }));
  return page["items"] as unknown as InboxItemView[]; // by contract, mcp-tools.md 17.9
}

/** Each item resolved once, by the one that was told so; everybody else was told it is a conflict. */
async function expectOneWinnerEach(hub: RunningHub, token: string, attempts: Map<string, Attempt[]>): Promise<void> {
  const answers = Map.groupBy(await answersOf(hub), (event) => String(event.thread_id));
  const shown = await itemsOf(hub, token);
  for (const [id, tried] of attempts) {
    const won = tried.flatMap((attempt) => ("won" in attempt ? [attempt.won] : []));
    const refused = tried.flatMap((attempt) => ("refused" in attempt ? [attempt.refused] : []));
    const [answer, ...others] = answers.get(id) ?? [];
    expect(others).toEqual([]);
    expect(won).toEqual(answer?.actor === "hub" ? [] : [String(answer?.id)]);
    expect(new Set(refused)).toEqual(new Set(refused.length === 0 ? [] : ["conflict"]));
    const item = shown.find((candidate) => candidate.event_id === id);
    expect(item?.status).toBe("resolved");
    expect((item?.decision ?? item?.answer)?.event_id).toBe(answer?.id);
  }
}

async function openProject(hub: RunningHub): Promise<string[]> {
  await operate(hub, "createProject", { body: { id: "lab", display_name: "Lab" } });
  return await Promise.all(Array.from({ length: clients }, (_, index) => createAgent(hub, `agent-${index}`)));
}

function post(hub: RunningHub, token: string, isQuestion: boolean, deadline?: number): Promise<JsonObject> {
  const expiry = deadline === undefined ? {} : { expires_in_seconds: deadline };
  return isQuestion
    ? resultOf(callTool(hub.url, token, "question_post", { project_id: "lab", subject: "q", ...expiry }))
    : resultOf(
        callTool(hub.url, token, "signal_append", { project_id: "lab", kind: "approval", summary: "a", ...expiry }),
      );
}

describe("clients at once", () => {
  test("of answers, and of decisions, one wins", async () => {
    await using hub = await startHub();
    const tokens = await openProject(hub);
    const [asker = ""] = tokens;
    const attempts = new Map<string, Attempt[]>();
    await Promise.all(
      Array.from({ length: items }, async (_, index) => {
        const isQuestion = index % 2 === 0;
        const id = String((await post(hub, asker, isQuestion))["event_id"]);
        const racing = isQuestion
          ? [...tokens.map((token) => answerAs(hub, token, id)), operatorTries(hub, id, true, "")]
          : Array.from({ length: clients }, (_, turn) =>
              operatorTries(hub, id, false, turn % 2 === 0 ? "approve" : "decline"),
            );
        attempts.set(id, await Promise.all(racing));
      }),
    );
    for (const tried of attempts.values()) expect(tried.filter((attempt) => "won" in attempt).length).toBe(1);
    await expectOneWinnerEach(hub, asker, attempts);
  }, 120_000);

  test("against the deadline the hub wins or they do, never both, never neither", async () => {
    await using clock = await openFakeClock();
    await using hub = await startHub({ env: clock.env });
    const tokens = await openProject(hub);
    const [asker = ""] = tokens;
    const open = await Promise.all(
      Array.from({ length: items }, async (_, index) => {
        const isQuestion = index % 2 === 0;
        // Deadlines a second apart, so that some pass before, some during and some after the attempts.
        return { isQuestion, id: String((await post(hub, asker, isQuestion, 60 + (index % 4)))["event_id"]) };
      }),
    );
    await clock.move(60_000);
    const attempts = new Map<string, Attempt[]>(open.map(({ id }) => [id, []]));
    const isOpen = async (): Promise<boolean> => (await itemsOf(hub, asker)).some(({ status }) => status === "action");
    let isOver = false;
    const readers = Array.from({ length: 3 }, async () => {
      for (let read = 0; read < 500 && !isOver; read += 1) await isOpen();
    });
    // Round after round, while one deadline after the other passes.
    for (let round = 0; round < 25; round += 1) {
      await Promise.all([
        round % 5 === 4 ? clock.move(1000) : undefined,
        ...open.map(async ({ id, isQuestion }, index) => {
          // A quarter is left alone for the hub.
          if (index % 4 === 3 || (index + round) % 5 !== 0) return;
          const racing = isQuestion
            ? [...tokens.slice(1).map((token) => answerAs(hub, token, id)), operatorTries(hub, id, true, "")]
            : [operatorTries(hub, id, false, "approve"), operatorTries(hub, id, false, "decline")];
          attempts.get(id)?.push(...(await Promise.all(racing)));
        }),
      ]);
    }
    isOver = true;
    await Promise.all(readers);
    expect(await isOpen()).toBe(false);
    await expectOneWinnerEach(hub, asker, attempts);
    const actors = new Set((await answersOf(hub)).map(({ actor }) => (actor === "hub" ? "hub" : "caller")));
    expect(actors.has("hub")).toBe(true);
  }, 120_000);

  test("one key, one event: 32 posts of the same question, and of the same answer", async () => {
    await using hub = await startHub();
    const tokens = await openProject(hub);
    const [asker = ""] = tokens;
    const args = { project_id: "lab", subject: "q", idempotency_key: "once" };
    const posted = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        resultOf(callTool(hub.url, tokens[index % clients] ?? asker, "question_post", args)),
      ),
    );
    const ids = new Set(posted.map((result) => String(result["question_id"])));
    expect(ids.size).toBe(1);
    const [id = ""] = ids;
    const answered = await Promise.all(
      Array.from({ length: 32 }, (_, index) => answerAs(hub, tokens[index % clients] ?? asker, id, "once")),
    );
    expect(new Set(answered.map((attempt) => JSON.stringify(attempt))).size).toBe(1);
    expect(answered[0]).toHaveProperty("won");
    const page = await operate(hub, "listProjectFeed", { params: { id: "lab" }, query: { since: "0" } });
    expect((page["events"] as JsonObject[]).map((event) => event["kind"])).toEqual(["question", "answer"]); // by contract
  }, 120_000);
});

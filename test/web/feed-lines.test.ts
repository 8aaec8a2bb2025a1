// How a feed is laid out, what an event says, and the id that follows from a name.
import { expect, test } from "bun:test";
import type { EventKind, EventView } from "../../src/shared/views.ts";
import { eventPreview, eventSentence, eventWords } from "../../src/web/items/event-words.ts";
import { answersByItem, deletedArtifacts, layOutFeed, targetOf } from "../../src/web/screens/feed/feed-lines.ts";
import { splitSummary } from "../../src/web/screens/feed/split-summary.ts";
import { actorName } from "../../src/web/text/names.ts";
import { freeIdBeside, projectIdFrom } from "../../src/web/text/project-id.ts";
import { dayWords } from "../../src/web/text/time.ts";

const noon = new Date(2026, 2, 18, 12).getTime();
const minute = 60_000;

function event(id: string, kind: EventKind, more: Partial<EventView> = {}): EventView {
  return {
    id,
    project_id: "lab",
    kind,
    actor: "ann",
    summary: `summary of ${id}`,
    payload: null,
    thread_id: null,
    session_id: null,
    needs_action: kind === "question" || kind === "approval",
    created_at: new Date(noon).toISOString(),
    inbox_status: null,
    ...more,
  };
}

const published = (id: string, seconds: number, more: Partial<EventView> = {}): EventView =>
  event(id, "artifact", {
    payload: { action: "published", artifact_id: `of ${id}`, title: `Title ${id}` },
    created_at: new Date(noon - seconds * 1000).toISOString(),
    ...more,
  });

const seven = ["g", "f", "e", "d", "c", "b", "a"].map((id, index) => published(id, index * 60));
const plain = { isDrawn: () => true, unfolded: new Set<string>(), isUnseen: () => false };

test("FED-05 artifacts that follow each other are one row, all seven again, and one again", () => {
  const batches = [{ key: "one", events: [event("h", "signal"), ...seven] }];
  const kinds = (unfolded: ReadonlySet<string>): string[] =>
    layOutFeed(batches, { ...plain, unfolded }).flatMap((day) =>
      day.chunks.flatMap((chunk) => chunk.lines.map((line) => line.kind)),
    );
  expect(kinds(new Set())).toEqual(["event", "burst"]);
  expect(kinds(new Set(["g"]))).toEqual(["event", "burst", ...seven.map(() => "event")]);
  const [day] = layOutFeed(batches, plain);
  expect(day?.amount).toBe(8);
});

test("a burst ends at another agent, at another kind, and after two minutes", () => {
  const events = [published("d", 0), published("c", 60), published("b", 300), published("a", 310, { actor: "bob" })];
  const [day] = layOutFeed([{ key: "one", events }], plain);
  const lines = day?.chunks[0]?.lines.map((line) => (line.kind === "burst" ? line.events.length : 1));
  expect(lines).toEqual([2, 1, 1]);
});

test("the line between new and seen stands once, and counts what is folded too", () => {
  const events = [event("i", "signal"), ...seven, event("0", "signal"), event("/", "signal")];
  const days = layOutFeed([{ key: "one", events }], { ...plain, isUnseen: ({ id }) => id > "5" });
  const lines = days.flatMap((day) => day.chunks.flatMap((chunk) => chunk.lines));
  expect(lines.map((line) => (line.kind === "seen" ? line.amount : line.kind))).toEqual([
    "event",
    "burst",
    8,
    "event",
    "event",
  ]);
});

test("days begin with the day of the device, and a batch that spans two of them is two chunks", () => {
  const events = [0, 13, 14].map((hours) =>
    event(String(20 - hours), "signal", { created_at: new Date(noon - hours * 60 * minute).toISOString() }),
  );
  const days = layOutFeed([{ key: "one", events }], plain);
  expect(days.map((day) => [dayWords(day.startMs, noon), day.amount, day.chunks.length])).toEqual([
    ["Today", 1, 1],
    ["Yesterday", 2, 1],
  ]);
  expect(dayWords(new Date(2026, 2, 11).getTime(), noon)).toBe("Wed 11 March");
  expect(dayWords(new Date(2025, 2, 11).getTime(), noon)).toBe("Tue 11 March 2025");
});

test("FED-09 an artifact that was deleted is led to by none of its events", () => {
  const gone = published("b", 0, { payload: { action: "deleted", artifact_id: "of a", title: "Title a" } });
  const first = published("a", 10);
  const deleted = deletedArtifacts([{ key: "one", events: [gone, first] }]);
  expect(targetOf(first, deleted)).toBeUndefined();
  expect(targetOf(gone, deleted)).toBeUndefined();
  expect(targetOf(first, new Set())).toEqual({ kind: "artifact", id: "of a" });
  const page = { action: "kb_promoted", store: "project", path: "a/b.md" };
  expect(targetOf(event("p", "signal", { payload: page }), deleted)).toEqual({ kind: "page", id: "a/b.md" });
  expect(targetOf(event("p", "signal", { payload: { ...page, action: "kb_deleted" } }), deleted)).toBeUndefined();
  expect(targetOf(event("p", "finished", { payload: { artifact_id: 7 } }), deleted)).toBeUndefined();
});

test("an event is a sentence, with the object as it was written", () => {
  const answer = (payload: EventView["payload"], actor = "human") =>
    event("x", "answer", { summary: "re: re: Ship it?", payload, actor });
  const sentences = [
    event("x", "finished", { summary: "Nightly backup" }),
    event("x", "question", { summary: "Which one?" }),
    event("x", "approval", { payload: { action: "enrol_request" } }),
    answer({ body: "That one" }),
    answer({ decision: "declined", note: "Not now" }),
    answer({ expired: true, decision: "approved" }, "hub"),
    answer({ expired: true }, "hub"),
    published("x", 0),
    event("x", "session", {
      payload: { action: "reassigned", session_name: "one", from_agent: "ann", to_agent: "bob" },
    }),
    event("x", "session", { payload: { action: "adopted", session_name: "one", from_agent: "bob" } }),
    event("x", "session", { summary: "odd", payload: ["started"] }),
    event("x", "artifact", { summary: "odd", payload: { action: "toString", title: "T" } }),
  ].map((one) => eventSentence(one, actorName(one.actor)));
  expect(sentences).toEqual([
    "ann finished: Nightly backup",
    "ann asked: Which one?",
    "ann asked to join",
    "you answered: re: Ship it?",
    "you declined: re: Ship it?",
    "the hub approved at its deadline: re: Ship it?",
    "the hub closed unanswered: re: Ship it?",
    "ann published Title x",
    "ann handed over session one to bob",
    "ann picked up session one from bob",
    "ann: odd",
    "ann: odd",
  ]);
  const handed = event("x", "session", { payload: { action: "reassigned", session_name: "one", to_agent: "bob" } });
  expect(eventWords(handed, (id) => `${id} the first`).rest).toBe("to bob the first");
  expect(eventPreview(answer({ decision: "declined", note: "Not now", body: "Declined: Not now" }))).toBe("Not now");
  expect(eventPreview(answer({ body: "**That** one" }))).toBe("That one");
  expect(eventPreview(event("x", "session", { payload: { action: "ended", handoff: null } }))).toBeUndefined();
});

test("answers are found by what they answer", () => {
  const answer = event("b", "answer", { thread_id: "a" });
  expect(answersByItem([{ key: "one", events: [answer, event("a", "question")] }]).get("a")).toBe(answer);
});

test("a long summary begins with its first sentence, and a title is never cut", () => {
  expect(splitSummary("Short.")).toEqual({ title: "Short." });
  expect(splitSummary(`The first fits. ${"word ".repeat(30)}`.trim()).title).toBe("The first fits.");
  expect(splitSummary("W".repeat(300))).toEqual({ title: "W".repeat(300) });
  expect(splitSummary("One line\nand another").title).toBe("One line");
});

test("PRJ-02 an id follows from a name, and there is a free one beside each", () => {
  const ids = ["Café Über-Straße №7", "a".repeat(80), "!!!", "مشروع", "-_-x-", "Space-9", "A b  c"].map(projectIdFrom);
  expect(ids).toEqual(["cafe-uber-strasse-no7", "a".repeat(64), "project", "project", "x", "project-space-9", "a-b-c"]);
  expect(freeIdBeside("lab", new Set(["lab", "lab-2"]))).toBe("lab-3");
  expect(freeIdBeside("a".repeat(64), new Set())).toBe(`${"a".repeat(62)}-2`);
});

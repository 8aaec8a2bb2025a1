// Whatever happened in a project, its brief is what a reader with the whole feed would work out (mcp-tools.md 17.4).
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { EventView } from "../../../src/shared/views.ts";
import { append, ask, decide, reply, request, wholeFeed } from "../conversation.ts";
import { ids, type Lab, openLab, project } from "./lab.ts";

const acts = ["signal", "finished", "question", "approval", "session", "resolve", "expire", "read", "many"] as const;
const anAct = fc.record({
  act: fc.constantFrom(...acts),
  by: fc.constantFrom("alice" as const, "bob" as const),
  pick: fc.nat({ max: 1000 }),
});
type Act = { act: (typeof acts)[number]; by: "alice" | "bob"; pick: number };

type State = { lab: Lab; open: { id: string; isQuestion: boolean }[]; cursor: string | null; sessions: number };

async function perform(state: State, { act, by, pick }: Act): Promise<void> {
  const { lab, open } = state;
  const who = lab[by];
  const deadline = pick % 2 === 0 ? { expires_in_seconds: 60 } : {};
  switch (act) {
    case "signal":
    case "finished":
      await append(who, project, { kind: act });
      return;
    case "question":
      for (let asked = 0; asked <= pick % 5; asked += 1) {
        open.push({ id: await ask(who, project, deadline), isQuestion: true });
      }
      return;
    case "approval":
      open.push({ id: await request(who, project, deadline), isQuestion: false });
      return;
    case "session":
      state.sessions += 1;
      await who.call("session_start", { project_id: project, session_name: `s${state.sessions}` });
      return;
    case "resolve": {
      const some = open.splice(pick % Math.max(open.length, 1), 1 + (pick % 6));
      for (const item of some) await (item.isQuestion ? reply : decide)(lab.hub, item.id);
      return;
    }
    case "expire":
      lab.later(61_000);
      await lab.bob.call("inbox_read", { limit: 1 });
      state.open = [];
      for (const event of await wholeFeed(lab.hub, project)) {
        if (event.inbox_status === "action") state.open.push({ id: event.id, isQuestion: event.kind === "question" });
      }
      return;
    case "read": {
      const page = await lab.alice.call("feed_read", { project_id: project, limit: 1 + (pick % 40) });
      if (typeof page["next_since"] === "string") state.cursor = page["next_since"];
      return;
    }
    case "many":
      await Promise.all(Array.from({ length: 1 + (pick % 120) }, () => append(who, project)));
  }
}

/** The sections that read the feed, from the feed itself. */
function workedOut(feed: readonly EventView[], since: string) {
  const newestFirst = feed.filter(({ id }) => id > since).toReversed();
  const roots = new Map(feed.map((event) => [event.id, event]));
  const toHer = newestFirst.filter(
    ({ kind, thread_id }) => kind === "answer" && roots.get(thread_id ?? "")?.actor === "alice",
  );
  const listed = toHer.slice(0, 10);
  const rest = newestFirst.filter((event) => !listed.includes(event));
  const isOpen = ({ inbox_status }: EventView): boolean => inbox_status === "action";
  const newest = rest.filter((event) => !isOpen(event)).slice(0, 200);
  const isHers = ({ actor, kind }: EventView): boolean => actor === "alice" || kind === "session";
  const ranked = [...newest.filter((event) => !isHers(event)), ...newest.filter(isHers)];
  const shown = [...rest.filter(isOpen), ...ranked].slice(0, 20);
  return {
    answers: { shown: listed.map(({ id }) => id), more: toHer.length - listed.length },
    events: { shown: shown.map(({ id }) => id), more: rest.length - shown.length },
    open: shown.filter(isOpen).map(({ id }) => id),
  };
}

test("a brief is what the whole feed says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anAct, { minLength: 1, maxLength: 40 }), async (history) => {
      await using lab = await openLab({ config: { inboxActionPerAgent: 0 } });
      const state: State = { lab, open: [], cursor: null, sessions: 0 };
      for (const act of history) await perform(state, act);
      const brief = await lab.brief();
      if (state.cursor !== null) expect(brief.since).toEqual({ event_id: state.cursor, basis: "feed_cursor" });
      const expected = workedOut(await wholeFeed(lab.hub, project), brief.since.event_id ?? "");
      expect({
        answers: { shown: brief.answers.items.map(({ answer_id }) => String(answer_id)), more: brief.answers.more },
        events: { shown: ids(brief.events), more: brief.events.more },
        open: ids({ items: brief.events.items.filter(({ open }) => open === true) }),
      }).toEqual(expected);
    }),
    { numRuns: 25 },
  );
}, 120_000);

// A hub with a project and two agents, and a brief as its reader types it.
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub, type TestHubOptions } from "../../support/hub.ts";
import { sql } from "../as-caller.ts";

export type Entry = JsonObject & { id: string };
export type Section = { items: Entry[]; more: number; more_capped?: true };
export type BriefView = {
  project_id: string;
  agent: string;
  since: { event_id: string | null; basis: string };
  answers: Section;
  previous_session: JsonObject | null;
  events: Section;
  stale_pages: Section;
};

export type Lab = AsyncDisposable & {
  hub: TestHub;
  alice: Caller;
  bob: Caller;
  brief(of?: Caller, connection?: string): Promise<BriefView>;
  /** Reads the feed to its end, so that the caller's window begins here. */
  catchUp(of?: Caller): Promise<void>;
  later(ms: number): void;
};

export const project = "p";

export async function openLab(options: TestHubOptions = {}): Promise<Lab> {
  const hub = await openTestHub(options);
  await hub.project(project);
  const alice = await hub.agent("alice");
  const bob = await hub.agent("bob");
  return {
    hub,
    alice,
    bob,
    async brief(of = alice, connection) {
      const args = { project_id: project };
      const brief = await of.call("session_brief", args, connection === undefined ? {} : { connection });
      return brief as unknown as BriefView; // the shape of the contract, mcp-tools.md 17.4
    },
    async catchUp(of = alice) {
      await of.call("feed_read", { project_id: project, limit: 500 });
    },
    later(ms) {
      hub.clock.now += ms;
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

export const ids = (section: { items: { id: string }[] }): string[] => section.items.map(({ id }) => id);

/** Events straight into the store, below every id the hub mints. */
export function fill(hub: TestHub, count: number, { kind = "signal", actor = "bob" } = {}): Promise<void> {
  return sql(
    hub,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO events (id, project_id, kind, actor, summary, created_at)
     SELECT '00' || substr(?2, 1, 2) || printf('%022d', i), ?3, ?2, ?4, ?2 || ' ' || i, i FROM n`,
    count,
    kind,
    project,
    actor,
  );
}

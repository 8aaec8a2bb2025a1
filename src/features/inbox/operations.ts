// The inbox as agents read it and wait on it, and as the operator lists it.
import { readOperation } from "../../kernel/operation.ts";
import { waitFor } from "../../kernel/wait.ts";
import { pageDefault, pageMax, waitMsLongest, waitSecondsDefault } from "../../shared/limits.ts";
import type { InboxStatus } from "../../shared/views.ts";
import { settleDueItems } from "../items/index.ts";
import { anyone, operatorOnly, visibleProjects } from "../projects/index.ts";
import { ListInbox, ReadInbox, WaitInbox } from "./schema.ts";
import { countInbox, type InboxEntry, listByEffect, listGroup } from "./store.ts";

export type InboxSlice = { entries: InboxEntry[]; nextSince: string | null };

// An agent never learns whether the operator read an item, so its "unread" takes in both (mcp-tools.md 12.1).
function agentStatuses(status: InboxStatus | undefined): readonly InboxStatus[] | undefined {
  if (status === undefined) return undefined;
  return status === "unread" ? ["unread", "read"] : [status];
}

function slice(entries: InboxEntry[], since: string | undefined): InboxSlice {
  const greatest = entries.reduce<string | null>(
    (top, { effectiveId }) => (top === null || effectiveId > top ? effectiveId : top),
    null,
  );
  return { entries, nextSince: greatest ?? since ?? null };
}

export const readInbox = readOperation({
  name: "readInbox",
  input: ReadInbox,
  access: anyone,
  before: (ctx) => settleDueItems(ctx),
  run(ctx, input): InboxSlice {
    const filter = {
      visible: visibleProjects(ctx.principal),
      statuses: agentStatuses(input.status),
      projectId: input.project_id,
      actor: input.actor,
    };
    return slice(listByEffect(ctx.db, filter, input.since, input.limit ?? pageDefault), input.since);
  },
});

export const waitInbox = readOperation({
  name: "waitInbox",
  input: WaitInbox,
  access: anyone,
  async run(ctx, input): Promise<InboxSlice> {
    const { actor } = ctx.principal;
    // Without a cursor an open item just posted is no news: only a resolved one is.
    const statuses = agentStatuses(input.since === undefined ? "resolved" : input.status);
    // Only the caller's own items are waited on; another actor's match nothing.
    const isOwn = input.actor === undefined || input.actor === actor;
    const matches = isOwn && (input.since !== undefined || input.status === undefined || input.status === "resolved");
    const ms = Math.min((input.wait_seconds ?? waitSecondsDefault) * 1000, waitMsLongest);
    const found = await waitFor(ctx, { topics: [`actor:${actor}`, "access"], ms }, async () => {
      await settleDueItems(ctx);
      if (!matches) return undefined;
      const filter = { visible: visibleProjects(ctx.principal), statuses, projectId: input.project_id, actor };
      const entries = listByEffect(ctx.db, filter, input.since, input.limit ?? pageMax);
      return entries.length === 0 ? undefined : slice(entries, input.since);
    });
    return found ?? { entries: [], nextSince: input.since ?? null };
  },
});

export const listInbox = readOperation({
  name: "listInbox",
  input: ListInbox,
  access: operatorOnly,
  before: (ctx) => settleDueItems(ctx),
  run(ctx, input) {
    const limit = input.limit ?? pageDefault;
    const filter = { projectId: input.project, actor: input.actor, kind: input.kind };
    const status = input.status ?? (input.unread_only === true ? "unread" : undefined);
    const now = ctx.now();
    // One more than asked tells whether anything follows.
    const found = listGroup(
      ctx.db,
      { ...filter, eventId: input.event_id, statuses: status === undefined ? undefined : [status] },
      { group: input.group, after: input.before, now, limit: limit + 1 },
    );
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1)?.place : undefined;
    return {
      entries: page.map(({ entry }) => entry),
      nextBefore: last === undefined ? null : `${last.key}~${last.eventId}`,
      counts: countInbox(ctx.db, filter, now),
    };
  },
});

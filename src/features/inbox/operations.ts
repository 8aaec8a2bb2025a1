// The inbox as agents wait on it and as the operator lists it.
import { readOperation } from "../../kernel/operation.ts";
import { waitFor } from "../../kernel/wait.ts";
import type { InboxStatus } from "../../shared/api.ts";
import { pageDefault, pageMax, waitMsLongest, waitSecondsDefault } from "../../shared/limits.ts";
import { settleDueItems } from "../items/index.ts";
import { anyone, operatorOnly, visibleProjects } from "../projects/index.ts";
import { ListInbox, WaitInbox } from "./schema.ts";
import { countInbox, type InboxEntry, listInboxEntries } from "./store.ts";

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

export const waitInbox = readOperation({
  name: "waitInbox",
  input: WaitInbox,
  access: anyone,
  async run(ctx, input): Promise<InboxSlice> {
    const { actor } = ctx.principal;
    // Without a cursor an open item just posted is no news: only a resolved one is.
    const statuses = input.since === undefined ? agentStatuses("resolved") : agentStatuses(input.status);
    // Only the caller's own items are waited on; another actor's match nothing.
    const isOwn = input.actor === undefined || input.actor === actor;
    const matches = isOwn && (input.since !== undefined || input.status === undefined || input.status === "resolved");
    const ms = Math.min((input.wait_seconds ?? waitSecondsDefault) * 1000, waitMsLongest);
    const found = await waitFor(ctx, { topics: [`actor:${actor}`], ms }, async () => {
      await settleDueItems(ctx);
      const entries = matches
        ? listInboxEntries(
            ctx.db,
            { visible: visibleProjects(ctx.principal), statuses, projectId: input.project_id, actor },
            { since: input.since, limit: input.limit ?? pageMax },
          )
        : [];
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
    const filter = {
      visible: visibleProjects(ctx.principal),
      projectId: input.project,
      actor: input.actor,
      kind: input.kind,
    };
    const statuses = input.status === undefined ? undefined : [input.status];
    // One more than asked tells whether anything follows.
    const entries = listInboxEntries(ctx.db, { ...filter, statuses }, { before: input.before, limit: limit + 1 });
    const page = entries.slice(0, limit);
    return {
      entries: page,
      nextBefore: entries.length > limit ? (page.at(-1)?.eventId ?? null) : null,
      counts: countInbox(ctx.db, filter, ctx.now()),
    };
  },
});

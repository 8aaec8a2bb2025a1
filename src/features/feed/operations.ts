// Reading a feed with the durable cursor (mcp-tools.md 9.1, 9.2, 17.5). Page and cursor move in one transaction, so two
// readers of one actor never get the same event twice; a read that moves nothing writes nothing.
import type { Principal } from "../../kernel/ctx.ts";
import { writeOperation } from "../../kernel/operation.ts";
import { type EventKind, eventKinds } from "../../shared/api.ts";
import { pageDefault } from "../../shared/limits.ts";
import { type EventWithStatus, listEvents } from "../events/index.ts";
import { settleDueItems } from "../items/index.ts";
import { readsProject } from "../projects/index.ts";
import { isSessionKnown } from "../sessions/index.ts";
import { ReadFeed } from "./schema.ts";
import { advanceCursor, findCursor } from "./store.ts";

export type FeedPage = { events: EventWithStatus[]; nextSince: string | null; nextBefore: string | null };

export const readFeed = writeOperation({
  name: "readFeed",
  input: ReadFeed,
  access: readsProject,
  before: (ctx) => settleDueItems(ctx),
  run(tx, ctx, input): FeedPage {
    const { actor } = ctx.principal;
    if (input.session !== undefined && !isSessionKnown(tx.db, input.session)) {
      return { events: [], nextSince: null, nextBefore: null };
    }
    const isBackward = input.before !== undefined;
    const since = input.since ?? (isBackward ? undefined : findCursor(tx.db, actor, input.project_id));
    const oldestFirst = since !== undefined && !isBackward;
    const kinds = readableKinds(ctx.principal, input.kinds);
    const events =
      kinds.length === 0
        ? []
        : listEvents(tx.db, {
            projectId: input.project_id,
            kinds,
            sessionId: input.session,
            since,
            before: input.before,
            limit: input.limit ?? pageDefault,
            oldestFirst,
          });
    const page = toPage(events, oldestFirst, isBackward, since);
    if (page.nextSince !== null && events.length > 0) advanceCursor(tx.db, actor, input.project_id, page.nextSince);
    return page;
  },
});

// Audit records are the operator's, and only when asked for by name.
function readableKinds(principal: Principal, asked: readonly EventKind[] | undefined): readonly EventKind[] {
  const kinds = asked === undefined || asked.length === 0 ? eventKinds.filter((kind) => kind !== "system") : asked;
  return principal.kind === "operator" ? kinds : kinds.filter((kind) => kind !== "system");
}

function toPage(
  events: EventWithStatus[],
  oldestFirst: boolean,
  isBackward: boolean,
  emptySince: string | undefined,
): FeedPage {
  const first = events.at(0)?.id ?? null;
  const last = events.at(-1)?.id ?? null;
  const newest = oldestFirst ? last : first;
  const oldest = oldestFirst ? first : last;
  if (isBackward) return { events, nextSince: null, nextBefore: oldest };
  return { events, nextSince: newest ?? emptySince ?? null, nextBefore: oldest };
}

// Reading a feed: an agent with its durable cursor, the operator without moving any (mcp-tools.md 9.2, rest-api.md 5).
import { readOperation, writeOperation } from "../../kernel/operation.ts";
import { pageDefault } from "../../shared/limits.ts";
import { findEvent } from "../events/index.ts";
import { settleDueItems } from "../items/index.ts";
import { operatorOnly, readsProject, requireProject } from "../projects/index.ts";
import { type FeedPage, readAround, readableKinds, readPage } from "./page.ts";
import { ListFeed, MarkSeen, ReadFeed } from "./schema.ts";
import { advanceCursor, findCursor, findSeen, setSeen } from "./store.ts";

// Page and cursor move in one transaction, so two readers of one actor never get the same event twice; a read that moves
// nothing writes nothing.
export const readFeed = writeOperation({
  name: "readFeed",
  input: ReadFeed,
  access: readsProject,
  before: (ctx) => settleDueItems(ctx),
  run(tx, ctx, input): FeedPage {
    const { actor } = ctx.principal;
    const stored = input.before === undefined ? findCursor(tx.db, actor, input.project_id) : undefined;
    const page = readPage(tx.db, {
      projectId: input.project_id,
      kinds: readableKinds(ctx.principal, input.kinds),
      since: input.since ?? stored,
      before: input.before,
      sessionId: input.session,
      limit: input.limit ?? pageDefault,
    });
    // An empty poll moves it too, to the cursor it was given.
    if (page.nextSince !== null && page.nextSince !== stored) {
      advanceCursor(tx.db, actor, input.project_id, page.nextSince);
    }
    return page;
  },
});

export const listFeed = readOperation({
  name: "listFeed",
  input: ListFeed,
  access: (who, input) => {
    operatorOnly(who, input);
    if (input.project_id !== undefined) requireProject(who, "read", input.project_id);
  },
  before: (ctx) => settleDueItems(ctx),
  run(ctx, input): FeedPage & { lastSeen: string | null } {
    const query = {
      projectId: input.project_id ?? null,
      kinds: readableKinds(ctx.principal, input.kinds),
      sessionId: input.session ?? input.session_id,
      actor: input.actor,
    };
    const page =
      input.around !== undefined && input.project_id !== undefined
        ? readAround(ctx.db, { ...query, projectId: input.project_id }, input.around)
        : readPage(ctx.db, {
            ...query,
            since: input.since,
            before: input.before,
            limit: input.limit ?? pageDefault,
          });
    return { ...page, lastSeen: input.project_id === undefined ? null : (findSeen(ctx.db, input.project_id) ?? null) };
  },
});

export const markSeen = writeOperation({
  name: "markSeen",
  input: MarkSeen,
  access: (who, input) => {
    operatorOnly(who, input);
    requireProject(who, "read", input.project_id);
  },
  run(tx, _ctx, input) {
    const seen = findSeen(tx.db, input.project_id);
    const event = findEvent(tx.db, input.event_id);
    // Forward only; an id of another project or an unknown one moves nothing.
    const isForward = event?.projectId === input.project_id && (seen === undefined || event.id > seen);
    if (event === undefined || !isForward) {
      return { projectId: input.project_id, lastSeen: seen ?? null, hasAdvanced: false };
    }
    setSeen(tx.db, input.project_id, event.id);
    tx.wake("projects");
    return { projectId: input.project_id, lastSeen: event.id, hasAdvanced: true };
  },
});

import type { Feature } from "../../kernel/feature.ts";

export { appendAudit, appendEvent, eventAppended, eventsRemoved, hasRoom, removeSessionEvents } from "./append.ts";
export { replayStore } from "./replay.ts";
export {
  dropReplayKeys,
  type EventRecord,
  type EventWithStatus,
  findEvent,
  listEvents,
  listEventsFrom,
  withStatus,
} from "./store.ts";
export { requireThreadRoot } from "./threads.ts";
export { viewEvent } from "./view.ts";

export const events: Feature = { name: "events", ids: [{ table: "events", column: "id" }] };

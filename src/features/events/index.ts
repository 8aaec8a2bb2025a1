import type { Feature } from "../../kernel/feature.ts";

export { appendAudit, appendEvent, eventAppended, hasRoom } from "./append.ts";
export { replayStore } from "./replay.ts";
export {
  countEvents,
  type EventFilter,
  type EventRecord,
  type EventWithStatus,
  findEvent,
  listEvents,
  withStatus,
} from "./store.ts";
export { requireThreadRoot } from "./threads.ts";
export { viewEvent } from "./view.ts";

export const events: Feature = { name: "events", ids: [{ table: "events", column: "id" }] };

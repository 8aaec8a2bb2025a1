import type { Feature } from "../../kernel/feature.ts";
import { sweepIdleConnections } from "./connections.ts";

export { activeSession, endConnection, openConnection, sessionOfWrite, useConnection } from "./connections.ts";
export { clearActiveSession, setActiveSession } from "./store.ts";

export const connections: Feature = {
  name: "connections",
  sweeps: [{ name: "idle connections", pace: "sweeper", run: sweepIdleConnections }],
};

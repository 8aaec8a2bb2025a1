import type { Feature } from "../../kernel/feature.ts";
import { sweepIdleConnections } from "./connections.ts";

export {
  activeSession,
  endConnection,
  openConnection,
  sessionOfWrite,
  useConnection,
  useNamedConnection,
} from "./connections.ts";
export { clearActiveSession, releaseActiveSession, setActiveSession } from "./store.ts";

export const connections: Feature = {
  name: "connections",
  sweeps: [{ name: "idle connections", pace: "sweeper", run: sweepIdleConnections }],
};

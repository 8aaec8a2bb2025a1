import { type Route, route } from "../../kernel/route.ts";
import { viewAgent } from "../identity/index.ts";
import { admitAgent, askIn, readEnrolStatus, refuseAgent } from "./operations.ts";

export const enrolmentRoutes: readonly Route[] = [
  route("askIn", {
    operation: askIn,
    present: ({ token, agentId }) => ({ token, agent_id: agentId, status: "pending" }),
  }),
  route("getEnrolStatus", {
    operation: readEnrolStatus,
    present: (status) =>
      status.isPending ? { status: "pending" } : { status: "approved", agent_id: status.agentId, share: status.shares },
  }),
  route("admitAgent", { operation: admitAgent, present: viewAgent }),
  route("refuseAgent", { operation: refuseAgent, present: () => undefined }),
];

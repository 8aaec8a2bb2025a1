// Asking to join a hub: one request without a token (cli.md 7, step 4).
import { isObject } from "../../shared/json.ts";
import type { Hub } from "../connection.ts";
import { callRest, notHub } from "../rest.ts";

export type Request = { displayName: string; suggestedId: string | undefined; why: string };
export type Accepted = { token: string; agentId: string };

/** Throws `HubFailure`. */
export async function askToJoin(hub: Hub, request: Request, signal: AbortSignal): Promise<Accepted> {
  const { displayName, suggestedId, why } = request;
  const answer = await callRest(hub, {
    method: "POST",
    path: "/api/v1/enrol",
    body: { display_name: displayName, why, ...(suggestedId === undefined ? {} : { suggested_id: suggestedId }) },
    signal,
  });
  const { token, agent_id: agentId } = isObject(answer) ? answer : {};
  if (typeof token !== "string" || token === "" || typeof agentId !== "string") throw notHub(hub, "without a token");
  return { token, agentId };
}

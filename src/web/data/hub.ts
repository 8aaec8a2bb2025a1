// The hub itself: what it is, what it allows, where it is reached (rest-api.md 20).
import type { HubView } from "../../shared/views.ts";
import { call } from "./call.ts";
import type { ResourceSpec } from "./resource.ts";
import { hubAddress } from "./scope.ts";

export const hubSpec: ResourceSpec<HubView> = {
  key: "hub",
  concerns: (topic) => topic === "hub",
  isKept: true,
  load: (signal) => call("getHub", { signal }),
};

/** Where agents reach the hub: as its operator configured it, else as this app does. */
export function agentAddresses(hub: Pick<HubView, "public_url"> | undefined): { mcp: string; base: string } {
  const base = (hub?.public_url ?? hubAddress).replace(/\/+$/, "");
  return { base, mcp: `${base}/mcp` };
}

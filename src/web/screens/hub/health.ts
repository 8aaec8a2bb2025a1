// Whether the hub's store is ready, asked where every probe asks.

import { isObject } from "../../../shared/json.ts";
import type { ResourceSpec } from "../../data/resource.ts";
import { addressOf } from "../../data/scope.ts";
import { hubText } from "../../text/en-hub.ts";

/** In words; a hub that gives no answer is no failure of this screen. */
export const healthSpec: ResourceSpec<string> = {
  key: "health",
  concerns: (topic) => topic === "hub" || topic === "storage",
  async load(signal) {
    const answer = await fetch(addressOf("readyz"), { cache: "no-store", signal }).catch(() => undefined);
    if (answer === undefined) return hubText.noHealth;
    if (answer.ok) return hubText.healthy;
    const body: unknown = await answer.json().catch(() => undefined); // not the hub's own words
    const detail = isObject(body) ? body["detail"] : undefined;
    return hubText.unhealthy(typeof detail === "string" ? detail : hubText.unhealthyUnknown);
  },
};

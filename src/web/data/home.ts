// What paints Home and lights the lamp: one call (rest-api.md 3).
import { signal } from "@preact/signals";
import type { HomeView } from "../../shared/views.ts";
import { call } from "./call.ts";
import type { ResourceSpec } from "./resource.ts";

/** True while the whole of it is on screen: then everything concerns it. */
export const isHomeShown = signal(false);

// What can change the number that waits, or the hub's name.
const topics = new Set(["inbox", "projects", "hub"]);

export const homeSpec: ResourceSpec<HomeView> = {
  key: "home",
  concerns: (topic) => topics.has(topic) || isHomeShown.value,
  load: (signal) => call("getHome", { signal }),
  isKept: true,
  isForHidden: true,
};

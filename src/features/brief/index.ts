import type { Feature } from "../../kernel/feature.ts";
import type { Notifier } from "../notify/index.ts";
import { briefTools } from "./tools.ts";

export function createBrief(notifier: Notifier): Feature {
  return { name: "brief", tools: briefTools(notifier) };
}

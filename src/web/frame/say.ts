// How the runtime speaks to the page that embeds it. The frame's own origin is opaque, so no origin can be named; what
// is said holds nothing the page does not know.
import type { FromFrame } from "./messages.ts";

export function say(message: FromFrame): void {
  if (parent !== window) parent.postMessage(message, "*");
}

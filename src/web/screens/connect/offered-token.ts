// The token of a start-up link, `#/connect?token=…`: out of the address before anything is asked of the hub, so that no
// history and no screen keeps it.
import { type ReadonlySignal, signal } from "@preact/signals";
import { parseRoute, routeText } from "../../shell/route.ts";

const offered = signal<string | undefined>(undefined);

export const offeredToken: ReadonlySignal<string | undefined> = offered;

/** Call before anything else reads the address. */
export function removeOfferedToken(): void {
  const { segments, query } = parseRoute(location.hash);
  const given = query.get("token");
  if (segments[0] !== "connect" || given === null) return;
  offered.value = given;
  const rest = { next: query.get("next") ?? undefined };
  history.replaceState(history.state, "", `#${routeText(["connect"], rest)}`);
}

export function takeOfferedToken(): string | undefined {
  const given = offered.peek();
  offered.value = undefined;
  return given;
}

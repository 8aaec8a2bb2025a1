// An agent as a tile with its first letter; a corner dot while it is at work, and the word in the name.
import { partsText } from "../text/en-parts.ts";
import { initial } from "../text/names.ts";
import { Dot } from "./badge.tsx";

export function Avatar({ name, state }: { name: string; state: "live" | "idle" | "never" }) {
  const word = { live: partsText.live, idle: partsText.idle, never: partsText.neverSeen }[state];
  return (
    <span class="avatar" role="img" aria-label={`${name}, ${word}`}>
      <span aria-hidden="true">{initial(name)}</span>
      {state === "live" ? <Dot tone="live" /> : null}
    </span>
  );
}

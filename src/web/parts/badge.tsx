// Counts and dots on something else. The owner's accessible name carries the number, so these say nothing themselves.
import { badgeCount } from "../text/count.ts";

/** `lamp` only for what waits for the operator. Zero draws nothing. */
export function Badge({ amount, tone }: { amount: number; tone: "lamp" | "new" | "plain" }) {
  if (amount === 0) return null;
  return (
    <span class={`badge ${tone}`} aria-hidden="true">
      {badgeCount(amount)}
    </span>
  );
}

export function Dot({ tone }: { tone: "lamp" | "new" | "live" | "hold" }) {
  return <span class={`dot ${tone}`} aria-hidden="true" />;
}

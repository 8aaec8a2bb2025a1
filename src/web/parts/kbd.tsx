// The key that does the same; hidden where a finger is likelier, and never read out beside the words it repeats.
import type { ComponentChildren } from "preact";

export function Kbd({ children }: { children: ComponentChildren }) {
  return (
    <span class="kbd" aria-hidden="true">
      {children}
    </span>
  );
}

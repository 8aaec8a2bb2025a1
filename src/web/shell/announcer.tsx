// What a screen reader hears of things that happen: one polite region, one that interrupts.
import { signal } from "@preact/signals";

type Said = { words: string; turn: number };

const polite = signal<Said>({ words: "", turn: 0 });
const urgent = signal<Said>({ words: "", turn: 0 });

export function announce(words: string): void {
  polite.value = { words, turn: polite.value.turn + 1 };
}

/** For what must not wait: the last minute of a deadline. */
export function announceNow(words: string): void {
  urgent.value = { words, turn: urgent.value.turn + 1 };
}

export function Announcer() {
  return (
    <div class="unseen-by-eye">
      <Region said={polite.value} tone="polite" />
      <Region said={urgent.value} tone="assertive" />
    </div>
  );
}

// The same words twice are two messages, so each is an element of its own.
function Region({ said, tone }: { said: Said; tone: "polite" | "assertive" }) {
  return (
    <div aria-live={tone} data-announcer={tone}>
      {said.words === "" ? null : <p key={said.turn}>{said.words}</p>}
    </div>
  );
}

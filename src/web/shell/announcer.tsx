// What a screen reader hears of things that happen: one polite region, one that interrupts.
import { type Signal, signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/** `isDrawn` once it is on the page, from where it is heard. */
type Said = { words: string; turn: number; isDrawn: boolean };

const polite = signal<Said>({ words: "", turn: 0, isDrawn: true });
const urgent = signal<Said>({ words: "", turn: 0, isDrawn: true });

export function announce(words: string): void {
  say(polite, words);
}

/** For what must not wait: the last minute of a deadline. */
export function announceNow(words: string): void {
  say(urgent, words);
}

// What is said in one breath is heard as one: the second would replace the first before it was drawn.
function say(region: Signal<Said>, words: string): void {
  const before = region.peek();
  region.value = {
    words: before.isDrawn ? words : `${before.words} ${words}`,
    turn: before.turn + 1,
    isDrawn: false,
  };
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
  useLayoutEffect(() => {
    said.isDrawn = true;
  }, [said]);
  return (
    <div aria-live={tone} data-announcer={tone}>
      {said.words === "" ? null : <p key={said.turn}>{said.words}</p>}
    </div>
  );
}

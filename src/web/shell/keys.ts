// Keys of the screen that is open (web-app.md 5.3): never while typing, with a modifier, or under a dialog.
import { computed, signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { shortcuts } from "../data/preferences.ts";

export type KeyBinding = {
  /** As the list shows it: `j`, `Shift+E`, `g h`. */
  keys: string;
  words: string;
  run: () => void;
  /** Works with single-key shortcuts off, too. */
  isAlways?: true;
};

const sequenceMs = 1200;

const layers = signal<readonly (() => readonly KeyBinding[])[]>([]);
const sawHardwareKey = signal(matchMedia("(any-pointer: fine)").matches);
let first: { key: string; atMs: number } | undefined;

const areShortcutsOn = computed(() => shortcuts.value === "on" || (shortcuts.value === "auto" && sawHardwareKey.value));

/** Everything a key does now, the innermost first, each key once. */
export function activeKeys(): KeyBinding[] {
  const found = new Map<string, KeyBinding>();
  for (const layer of layers.value.toReversed()) {
    for (const binding of layer()) {
      if ((binding.isAlways === true || areShortcutsOn.value) && !found.has(binding.keys))
        found.set(binding.keys, binding);
    }
  }
  return [...found.values()];
}

/**
 * Binds keys while the component is there. A function is asked at each press, so that it answers for this very moment;
 * either must stay the same object while nothing changes.
 */
export function useKeys(bindings: readonly KeyBinding[] | (() => readonly KeyBinding[])): void {
  // With what is on the screen, not a frame later: a key pressed in between would be lost.
  useLayoutEffect(() => {
    const layer = (): readonly KeyBinding[] => (typeof bindings === "function" ? bindings() : bindings);
    layers.value = [...layers.value, layer];
    return () => {
      layers.value = layers.value.filter((other) => other !== layer);
    };
  }, [bindings]);
}

export function startKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (!isTyping(event.target) && event.key !== "Unidentified") sawHardwareKey.value = true;
    const name = nameOf(event);
    if (event.defaultPrevented || name === undefined || document.querySelector("dialog[open]") !== null) return;
    if (isTyping(event.target) && name !== "Escape" && name !== "Ctrl+K" && name !== "F6") return;
    const bindings = activeKeys();
    const sequence = first !== undefined && Date.now() - first.atMs < sequenceMs ? `${first.key} ${name}` : undefined;
    first = undefined;
    const binding = bindings.find(({ keys }) => keys === sequence) ?? bindings.find(({ keys }) => keys === name);
    if (binding !== undefined) {
      event.preventDefault();
      binding.run();
    } else if (bindings.some(({ keys }) => keys.startsWith(`${name} `))) {
      first = { key: name, atMs: Date.now() };
    }
  });
}

// `Ctrl` stands for the command key as well; any other modifier makes it no key of ours.
function nameOf(event: KeyboardEvent): string | undefined {
  if (event.isComposing || event.altKey) return undefined;
  const isLetter = /^[a-z]$/i.test(event.key);
  if (event.ctrlKey || event.metaKey) return isLetter ? `Ctrl+${event.key.toUpperCase()}` : undefined;
  return event.shiftKey && isLetter ? `Shift+${event.key.toUpperCase()}` : event.key;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(?:checkbox|radio|button|submit|range)$/.test(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

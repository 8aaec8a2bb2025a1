// What a feature provides for a kind that a feature below it owns (architecture.md 14, item subjects): a typed slot,
// filled once in server/hub.ts.

/** A slot and the type of what fills it. */
export type Slot<T> = { readonly name: string; readonly holds?: T };

export function defineSlot<T>(name: string): Slot<T> {
  return { name };
}

export type Part = { readonly slot: string; readonly kind: string; readonly value: unknown };

export function provide<T>(slot: Slot<T>, kind: string, value: T): Part {
  return { slot: slot.name, kind, value };
}

export type Parts = {
  /** @throws Error when nothing was provided: a wiring fault, found by the first test of it */
  of<T>(slot: Slot<T>, kind: string): T;
};

export function createParts(parts: readonly Part[]): Parts {
  const bySlot = new Map(parts.map((part) => [`${part.slot}\0${part.kind}`, part.value]));
  if (bySlot.size < parts.length) throw new Error("two features provide the same slot for the same kind");
  return {
    of<T>(slot: Slot<T>, kind: string): T {
      const value = bySlot.get(`${slot.name}\0${kind}`);
      if (value === undefined) throw new Error(`nothing provides ${slot.name} for ${kind}`);
      // `provide` took a T for this slot.
      return value as T;
    },
  };
}

// Facts in the transaction (architecture.md 14): a feature says what happened, features above it listen, all inside one
// savepoint. A listener that throws rolls the whole job back.
import type { Tx } from "./ctx.ts";

/** A kind of fact and the type of what it says. */
export type FactKind<T> = { readonly name: string; readonly says?: T };

export function defineFact<T>(name: string): FactKind<T> {
  return { name };
}

/** One listener, as data; `server/hub.ts` fixes their order. */
export type FactListener = { readonly fact: string; readonly hear: (tx: Tx, value: unknown) => void };

export function listen<T>(fact: FactKind<T>, hear: (tx: Tx, value: T) => void): FactListener {
  // A fact is only ever emitted through its own kind, which fixes T.
  return { fact: fact.name, hear: (tx, value) => hear(tx, value as T) };
}

export type Facts = { emit<T>(tx: Tx, fact: FactKind<T>, value: T): void };

export function createFacts(listeners: readonly FactListener[]): Facts {
  const byName = new Map<string, FactListener[]>();
  for (const listener of listeners) byName.set(listener.fact, [...(byName.get(listener.fact) ?? []), listener]);
  return {
    emit(tx, fact, value) {
      for (const listener of byName.get(fact.name) ?? []) listener.hear(tx, value);
    },
  };
}

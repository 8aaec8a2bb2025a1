// The operator's own acts take an item out of the list it stands in; lists hear of it here and let it go at once.
type Departure = { id: string; to: "resolved" | "snoozed" | "woken" | "gone" };

const listeners = new Set<(departure: Departure) => void>();

export function onDeparture(listener: (departure: Departure) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellDeparture(departure: Departure): void {
  for (const listener of listeners) listener(departure);
}

// Counts as the app writes them: grouped by the device's locale, cut in a badge, with a word that agrees.

const grouped = new Intl.NumberFormat();
const plurals = new Intl.PluralRules("en");

export function count(amount: number): string {
  return grouped.format(amount);
}

/** In a badge: `999+` above 999; the owner's accessible name says the whole number. */
export function badgeCount(amount: number): string {
  return amount > 999 ? "999+" : String(amount);
}

/** `1 item`, `2 items`. */
export function counted(amount: number, one: string, many: string): string {
  return `${count(amount)} ${plurals.select(amount) === "one" ? one : many}`;
}

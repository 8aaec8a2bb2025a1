// Amounts of bytes, 1000-based: `812 B`, `4.2 KB`, `18 MB`, `1.3 GB`.

const units = ["B", "KB", "MB", "GB", "TB", "PB"] as const;

export function bytes(amount: number): string {
  let value = amount;
  let unit = 0;
  // 999.5 of a unit would round to 1000 of it.
  while (unit < units.length - 1 && (unit === 0 ? value >= 1000 : value >= 999.5)) {
    value /= 1000;
    unit += 1;
  }
  const shown = unit > 0 && value < 9.95 ? value.toFixed(1) : String(Math.round(value));
  return `${shown} ${units[unit] ?? "B"}`;
}

/** For the title beside a short form. */
export function exactBytes(amount: number): string {
  return `${new Intl.NumberFormat().format(amount)} bytes`;
}

// The report: one line a row, plain text. Where a cell names two numbers, the hub's comes first.
import { median, type Pair, type Row, ratios, type Series, type Target } from "./figure.ts";

const headings = ["figure", "hub", "floor", "ratio", "spread", "target", "verdict", "cpu us", "p99 ms", "floor is"];

export function renderTable(rows: readonly Row[]): string {
  const lines = [headings, ...rows.map(cellsOf)];
  const widths = headings.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? "").length)));
  const text = lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${text.join("\n")}\n`;
}

function cellsOf(row: Row): string[] {
  const each = ratios(row);
  const ratio = median(each);
  return [
    row.name,
    `${shown(row.hub)} ${row.unit}`,
    `${shown(row.floor)} ${row.unit}`,
    ratio.toFixed(2),
    `${Math.min(...each).toFixed(2)}..${Math.max(...each).toFixed(2)}`,
    row.target === null ? "" : bounds(row.target),
    row.target === null ? "" : verdict(row.target, ratio),
    row.ofServers === null ? "" : both(row.ofServers.cpuUs),
    row.ofServers === null ? "" : both(row.ofServers.p99Ms),
    row.against,
  ];
}

function bounds({ kind, must, ambitious }: Target): string {
  return `${kind === "at least" ? ">=" : "<="} ${must}${ambitious === null ? "" : ` (${ambitious})`}`;
}

function verdict({ kind, must, ambitious }: Target, ratio: number): string {
  const holds = (bound: number): boolean => (kind === "at least" ? ratio >= bound : ratio <= bound);
  if (!holds(must)) return "MISSED";
  return ambitious !== null && holds(ambitious) ? "met, ambitious too" : "met";
}

function both({ hub, floor }: Pair): string {
  return `${shown(hub)} / ${shown(floor)}`;
}

function shown(values: Series): string {
  const value = median(values);
  if (Number.isNaN(value)) return "-";
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(1);
}

// What is over its budget (web-app.md 2.5), and the table the build prints.
import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import type { Bundle } from "./bundle.ts";
import { anyChunkBytes, chunkBudgets, type WebEntry, wholeAppBytes } from "./web-entries.ts";

export type Weight = { name: string; bytes: number; maxBytes: number };

export function weigh(bundle: Bundle, webEntries: readonly WebEntry[]): Weight[] {
  const sizes = new Map([...bundle.files].map(([path, bytes]) => [path, gzipSync(bytes, { level: 9 }).length]));
  const total = (paths: Iterable<string>): number => [...paths].reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
  const weights = webEntries.map(({ name, maxBytes }): Weight => {
    const inline = bundle.inline.get(name);
    const bytes = inline === undefined ? total(bundle.entries[name] ?? []) : gzipSync(inline, { level: 9 }).length;
    return { name, bytes, maxBytes };
  });
  const atOnce = new Set(Object.values(bundle.entries).flat());
  for (const [path, bytes] of sizes) {
    if (atOnce.has(path)) continue;
    const name = posix.basename(path).replace(/-[a-z\d]+\.\w+$/, "");
    weights.push({ name: `chunk ${name}`, bytes, maxBytes: chunkBudgets[name] ?? anyChunkBytes });
  }
  return [...weights, { name: "whole app", bytes: total(sizes.keys()), maxBytes: wholeAppBytes }];
}

export function overweight(weights: readonly Weight[]): string[] {
  return weights
    .filter(({ bytes, maxBytes }) => bytes > maxBytes)
    .map(({ name, bytes, maxBytes }) => `${name}: ${bytes} bytes gzip, the budget is ${maxBytes}`);
}

// One level of a brain, as brain_list and the operator see it (mcp-tools.md 17.28, rest-api.md 8).
import type { Db } from "../../storage/database.ts";
import { hasEntriesBelow, listRange, sumFilesIn, sumRange } from "./brain-store.ts";
import { canonicalListPath } from "./paths.ts";

export type ListedEntry = { path: string; type: "key" | "file" | "dir"; size: number };

const firstBatch = 16;
const largestBatch = 4096;

/** Keys under a prefix, or the children of a directory; without a path all keys, then what lies at the root of /fs. */
export function listLevel(db: Db, sessionId: string, path: string | undefined, limit: number): ListedEntry[] {
  if (path === undefined) {
    const keys = listKeys(db, sessionId, "/kv/", limit);
    return [...keys, ...listChildren(db, sessionId, "/fs", limit - keys.length)];
  }
  const canonical = canonicalListPath(path) ?? path;
  return canonical.startsWith("/kv/")
    ? listKeys(db, sessionId, canonical, limit)
    : listChildren(db, sessionId, canonical, limit);
}

/** The two namespaces, each when it holds something. */
export function listRoots(db: Db, sessionId: string): ListedEntry[] {
  const keys = { from: "/kv/", to: afterPrefix("/kv/") };
  const roots = [
    { path: "/fs", size: () => sumFilesIn(db, sessionId, "/fs") },
    { path: "/kv", size: () => sumRange(db, sessionId, keys) },
  ];
  return roots
    .filter(({ path }) => hasEntriesBelow(db, sessionId, path))
    .map(({ path, size }) => ({ path, type: "dir", size: size() }));
}

function listKeys(db: Db, sessionId: string, prefix: string, limit: number): ListedEntry[] {
  const rows = listRange(db, sessionId, { from: prefix, to: afterPrefix(prefix) }, limit);
  return rows.map((row) => ({ ...row, type: "key" }));
}

// Walks the paths in order and steps over what lies deeper, so that a small directory over a large tree is cheap.
function listChildren(db: Db, sessionId: string, directory: string, limit: number): ListedEntry[] {
  const below = `${directory}/`;
  const to = `${directory}0`;
  const children: ListedEntry[] = [];
  const addDirectory = (path: string): void => {
    children.push({ path, type: "dir", size: sumFilesIn(db, sessionId, path) });
  };
  let from = below;
  let batch = firstBatch;
  while (children.length < limit) {
    const rows = listRange(db, sessionId, { from, to }, Math.min(batch, limit - children.length));
    batch = Math.min(batch * 2, largestBatch);
    for (const row of rows) {
      const slash = row.path.indexOf("/", below.length);
      from = `${row.path}\0`;
      if (slash === -1) {
        children.push({ ...row, type: "file" });
        continue;
      }
      const path = row.path.slice(0, slash);
      addDirectory(path);
      from = `${path}0`;
      batch = firstBatch;
      break;
    }
    if (rows.length === 0) return children.sort(byPath);
  }
  // By their paths directories come late: of those that are still to come, the names begin the last name here.
  const last = children.toSorted(byPath).at(-1)?.path ?? "";
  const isListed = new Set(children.map((child) => child.path));
  for (let end = below.length + 1; end < last.length; end += 1) {
    const path = last.slice(0, end);
    if (last.charAt(end) < "/" && !isListed.has(path) && hasEntriesBelow(db, sessionId, path)) addDirectory(path);
  }
  return children.sort(byPath).slice(0, limit);
}

/** The least text above all that start with the prefix. Code points and UTF-8 bytes have one order. */
function afterPrefix(prefix: string): string {
  const characters = [...prefix];
  for (;;) {
    const code = characters.pop()?.codePointAt(0);
    if (code === undefined) return "";
    if (code === 0x10ffff) continue;
    // No character lies between the last before the surrogates and the first after them.
    return characters.join("") + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
  }
}

// By code points, as the store sorts; two units of which one is half of a pair compare the other way round.
function byPath({ path: a }: ListedEntry, { path: b }: ListedEntry): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index += 1) {
    const difference = orderOf(a.charCodeAt(index)) - orderOf(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function orderOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

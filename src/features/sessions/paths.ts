// Paths of a session's brain (mcp-tools.md 14.1): /fs/ is canonicalised, a /kv/ key is opaque.
import { byteLength } from "../../shared/json.ts";
import { brainPathBytes } from "../../shared/limits.ts";

export const brainPathExpected = `/fs/<path> or /kv/<key>, at most ${brainPathBytes} bytes`;

/** The canonical form of an entry's path; undefined when it names no entry. */
export function canonicalPath(path: string): string | undefined {
  const canonical = path.startsWith("/kv/") ? path : canonicalFile(path);
  if (canonical === undefined || canonical === "/kv/" || byteLength(canonical) > brainPathBytes) return undefined;
  return canonical;
}

function canonicalFile(path: string): string | undefined {
  if (!path.startsWith("/fs/")) return undefined;
  const kept: string[] = [];
  for (const part of path.slice("/fs/".length).split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return kept.length === 0 ? undefined : `/fs/${kept.join("/")}`;
}

/** Paths that would have to be a directory for this one to be a file. Keys have none. */
export function ancestorsOf(path: string): string[] {
  if (!path.startsWith("/fs/")) return [];
  const parts = path.split("/");
  return parts.slice(3).map((_, index) => parts.slice(0, index + 3).join("/"));
}

/** The canonical form of what a listing names: a directory, or a key prefix; undefined when it is neither. */
export function canonicalListPath(path: string): string | undefined {
  if (path === "/kv" || path === "/kv/") return "/kv/";
  if (/^\/fs\/*$/.test(path)) return "/fs";
  // A path of `..` alone stays at the root.
  if (path.startsWith("/fs/") && canonicalFile(path) === undefined) return "/fs";
  return canonicalPath(path);
}

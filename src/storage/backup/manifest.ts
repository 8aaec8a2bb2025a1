// The list of what a backup holds (operations.md 5.1). It is written last, so a folder without one is no backup, and it
// is read as what it is: a file somebody may have changed.
import { isObject } from "../../shared/json.ts";
import { StoreRefusedError } from "../store-fault.ts";

export const manifestName = "manifest.json";
export const databaseMember = "hub.db";
export const tailnetMember = "tailnet/keys.json";
const format = 1;
const blobMember = /^blobs\/sha256\/([0-9a-f]{2})\/([0-9a-f]{62})$/;

/** One file of the set; `path` is relative, with `/` between its parts. */
export type Member = { path: string; size: number; sha256: string };

export type Manifest = {
  format: typeof format;
  schema_version: number;
  hub_version: string;
  created_at: string;
  /** Every member but the manifest, by path. */
  files: Member[];
};

export function createManifest(set: Omit<Manifest, "format">): Manifest {
  const byPath = (a: Member, b: Member): number => (a.path < b.path ? -1 : 1);
  return { format, ...set, files: set.files.toSorted(byPath) };
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

export function blobMemberPath(hash: string): string {
  return `blobs/sha256/${hash.slice(0, 2)}/${hash.slice(2)}`;
}

/** The digest a member's path names; undefined when it is no blob. */
export function hashOfMember(path: string): string | undefined {
  const [, folder, name] = blobMember.exec(path) ?? [];
  return folder === undefined || name === undefined ? undefined : folder + name;
}

export function bytesOf(files: readonly Member[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** @throws StoreRefusedError when this is no manifest this binary can follow, or one that leads out of its folder */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StoreRefusedError(`${manifestName} is not JSON; take the backup again`, { cause: error });
  }
  if (!isObject(value) || value["format"] !== format) {
    throw new StoreRefusedError(`${manifestName} has no format this binary knows; use a newer agent-hub`);
  }
  const { schema_version, hub_version, created_at, files } = value;
  if (
    !isCount(schema_version) ||
    typeof hub_version !== "string" ||
    typeof created_at !== "string" ||
    !Array.isArray(files)
  ) {
    throw new StoreRefusedError(`${manifestName} is incomplete; take the backup again`);
  }
  const members = files.map(parseMember);
  const paths = new Set(members.map(({ path }) => path));
  if (paths.size < members.length) throw new StoreRefusedError(`${manifestName} names a member twice`);
  if (!paths.has(databaseMember)) throw new StoreRefusedError(`${manifestName} names no ${databaseMember}`);
  return createManifest({ schema_version, hub_version, created_at, files: members });
}

// Nothing but these three kinds is ever written, so nothing else is ever put into a data directory.
function parseMember(value: unknown): Member {
  const { path, size, sha256 } = isObject(value) ? value : {};
  if (typeof path !== "string" || !isCount(size) || typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256)) {
    throw new StoreRefusedError(`${manifestName} holds a member without path, size or digest`);
  }
  const hash = hashOfMember(path);
  if (hash === undefined && path !== databaseMember && path !== tailnetMember) {
    throw new StoreRefusedError(`${manifestName} names ${JSON.stringify(path)}, which is no member of a backup`);
  }
  if (hash !== undefined && hash !== sha256) {
    throw new StoreRefusedError(`${manifestName} names ${path} with another digest than its name`);
  }
  return { path, size, sha256 };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

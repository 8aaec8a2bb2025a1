// What `doctor` tells besides a quick check (operations.md 8), read only.
import { existsSync, statSync } from "node:fs";
import { freeSpaceMarginBytes } from "../../shared/limits.ts";
import { dataDirAt, freeBytes, identityOf, type PathIdentity } from "../data-dir.ts";
import { findIdMark } from "../id-mark.ts";
import { type CheckOrder, type CheckResult, check } from "./check.ts";
import { openChecked } from "./check-database.ts";

export type Examination = CheckResult & {
  identity: PathIdentity | null;
  schema: number | null;
  freeBytes: number | null;
  /** As found, before anything was opened. */
  logBytes: number;
  idMark: number | null;
};

/** Takes the lock of a data directory to be held. */
export async function examine(order: Omit<CheckOrder, "isQuick">): Promise<Examination> {
  const dir = dataDirAt(order.path);
  const isThere = existsSync(order.path);
  const logBytes = statSync(`${dir.database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const found = isThere && existsSync(dir.database) ? storeFacts(dir.database, order.supported) : none;
  const facts = {
    identity: isThere ? identityOf(order.path) : null,
    ...found,
    freeBytes: isThere ? freeBytes(order.path) : null,
    logBytes,
  };
  const result = await check({ ...order, isQuick: true });
  if (facts.freeBytes === null || facts.freeBytes >= freeSpaceMarginBytes) return { ...result, ...facts };
  order.problem(`only ${facts.freeBytes} bytes are free on the data volume, ${freeSpaceMarginBytes} are needed`);
  return { ...result, ...facts, problems: result.problems + 1 };
}

type StoreFacts = Pick<Examination, "schema" | "idMark">;
const none: StoreFacts = { schema: null, idMark: null };

// What is wrong with the store, the check says.
function storeFacts(path: string, supported: number): StoreFacts {
  using opened = openChecked(path, supported, () => undefined);
  if (opened === undefined) return none;
  return { schema: opened.version, idMark: findIdMark(opened.database) };
}

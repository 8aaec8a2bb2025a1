// Failures of the store itself, as opposed to faults in the hub's own statements: what callers hear of them
// (mcp-tools.md 4.2), and the error that refuses a start.
import { HubError } from "../shared/errors.ts";

/** A store this binary must not open; the message says why and what to do. */
export class StoreRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreRefusedError";
  }
}

// Everything else SQLite reports, a constraint or a wrong statement, is a bug of the hub and stays what it is.
const faultCodes =
  /^SQLITE_(?:BUSY|CANTOPEN|CORRUPT|FULL|INTERRUPT|IOERR|LOCKED|NOMEM|NOTADB|PERM|PROTOCOL|READONLY)(?:_|$)/;
const fullDiskCodes = ["SQLITE_FULL", "ENOSPC", "EDQUOT"];

/** The code an error of SQLite or of the file system carries, such as `SQLITE_FULL` or `ENOSPC`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** True when the store failed and the same request may succeed later. */
export function isStoreFault(error: unknown): boolean {
  return faultCodes.test(errorCode(error) ?? "");
}

/** What a caller hears when the store failed; the cause goes to the log. */
export function storeFault(cause: unknown): HubError {
  const isDiskFull = fullDiskCodes.includes(errorCode(cause) ?? "");
  const message = isDiskFull
    ? "the hub's disk is full; free space and send the same request again"
    : "the store is busy or failing; send the same request again";
  return new HubError("unavailable", message, {}, { cause });
}

/** What a caller hears whose request outlived the hub. */
export function storeClosed(): HubError {
  return new HubError("unavailable", "the hub is shutting down; send the same request again once it is back");
}

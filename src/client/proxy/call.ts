// A JSON-RPC request somebody waits on, and what is needed to answer it.

export type RequestId = string | number;

/** `modern` is the 2026-07-28 revision, whose requests carry their version themselves; `legacy` the 2025 line. */
export type Era = "legacy" | "modern";

export type Call = Readonly<{ id: RequestId; method: string; era: Era }>;

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

/** An id with its type: 1 and "1" are different calls. */
export function idKey(id: RequestId): string {
  return `${typeof id}:${id}`;
}

export function errorAnswer(id: RequestId | null, error: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

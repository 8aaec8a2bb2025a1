// Idempotency keys (mcp-tools.md 10): stored by (project, operation, key), bound to a target, never expiring.
import type { ReplayStore } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import type { Json } from "../../shared/json.ts";
import { findKey, insertKey } from "./store.ts";

export const replayStore: ReplayStore = {
  find(db, { scope, operation, key, target }) {
    const row = findKey(db, scope, operation, key);
    if (row === undefined) return undefined;
    if (row.target !== target) {
      throw new HubError(
        "invalid_argument",
        `idempotency_key ${JSON.stringify(key)} was used for another target of this operation; use a new key`,
        { field: "idempotency_key", expected: "a key not used for another target" },
      );
    }
    // Written by record() below.
    return JSON.parse(row.result) as Json;
  },
  record(db, key, result) {
    insertKey(db, { ...key, result: JSON.stringify(result) });
  },
};

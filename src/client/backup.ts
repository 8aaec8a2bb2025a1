// Asks a hub for an online backup, as its operator (rest-api.md 17).
import { isObject } from "../shared/json.ts";
import type { Hub } from "./connection.ts";
import { callRest, notHub } from "./rest.ts";

export type BackupTaken = { files: number; bytes: number; schema: number; path: string; durationMs: number };

/** Answers when the copy is complete. Throws `HubFailure`. */
export async function askForBackup(hub: Hub): Promise<BackupTaken> {
  const answer = await callRest(hub, { method: "POST", path: "/api/v1/backups" });
  const { path, manifest, duration_ms: durationMs } = isObject(answer) ? answer : {};
  const { files, bytes, schema_version: schema } = isObject(manifest) ? manifest : {};
  if (
    typeof path !== "string" ||
    typeof files !== "number" ||
    typeof bytes !== "number" ||
    typeof schema !== "number" ||
    typeof durationMs !== "number"
  ) {
    throw notHub(hub, "without a backup");
  }
  return { files, bytes, schema, path, durationMs };
}

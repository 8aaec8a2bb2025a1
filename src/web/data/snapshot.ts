// What the hub said last, for reading without it (web-app.md 2.10).
import { isObject } from "../../shared/json.ts";
import { readRecord, writeRecord } from "./database.ts";

/** Of one record as JSON; a larger answer is not kept. */
const maxChars = 1_500_000;

export async function readSnapshot(key: string): Promise<{ value: unknown; atMs: number } | undefined> {
  const record = await readRecord("snapshot", key);
  if (!isObject(record) || typeof record["json"] !== "string" || typeof record["atMs"] !== "number") return undefined;
  return { value: JSON.parse(record["json"]), atMs: record["atMs"] };
}

export async function writeSnapshot(key: string, value: unknown, atMs: number): Promise<void> {
  const json = JSON.stringify(value);
  if (json.length <= maxChars) await writeRecord("snapshot", key, { json, atMs });
}

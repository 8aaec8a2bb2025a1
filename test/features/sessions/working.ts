// Shared steps of the session tests: what an agent does with a session it names, and what the operator does to one.
import type { JsonObject } from "../../../src/shared/json.ts";
import type { Caller, TestHub } from "../../support/hub.ts";

/** A session named by its id, as calls take it. */
export type Named = { session_id: string };

export async function startNamed(
  by: Caller,
  project_id: string,
  session_name: string,
  args: JsonObject = {},
): Promise<Named> {
  return named(await by.call("session_start", { project_id, session_name, ...args }));
}

export function named(started: JsonObject): Named {
  return { session_id: String(started["session_id"]) };
}

export function put(by: Caller, session: Named, path: string, content: string, more: object = {}): Promise<JsonObject> {
  return by.call("brain_put", { session, store: "session", path, content, ...more });
}

/** Puts many values at once; of equal paths the last stays. */
export async function putAll(
  by: Caller,
  session: Named,
  entries: readonly (readonly [path: string, content: string])[],
) {
  for (let from = 0; from < entries.length; from += 200) {
    await Promise.all(entries.slice(from, from + 200).map(([path, content]) => put(by, session, path, content)));
  }
}

export function remove(by: Caller, session: Named, path: string, more: object = {}): Promise<JsonObject> {
  return by.call("brain_delete", { session, store: "session", path, ...more });
}

/** The text at a path. */
export async function read(by: Caller, session: Named, path: string): Promise<string> {
  return String((await by.call("brain_get", { session, path }))["content"]);
}

export function end(by: Caller, session: Named, handoff?: string): Promise<JsonObject> {
  return by.call("session_end", { ...session, ...(handoff === undefined ? {} : { handoff }) });
}

/** Prunes an ended session; the token to take it back. */
export async function prune(hub: TestHub, session: Named): Promise<string> {
  return String((await hub.rest("pruneSession", { params: { id: session.session_id } }))["undo_token"]);
}

export function undo(hub: TestHub, token: string): Promise<JsonObject> {
  return hub.rest("undoPrune", { params: { token } });
}

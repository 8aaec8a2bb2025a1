// The operator of a running hub, over REST.
import type { CallName, CallSpec } from "../../src/shared/api.ts";
import { calls } from "../../src/shared/api.ts";
import type { JsonObject } from "../../src/shared/json.ts";

export type HubAddress = { url: string; adminToken: string };
export type CallInput = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };

/** One call of the shared table with a token; the answer's status and parsed body, {} when there is none. */
export async function request(
  url: string,
  token: string,
  name: CallName,
  { params = {}, query = {}, body }: CallInput = {},
): Promise<{ status: number; body: JsonObject }> {
  const spec: CallSpec = calls[name];
  const path = spec.path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ""));
  const search = new URLSearchParams(query).toString();
  const response = await fetch(`${url}${path}${search === "" ? "" : `?${search}`}`, {
    method: spec.method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

/** The same as the operator; anything but success fails the test. */
export async function operate(hub: HubAddress, name: CallName, input: CallInput = {}): Promise<JsonObject> {
  const answer = await request(hub.url, hub.adminToken, name, input);
  if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

// Identities for tests that talk to a running hub, made the way the operator makes them.
import type { RunningHub } from "./binary.ts";

/** Creates an agent and returns a token of its own. */
export async function createAgent(hub: RunningHub, id: string): Promise<string> {
  await post(hub, "/api/v1/agents", { id, display_name: id });
  const { token } = await post(hub, `/api/v1/agents/${encodeURIComponent(id)}/token`);
  if (typeof token !== "string") throw new Error(`no token for agent '${id}'`);
  return token;
}

async function post(hub: RunningHub, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(`${hub.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${hub.adminToken}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

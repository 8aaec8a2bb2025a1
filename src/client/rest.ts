// One REST request of a command (cli.md 2.4).
import { endpointOf, type Hub, request, statusFailure } from "./connection.ts";
import { refused, wireError } from "./hub-failure.ts";

/** The parsed body of a success, undefined when there is none. Throws `HubFailure`. */
export function callRest(
  hub: Hub,
  call: { method: string; path: `/${string}`; body?: object; signal?: AbortSignal },
): Promise<unknown> {
  const endpoint = endpointOf(hub.url, call.path);
  const init = {
    method: call.method,
    headers: { Accept: "application/json", ...(call.body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  };
  return request(hub, endpoint, init, async (response) => {
    const body = parseJson(await response.text());
    if (!response.ok) throw statusFailure(endpoint, response.status, body);
    return body;
  });
}

/** An answer that is none of this hub's. */
export function notHub(hub: Hub, what: string) {
  return refused(wireError("internal", `${hub.url} answered ${what}; check that HUB_URL names an Agent Hub`));
}

export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // Not JSON is an answer like any other here.
    return undefined;
  }
}

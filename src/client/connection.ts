// Where a hub is and how a request to it is made: endpoint, token, one time limit, no silent redirect (cli.md 2.6).
import { HubFailure, refused, unreachable, type WireError, wireError } from "./hub-failure.ts";
import { problemError } from "./wire-error.ts";

export type Hub = Readonly<{
  /** Without trailing slashes; may carry a path prefix. */
  url: string;
  token: string | null;
  /** For one whole request, its answer included. */
  timeoutMs: number;
}>;

export function endpointOf(url: string, path: `/${string}`): string {
  return `${url.replace(/\/+$/, "")}${path}`;
}

/** No header at all without a token: the hub answers that with 401. */
export function authorization(token: string | null): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

/** Runs one request to its end within the hub's timeout. What `read` throws of the connection becomes `unreachable`. */
export async function request<T>(
  hub: Hub,
  endpoint: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal },
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const headers = { ...authorization(hub.token), ...init.headers };
  const timeUp = AbortSignal.timeout(hub.timeoutMs);
  try {
    const response = await fetch(endpoint, {
      ...init,
      headers,
      redirect: "manual",
      keepalive: false,
      // The runtime's own limit would cut a longer `timeout` setting short.
      timeout: false,
      signal: init.signal === undefined ? timeUp : AbortSignal.any([timeUp, init.signal]),
    });
    return await read(response);
  } catch (error) {
    throw error instanceof HubFailure ? error : unreachable(endpoint, error);
  }
}

/** The failure that a status outside 2xx stands for, given its body. 401 is always about the token. */
export function statusFailure(endpoint: string, status: number, body: unknown): HubFailure {
  const error: WireError = problemError(body) ?? wireError(codeOfStatus(status), `${endpoint} answered ${status}`);
  return status === 401 ? new HubFailure("unauthenticated", error) : refused(error);
}

function codeOfStatus(status: number): string {
  return statusCodes[status] ?? "internal";
}

const statusCodes: Readonly<Record<number, string>> = {
  400: "invalid_argument",
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "payload_too_large",
  429: "rate_limited",
  503: "unavailable",
};

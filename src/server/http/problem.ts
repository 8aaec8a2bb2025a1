// Every failure over HTTP is a problem document (rest-api.md 0.4): the one translation of error codes to statuses.
import { STATUS_CODES } from "node:http";
import type { Problem } from "../../shared/api.ts";
import { type ErrorCode, errorCodes, HubError } from "../../shared/errors.ts";

export function statusOf(code: ErrorCode): number {
  switch (code) {
    case "invalid_argument":
      return 400;
    case "unauthenticated":
      return 401;
    case "forbidden":
      return 403;
    case "not_found":
      return 404;
    case "conflict":
      return 409;
    case "payload_too_large":
      return 413;
    case "rate_limited":
      return 429;
    case "internal":
      return 500;
    case "unavailable":
      return 503;
  }
}

/** The code that a status of ours stands for; undefined for a success, and where the caller left before the answer. */
export function codeOf(status: number): ErrorCode | undefined {
  if (status < 400 || status === callerLeft) return undefined;
  return codesByStatus.get(status) ?? (status < 500 ? "invalid_argument" : "internal");
}

const callerLeft = 499;
const codesByStatus = new Map(errorCodes.map((code) => [statusOf(code), code]));

/** @param status overrides the code's own: 405, 415 and 422 are `invalid_argument` too */
export function problem(
  error: HubError,
  status = statusOf(error.code),
  headers: Record<string, string> = {},
): Response {
  const { message, ...rest } = error.toObject();
  const body: Problem = {
    type: "about:blank",
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail: message,
    code: rest.code,
    retryable: rest.retryable,
    details: rest.details,
  };
  return new Response(JSON.stringify(body), {
    status,
    // What is not there now may be there in a moment: a share that is made, a store that recovers.
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers },
  });
}

/** One answer for no token, an unknown, a revoked and a pending one. */
export function unauthenticated(wasTokenSent: boolean): Response {
  const challenge = `Bearer realm="agent-hub"${wasTokenSent ? ', error="invalid_token"' : ""}`;
  return problem(new HubError("unauthenticated", "a valid bearer token is needed"), 401, {
    "www-authenticate": challenge,
  });
}

export function notFound(): Response {
  return problem(new HubError("not_found", "there is nothing at this address"));
}

export function methodNotAllowed(allowed: readonly string[]): Response {
  const error = new HubError("invalid_argument", `this address takes ${allowed.join(", ")}`);
  return problem(error, 405, { allow: allowed.join(", ") });
}

// Turns HTTP requests into calls of the shared table and back (rest-api.md 0). Order of checks: Host and Origin, token,
// path and query, body.

import type { Call, Principal } from "../../kernel/ctx.ts";
import { invalid } from "../../kernel/input.ts";
import { holdsLargeText, partsOf, streamParts } from "../../kernel/json-parts.ts";
import { parseJson } from "../../kernel/large-json.ts";
import { internalError } from "../../kernel/operation.ts";
import type { Route, RouteAnswer } from "../../kernel/route.ts";
import { type CallSpec, calls } from "../../shared/api.ts";
import { HubError } from "../../shared/errors.ts";
import { isObject } from "../../shared/json.ts";
import { pageBytes, restBodyBytes } from "../../shared/limits.ts";
import type { Hub } from "../hub.ts";
import { isJson, isPlainText, readBytes, readWholeText } from "./body.ts";
import { originOf } from "./origin.ts";
import { problem, statusOf, unauthenticated } from "./problem.ts";
import { bearerToken, tokenForms } from "./token.ts";

const stranger: Principal = { kind: "stranger", actor: "", tokenId: null };

/** Resolves the caller of a request; a Response is the refusal to send. */
export function authenticate(hub: Hub, request: Request, auth: CallSpec["auth"]): Principal | Response {
  if (auth === "none") return stranger;
  const token = bearerToken(request);
  const { authenticator } = hub;
  const resolve = auth === "enrolment" ? authenticator.resolveEnrolling : authenticator.resolve;
  let principal: Principal | undefined;
  try {
    for (const form of token === undefined ? [] : tokenForms(token)) principal ??= resolve(form);
  } catch (error) {
    hub.kernel.services.log.error("a token could not be looked up", { cause: String(error) });
    return problem(new HubError("unavailable", "the store is busy or failing; send the same request again"));
  }
  if (principal === undefined || (auth === "operator" && principal.kind !== "operator")) {
    return unauthenticated(token !== undefined);
  }
  return principal;
}

// No web page may enrol through a browser on the operator's network (rest-api.md 10).
function refuseBrowsers(request: Request, auth: CallSpec["auth"]): void {
  if ((auth !== "none" && auth !== "enrolment") || request.headers.get("origin") === null) return;
  throw new HubError("forbidden", "this address is not for browsers; ask to join with agent-hub enrol");
}

/** Answers one request to a route whose method and path matched. */
export async function answerRoute(
  hub: Hub,
  route: Route,
  request: Request,
  pathParams: Record<string, string>,
  bound: string,
  peer: () => string | null,
): Promise<Response> {
  const spec: CallSpec = calls[route.call];
  refuseBrowsers(request, spec.auth);
  const principal = authenticate(hub, request, spec.auth);
  if (principal instanceof Response) return principal;
  try {
    const params = decodeParams(pathParams);
    const query = decodeQuery(new URL(request.url).search, spec);
    const body = await decodeBody(request, spec);
    if (body instanceof Response) return body;
    const call: Call = {
      principal,
      connection: null,
      origin: originOf(request, hub.config, bound),
      signal: request.signal,
      progress: null,
      // Asking the system costs; only what anybody may send is limited by its source.
      peer: spec.auth === "none" ? peer() : null,
    };
    const answer = await route.handle({ params, query, body }, hub.kernel.ctx(call));
    return toResponse(answer);
  } catch (error) {
    return failure(hub, error);
  }
}

function toResponse({ status, body }: RouteAnswer): Response {
  if (status === 204) return new Response(null, { status });
  if (body instanceof Uint8Array) {
    // Bytes of the store are in no memory that threads share.
    const bytes = body as Uint8Array<ArrayBuffer>;
    return new Response(bytes, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
  }
  const isLarge = isObject(body) && holdsLargeText(body);
  return new Response(isLarge ? streamParts(partsOf(body)) : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
  });
}

/** A thrown error as a response; anything but a HubError is a bug and says so only in the log. */
export function failure(hub: Hub, error: unknown): Response {
  const known = error instanceof HubError ? error : internalError(error, {}, hub.kernel.services.log);
  if (known.code === "unauthenticated") return unauthenticated(true);
  return problem(known, statusOf(known.code));
}

function decodeParams(raw: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, decode(value, key)]));
}

function decode(text: string, field: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw Object.assign(invalid(field, text, "a percent-encoded UTF-8 text"), { cause: error });
  }
}

// Empty values count as absent; a repeated single value takes the last.
function decodeQuery(search: string, spec: CallSpec): Record<string, unknown> {
  const kinds = spec.query ?? {};
  const query: Record<string, unknown> = {};
  for (const pair of search.slice(1).split("&")) {
    if (pair === "") continue;
    const [rawKey = "", ...rest] = pair.replaceAll("+", " ").split("=");
    const key = decode(rawKey, "query");
    const value = decode(rest.join("="), key);
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
    if (kind === undefined) {
      if (spec.strictQuery) throw invalid(key, value, "no such query parameter");
    } else if (kind === "list") {
      query[key] = [...(Array.isArray(query[key]) ? query[key] : []), value];
    } else if (value !== "") {
      query[key] = decodeValue(value, kind);
    }
  }
  return query;
}

// What cannot be read stays text, for the schema to refuse by name.
function decodeValue(value: string, kind: "text" | "integer" | "flag"): unknown {
  // A number beyond what a limit can be is cut like any other that is too large.
  if (kind === "integer" && /^-?\d+$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  if (kind === "flag" && /^(?:1|true)$/.test(value)) return true;
  if (kind === "flag" && /^(?:0|false)$/.test(value)) return false;
  return value;
}

async function decodeBody(request: Request, spec: CallSpec): Promise<unknown> {
  if (spec.body === "none") return undefined;
  if (spec.body === "text" && isPlainText(request)) return decodeText(request);
  const bytes = await readBytes(request, restBodyBytes);
  if (bytes.byteLength === 0 && spec.body === "optional") return undefined;
  if (!isJson(request)) {
    return problem(new HubError("invalid_argument", "the body must be JSON; send Content-Type: application/json"), 415);
  }
  try {
    return await parseJson(bytes, () => undefined);
  } catch (error) {
    if (error instanceof HubError) throw error;
    const details = { field: "body", expected: "JSON" };
    throw new HubError("invalid_argument", "the body is not valid JSON in UTF-8", details, { cause: error });
  }
}

async function decodeText(request: Request): Promise<unknown> {
  const content = await readWholeText(request, pageBytes);
  return content === undefined
    ? problem(new HubError("invalid_argument", "the body is not UTF-8 text", { field: "body", expected: "UTF-8" }), 422)
    : { content };
}

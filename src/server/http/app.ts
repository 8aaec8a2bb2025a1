// The one listener's routes (rest-api.md 0). Elysia finds the path; methods, checks and bodies are handled here, so that
// the order of checks and every refusal are the contract's and not a framework's.
import { Elysia } from "elysia";
import type { Route } from "../../kernel/route.ts";
import { calls } from "../../shared/api.ts";
import { mcpBodyBytes } from "../../shared/limits.ts";
import type { Hub } from "../hub.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import { isJson, readBody } from "./body.ts";
import { buildId } from "./build-id.ts";
import { checkHostAndOrigin, originOf } from "./origin.ts";
import { pages } from "./pages.ts";
import { methodNotAllowed, notFound } from "./problem.ts";
import { answerRoute, authenticate, failure } from "./rest.ts";
import { createLiveStream } from "./stream.ts";

const apiHeaders = { "cache-control": "no-store", "x-hub-build": buildId };

export type AppOptions = {
  hub: Hub;
  mcp: McpEndpoint;
  /** Address of the listener, `host:port`; known once it is bound. */
  bound: () => string;
  /** Socket address of a request's peer, when known. */
  peerOf: (request: Request) => string | null;
};

export function createApp(options: AppOptions) {
  const { hub, mcp, bound, peerOf } = options;
  // Only the paths of the index are served: a trailing slash makes another path.
  const app = new Elysia({ strictPath: true, handler: { standardHostname: false } });

  // The Host and Origin checks come first on everything that trusts a token.
  async function guarded(request: Request, answer: () => Promise<Response>): Promise<Response> {
    try {
      checkHostAndOrigin(request, hub.config, peerOf(request));
      return await answer();
    } catch (error) {
      return failure(hub, error);
    }
  }

  // A preflight carries no token, so OPTIONS is refused for what it is; any other method only to who may know (0.2).
  function refuseMethod(request: Request, allowed: readonly string[], auth: "operator" | "token"): Response {
    const principal = request.method === "OPTIONS" ? undefined : authenticate(hub, request, auth);
    return principal instanceof Response ? principal : methodNotAllowed(allowed);
  }

  async function answerApi(request: Request, path: string, routes: readonly Route[]): Promise<Response> {
    // What a caller's HEAD leaves out, the runtime does.
    const method = request.method === "HEAD" ? "GET" : request.method;
    const route = routes.find((candidate) => calls[candidate.call].method === method);
    if (route !== undefined) return answerRoute(hub, route, request, pathParams(path, request), bound());
    const isForAgents = routes.some((candidate) => calls[candidate.call].auth === "token");
    return refuseMethod(request, methodsOf(routes), isForAgents ? "token" : "operator");
  }

  for (const [path, routes] of routesByPath(hub.routes)) {
    app.all(
      path,
      async ({ request }) => finish(await guarded(request, () => answerApi(request, path, routes)), apiHeaders),
      { parse: "none" },
    );
  }
  const live = createLiveStream(hub);
  async function answerStream(request: Request): Promise<Response> {
    if (request.method !== "GET") return refuseMethod(request, ["GET"], "operator");
    const principal = authenticate(hub, request, "operator");
    return principal instanceof Response ? principal : live.open(request);
  }
  app.all("/api/v1/stream", async ({ request }) => finish(await guarded(request, () => answerStream(request)), apiHeaders), {
    parse: "none",
  });

  app.all("/api/v1/*", async ({ request }) => finish(await guarded(request, async () => notFound()), apiHeaders), {
    parse: "none",
  });

  async function answerMcp(request: Request): Promise<Response> {
    const response = await guarded(request, async () => {
      if (request.method !== "POST" && request.method !== "DELETE") {
        return refuseMethod(request, ["POST", "DELETE"], "token");
      }
      const principal = authenticate(hub, request, "token");
      if (principal instanceof Response) return principal;
      return mcp.handle({
        request,
        principal,
        origin: originOf(request, hub.config, bound()),
        readText: () => readBody(request, mcpBodyBytes),
        isJson: isJson(request),
      });
    });
    return finish(response);
  }
  for (const path of ["/mcp", "/mcp/"]) app.all(path, ({ request }) => answerMcp(request), { parse: "none" });

  for (const [path, answer] of Object.entries(pages(hub, bound))) {
    app.all(
      path,
      ({ request }) =>
        finish(
          request.method === "GET" || request.method === "HEAD" ? answer(request) : methodNotAllowed(["GET", "HEAD"]),
        ),
      { parse: "none" },
    );
  }

  app.all("/*", () => finish(notFound()), { parse: "none" });
  app.onError(({ error }) => finish(failure(hub, error)));
  return app;
}

function routesByPath(routes: readonly Route[]): Map<string, Route[]> {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    const { path } = calls[route.call];
    byPath.set(path, [...(byPath.get(path) ?? []), route]);
  }
  return byPath;
}

function methodsOf(routes: readonly Route[]): string[] {
  return routes.flatMap(({ call }) => (calls[call].method === "GET" ? ["GET", "HEAD"] : [calls[call].method]));
}

// Raw segments: what cannot be decoded is refused by name, which a router's own decoding would hide.
function pathParams(pattern: string, request: Request): Record<string, string> {
  const segments = new URL(request.url).pathname.split("/");
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.split("/").entries()) {
    if (part.startsWith(":")) params[part.slice(1)] = segments[index] ?? "";
  }
  return params;
}

function finish(response: Response, headers: Record<string, string> = {}): Response {
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("referrer-policy", "no-referrer");
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

// The one listener's routes (rest-api.md 0). Elysia finds the path; methods, checks and bodies are handled here, so that
// the order of checks and every refusal are the contract's and not a framework's.
import { Elysia } from "elysia";
import type { Route } from "../../kernel/route.ts";
import { type CallSpec, calls } from "../../shared/api.ts";
import { commit, version } from "../../shared/build.ts";
import { mcpBodyBytes } from "../../shared/limits.ts";
import type { Hub } from "../hub.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import { isJson, readBody } from "./body.ts";
import { checkHostAndOrigin, originOf } from "./origin.ts";
import { pages } from "./pages.ts";
import { methodNotAllowed, notFound } from "./problem.ts";
import { answerRoute, authenticate, failure } from "./rest.ts";

const buildId = `${version}+${commit}`;

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
  const app = new Elysia({ handler: { standardHostname: false } });

  // The Host and Origin checks come first on everything that trusts a token.
  async function guarded(request: Request, answer: () => Promise<Response>): Promise<Response> {
    try {
      checkHostAndOrigin(request, hub.config, peerOf(request));
      return await answer();
    } catch (error) {
      return failure(hub, error);
    }
  }

  for (const [path, routes] of routesByPath(hub.routes)) {
    app.all(
      path,
      async ({ request }) =>
        finish(
          request,
          await guarded(request, async () => {
            const method = request.method === "HEAD" ? "GET" : request.method;
            const route = routes.find((candidate) => calls[candidate.call].method === method);
            if (route === undefined) return methodNotAllowed(methodsOf(routes));
            return answerRoute(hub, route, request, pathParams(path, request), bound());
          }),
          { "cache-control": "no-store", "x-hub-build": buildId },
        ),
      { parse: "none" },
    );
  }

  async function answerMcp(request: Request): Promise<Response> {
    const response = await guarded(request, async () => {
      const principal = authenticate(hub, request, "token");
      if (principal instanceof Response) return principal;
      if (request.method !== "POST" && request.method !== "DELETE") return methodNotAllowed(["POST", "DELETE"]);
      return mcp.handle({
        request,
        principal,
        origin: originOf(request, hub.config, bound()),
        readText: () => readBody(request, mcpBodyBytes),
        isJson: isJson(request),
      });
    });
    return finish(request, response);
  }
  for (const path of ["/mcp", "/mcp/"]) app.all(path, ({ request }) => answerMcp(request), { parse: "none" });

  for (const [path, answer] of Object.entries(pages(hub, bound))) {
    app.all(
      path,
      ({ request }) =>
        finish(
          request,
          request.method === "GET" || request.method === "HEAD" ? answer(request) : methodNotAllowed(["GET", "HEAD"]),
        ),
      { parse: "none" },
    );
  }

  app.all("/*", ({ request }) => finish(request, notFound()), { parse: "none" });
  app.onError(({ request, error }) => finish(request, failure(hub, error)));
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
  const methods = routes.map((route): CallSpec["method"] => calls[route.call].method);
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
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

function finish(request: Request, response: Response, headers: Record<string, string> = {}): Response {
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("referrer-policy", "no-referrer");
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  // HEAD is GET without the body.
  if (request.method !== "HEAD") return response;
  return new Response(null, { status: response.status, headers: response.headers });
}

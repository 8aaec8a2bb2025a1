// The one listener's routes (rest-api.md 0). Elysia finds the path; methods, checks and bodies are handled here, so that
// the order of checks and every refusal are the contract's and not a framework's.
import { Elysia } from "elysia";
import type { Route } from "../../kernel/route.ts";
import { type CallSpec, calls } from "../../shared/api.ts";
import { mcpBodyBytes } from "../../shared/limits.ts";
import type { Hub } from "../hub.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import { isJson, readBytes } from "./body.ts";
import { metricsPage } from "./metrics.ts";
import { openApiDocument } from "./openapi.ts";
import { checkHostAndOrigin, clientOf, originOf } from "./origin.ts";
import { pages } from "./pages.ts";
import { pathParams, routedPath } from "./path-pattern.ts";
import { codeOf, methodNotAllowed, notFound } from "./problem.ts";
import { answerRoute, authenticate, failure } from "./rest.ts";
import { createLiveStream } from "./stream.ts";
import { webFiles } from "./web-files.ts";

const readMethods = ["GET", "HEAD"];
const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

export type AppOptions = {
  hub: Hub;
  mcp: McpEndpoint;
  /** Address of the listener, `host:port`; known once it is bound. */
  bound: () => string;
  /** Socket address of a request's peer, when known. */
  peerOf: (request: Request) => string | null;
  /** Lets a request's connection be silent for as long as it takes. */
  keepOpen: (request: Request) => void;
};

export function createApp(options: AppOptions) {
  const { hub, mcp, bound, peerOf, keepOpen } = options;
  const { metrics } = hub.kernel.services;
  const apiHeaders = { "cache-control": "no-store", "x-hub-build": webFiles().build };
  // Only the paths of the index are served: a trailing slash makes another path.
  const app = new Elysia({ strictPath: true, handler: { standardHostname: false } });

  // The router would read `//` at the start as `/`.
  app.onRequest(({ request }) => (/^https?:\/\/[^/]*\/\//.test(request.url) ? finish(request, notFound()) : undefined));

  // Everything that is answered passes here, and is counted here.
  function finish(request: Request, response: Response, headers?: Record<string, string>): Response {
    metrics.requests.add(request.method, response.status);
    const code = codeOf(response.status);
    if (code !== undefined) metrics.errors.add(code);
    response.headers.set("x-content-type-options", "nosniff");
    response.headers.set("referrer-policy", "no-referrer");
    for (const name in headers) response.headers.set(name, headers[name] ?? "");
    return response;
  }

  function noteRefusedCall(): void {
    metrics.refusedCalls.count += 1;
    metrics.refusedCalls.lastAt = hub.kernel.services.now();
  }

  // The Host and Origin checks come first on everything that trusts a token.
  async function guarded(request: Request, answer: () => Promise<Response>): Promise<Response> {
    try {
      // The peer costs two calls of the system, so it is asked for only where somebody is trusted.
      checkHostAndOrigin(request, hub.config, hub.config.trustProxy.length === 0 ? null : peerOf(request));
      return await answer();
    } catch (error) {
      return failure(hub, error);
    }
  }

  // A preflight carries no token, so OPTIONS is refused for what it is; any other method only to who may know (0.2).
  function refuseMethod(request: Request, allowed: readonly string[], auth: CallSpec["auth"]): Response {
    const principal = request.method === "OPTIONS" ? undefined : authenticate(hub, request, auth);
    return principal instanceof Response ? principal : methodNotAllowed(allowed);
  }

  async function answerApi(request: Request, routed: readonly Route[]): Promise<Response> {
    // What a caller's HEAD leaves out, the runtime does.
    const method = request.method === "HEAD" ? "GET" : request.method;
    const { pathname } = new URL(request.url);
    const matched = routed.flatMap((route) => {
      const params = pathParams(calls[route.call].path, pathname);
      return params === undefined ? [] : [{ route, params }];
    });
    const found = matched.find(({ route }) => calls[route.call].method === method);
    if (found !== undefined) {
      const spec: CallSpec = calls[found.route.call];
      if (spec.isLong) keepOpen(request);
      return answerRoute(hub, found.route, request, found.params, bound(), () =>
        clientOf(request, hub.config, peerOf(request)),
      );
    }
    const known = matched.map(({ route }) => route);
    // Whoever may call one of the path's methods may know them all.
    const auths = known.map((candidate) => calls[candidate.call].auth);
    const widest = (["none", "enrolment", "token"] as const).find((auth) => auths.some((given) => given === auth));
    return refuseMethod(request, methodsOf(known), widest ?? "operator");
  }

  for (const [path, routed] of routesByPath(hub.routes)) {
    app.all(
      path,
      async ({ request }) => finish(request, await guarded(request, () => answerApi(request, routed)), apiHeaders),
      {
        parse: "none",
      },
    );
  }
  const live = createLiveStream(hub);
  async function answerStream(request: Request): Promise<Response> {
    if (request.method !== "GET") return refuseMethod(request, ["GET"], "operator");
    const principal = authenticate(hub, request, "operator");
    return principal instanceof Response ? principal : live.open(request);
  }
  async function answerMetrics(request: Request): Promise<Response> {
    if (!isRead(request)) return refuseMethod(request, readMethods, "operator");
    const principal = authenticate(hub, request, "operator");
    return principal instanceof Response ? principal : metricsPage(hub);
  }
  let document: string | undefined;
  async function answerDocument(request: Request): Promise<Response> {
    if (!isRead(request)) return methodNotAllowed(readMethods);
    document ??= JSON.stringify(openApiDocument(hub.routes));
    return new Response(document, { headers: { "content-type": "application/json; charset=utf-8" } });
  }
  const unlisted = [
    ["/api/v1/stream", answerStream, apiHeaders],
    ["/api/v1/openapi.json", answerDocument, apiHeaders],
    ["/metrics", answerMetrics, undefined],
    ["/api/v1/*", async () => notFound(), apiHeaders],
  ] as const;
  for (const [path, answer, headers] of unlisted) {
    app.all(path, async ({ request }) => finish(request, await guarded(request, () => answer(request)), headers), {
      parse: "none",
    });
  }

  async function answerMcp(request: Request): Promise<Response> {
    const response = await guarded(request, async () => {
      if (request.method !== "POST" && request.method !== "DELETE") {
        return refuseMethod(request, ["POST", "DELETE"], "token");
      }
      const principal = authenticate(hub, request, "token");
      if (principal instanceof Response) {
        if (principal.status === 401) noteRefusedCall();
        return principal;
      }
      return mcp.handle({
        request,
        principal,
        origin: originOf(request, hub.config, bound()),
        readBytes: () => readBytes(request, mcpBodyBytes),
        isJson: isJson(request),
      });
    });
    return finish(request, response);
  }
  for (const path of ["/mcp", "/mcp/"]) app.all(path, ({ request }) => answerMcp(request), { parse: "none" });

  for (const [path, answer] of Object.entries(pages(hub, bound))) {
    app.all(
      path,
      async ({ request }) => finish(request, isRead(request) ? await answer(request) : methodNotAllowed(readMethods)),
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
    const path = routedPath(calls[route.call].path);
    byPath.set(path, [...(byPath.get(path) ?? []), route]);
  }
  return byPath;
}

function methodsOf(routes: readonly Route[]): string[] {
  return routes.flatMap(({ call }) => (calls[call].method === "GET" ? ["GET", "HEAD"] : [calls[call].method]));
}

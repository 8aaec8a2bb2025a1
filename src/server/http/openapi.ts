// The OpenAPI 3.1 document of the whole surface (rest-api.md 1, 20), derived from the shared table and from the schemas
// that check the requests, so that it cannot say anything else than what is served.
import { STATUS_CODES } from "node:http";
import type { Route } from "../../kernel/route.ts";
import { describeRoute } from "../../kernel/route-schema.ts";
import { type CallSpec, calls } from "../../shared/api.ts";
import { version } from "../../shared/build.ts";
import { errorCodes } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import { answerSchemas } from "./answer-schemas.ts" with { type: "macro" };
import { refusalsOf } from "./refusals.ts";

// Read while the hub is built.
const { answers, schemas } = answerSchemas();

type Auth = CallSpec["auth"];
type Operations = Record<string, JsonObject>;

export function openApiDocument(routes: readonly Route[]): JsonObject {
  const paths: Record<string, Operations> = {};
  const add = (path: string, method: string, operation: JsonObject): void => {
    paths[path] = { ...paths[path], [method]: operation };
  };
  for (const route of routes) {
    const spec: CallSpec = calls[route.call];
    add(documentedPath(spec.path), spec.method.toLowerCase(), operationOf(route, spec));
  }
  for (const { method, ...page } of otherAddresses) add(page.path, method, pageOperation(page));
  return {
    openapi: "3.1.0",
    info: { title: "Agent Hub", version },
    // Relative to this document, so that it holds behind a proxy that strips a prefix.
    servers: [{ url: "../.." }],
    paths,
    components: { schemas: { ...schemas, Problem: problemSchema }, securitySchemes },
  };
}

/** A path of the table as OpenAPI writes it. */
export function documentedPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}").replace("*", "{path}");
}

function operationOf(route: Route, spec: CallSpec): JsonObject {
  const { params, query, body } = describeRoute(route);
  const parameters: JsonObject[] = [
    ...Object.entries(params).map(([name, schema]) => ({ name, in: "path", required: true, schema })),
    ...Object.entries(query).map(([name, { schema, isRequired }]) => ({
      name,
      in: "query",
      required: isRequired,
      schema,
    })),
  ];
  return {
    operationId: route.call,
    tags: [spec.path.split("/")[3] ?? "hub"],
    security: securityOf(spec.auth),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: bodyOf(spec, body) }),
    responses: {
      [spec.status]:
        spec.status === 204 ? { description: "Done" } : { description: "Done", content: answerOf(spec, route.call) },
      ...problems(refusalsOf(route.call, spec)),
    },
  };
}

function answerOf({ answersText }: CallSpec, call: Route["call"]): JsonObject {
  const json: JsonObject = { "application/json": { schema: answers[call] ?? {} } };
  return answersText === true ? { ...json, "text/plain": { schema: { type: "string" } } } : json;
}

function bodyOf(spec: CallSpec, schema: JsonObject): JsonObject {
  const text: JsonObject = { schema: { type: "string" } };
  const content: JsonObject = { "application/json": { schema } };
  if (spec.body === "text") Object.assign(content, { "text/markdown": text, "text/plain": text });
  return { required: spec.body !== "optional", content };
}

function problems(statuses: readonly number[]): JsonObject {
  const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
  return Object.fromEntries(
    statuses.map((status) => [status, { description: STATUS_CODES[status] ?? "Error", content }]),
  );
}

function securityOf(auth: Auth): JsonObject[] {
  switch (auth) {
    case "none":
      return [];
    case "operator":
      return [{ operator: [] }];
    case "token":
      return [{ operator: [] }, { agent: [] }];
    case "enrolment":
      return [{ enrolment: [] }, { agent: [] }];
  }
}

const bearer = (description: string): JsonObject => ({ type: "http", scheme: "bearer", description });

const securitySchemes: JsonObject = {
  operator: bearer("The admin token."),
  agent: bearer("The token of an active agent."),
  enrolment: bearer("The token POST /api/v1/enrol answers with, while its request is open and after it was granted."),
};

const problemSchema: JsonObject = {
  type: "object",
  required: ["type", "title", "status", "detail", "code", "retryable", "details"],
  properties: {
    type: { const: "about:blank" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { enum: [...errorCodes] },
    retryable: { type: "boolean" },
    details: { type: "object" },
  },
};

type Page = { id: string; tag: string; auth: Auth; type: string; refusals: readonly number[]; body?: JsonObject };

/** What is served beside the table of calls. */
export const otherAddresses: readonly (Page & { path: string; method: string })[] = [
  {
    path: "/api/v1/stream",
    method: "get",
    id: "openStream",
    tag: "stream",
    auth: "operator",
    type: "text/event-stream",
    refusals: [401, 403, 503],
  },
  {
    path: "/api/v1/openapi.json",
    method: "get",
    id: "getDocument",
    tag: "openapi.json",
    auth: "none",
    type: "application/json",
    refusals: [403],
  },
  {
    path: "/metrics",
    method: "get",
    id: "getMetrics",
    tag: "operations",
    auth: "operator",
    type: "text/plain",
    refusals: [401, 403, 503],
  },
  { path: "/healthz", method: "get", id: "isUp", tag: "operations", auth: "none", type: "text/plain", refusals: [] },
  {
    path: "/readyz",
    method: "get",
    id: "isReady",
    tag: "operations",
    auth: "none",
    type: "application/json",
    refusals: [503],
  },
  {
    path: "/bootstrap/SKILL.md",
    method: "get",
    id: "getGuide",
    tag: "documents",
    auth: "none",
    type: "text/markdown",
    refusals: [],
  },
  { path: "/", method: "get", id: "getFirstPage", tag: "documents", auth: "none", type: "text/html", refusals: [] },
  ...(
    [
      ["/artifacts/{id}", "openArtifact", "text/html", [400, 404]],
      ["/artifacts/{id}/frame", "openArtifactFrame", "text/html", [400, 404]],
      ["/artifacts/{id}/og.svg", "drawArtifactCard", "image/svg+xml", [400, 404]],
      ["/s/{token}", "openShared", "text/html", [400, 404]],
      ["/s/{token}/frame", "openSharedFrame", "text/html", [400, 404]],
      ["/s/{token}/og.svg", "drawSharedCard", "image/svg+xml", [400, 404]],
      ["/manifest.webmanifest", "getManifest", "application/manifest+json", []],
      ["/sw.js", "getServiceWorker", "text/javascript", []],
    ] as const
  ).map(([path, id, type, refusals]) => {
    const auth = "none" as const;
    return { path, method: "get", id, tag: "documents", auth, type, refusals };
  }),
  ...(["/mcp", "/mcp/"] as const).flatMap((path) => [
    {
      path,
      method: "post",
      id: path === "/mcp" ? "callMcp" : "callMcpSlash",
      tag: "mcp",
      auth: "token" as const,
      type: "application/json",
      refusals: [400, 401, 403, 404, 413, 415, 503],
      body: { required: true, content: { "application/json": { schema: { type: ["object", "array"] } } } },
    },
    {
      path,
      method: "delete",
      id: path === "/mcp" ? "endMcp" : "endMcpSlash",
      tag: "mcp",
      auth: "token" as const,
      type: "application/json",
      refusals: [400, 401, 403, 404, 503],
    },
  ]),
];

function pageOperation({ path, id, tag, auth, type, refusals, body }: Page & { path: string }): JsonObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    operationId: id,
    tags: [tag],
    security: securityOf(auth),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      200: { description: "Done", content: { [type]: {} } },
      // A JSON-RPC notification has no answer.
      ...(tag === "mcp" && body !== undefined ? { 202: { description: "Taken" } } : {}),
      ...problems(refusals),
    },
  };
}

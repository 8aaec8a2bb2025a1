// One surface, told four times: what is mounted, the shared table, the OpenAPI document and the specification's index.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerSchemas } from "../../../src/server/http/answer-schemas.ts";
import { documentedPath, otherAddresses } from "../../../src/server/http/openapi.ts";
import { refusalsOf } from "../../../src/server/http/refusals.ts";
import { type CallName, type CallSpec, calls } from "../../../src/shared/api.ts";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import { builtIndex } from "./index-of-routes.ts";
import { type HttpHub, openHttpHub } from "./requests.ts";

let http: HttpHub;
let document: JsonObject;
beforeAll(async () => {
  http = await openHttpHub();
  const answer = await http.send("GET", "/api/v1/openapi.json", { as: "none" });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  document = answer.json;
});
afterAll(() => http[Symbol.asyncDispose]());

const table: [CallName, CallSpec][] = Object.entries(calls).map(([name, spec]) => [name as CallName, spec]); // its own keys
const member = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((at, key) => (isObject(at) || Array.isArray(at) ? Object(at)[key] : undefined), value);
const operation = (spec: CallSpec): JsonObject =>
  Object(member(document, "paths", documentedPath(spec.path), spec.method.toLowerCase()));

const authOf = { operator: "A", token: "T", enrolment: "E", none: "P" } as const;
const line = (method: string, path: string, auth: string): string => `${method} ${path} ${auth}`;

describe("the index", () => {
  const told = [
    ...table.map(([, spec]) => line(spec.method, documentedPath(spec.path), authOf[spec.auth])),
    ...otherAddresses.map(({ method, path, auth }) => line(method.toUpperCase(), path, authOf[auth])),
  ].sort();

  test("of the specification is what the table and its company tell", () => {
    expect(told).toEqual(builtIndex.map(([method, path, auth]) => line(method, path, auth)).sort());
  });

  test("is what the document tells", () => {
    const documented = Object.entries(Object(document["paths"])).flatMap(([path, operations]) =>
      Object.keys(Object(operations)).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual(told.map((entry) => entry.replace(/ .$/, "")).sort());
  });

  test("is what is mounted: nothing of it is a 404 of the router, and each has one binding", async () => {
    const bound = http.hub.hub.routes.map(({ call }): string => call);
    expect(bound.sort()).toEqual(table.map(([name]) => name).sort());
    for (const [method, path] of builtIndex) {
      const at = path.replaceAll(/\{\w+\}/g, "nothing");
      const answer = await http.send("OPTIONS", at);
      expect([at, answer.status]).toEqual([at, 405]);
      expect([at, method, answer.headers.get("allow")?.split(", ").includes(method)]).toEqual([at, method, true]);
    }
  });
});

describe("the document", () => {
  test("is OpenAPI 3.1 whose references lead somewhere", () => {
    expect(document["openapi"]).toBe("3.1.0");
    const text = JSON.stringify(document);
    for (const [, reference = ""] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      expect([reference, typeof member(document, ...reference.split("/"))]).toEqual([reference, "object"]);
    }
    const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // Nothing of this hub, and nobody's secret.
    expect(text).not.toContain(http.hub.operator.token);
    expect(text).not.toContain("127.0.0.1");
  });

  test("is not for writing, and is counted among what is safe to read", async () => {
    expect((await http.send("HEAD", "/api/v1/openapi.json", { as: "none" })).status).toBe(200);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const answer = await http.send(method, "/api/v1/openapi.json", { as: "none" });
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "GET, HEAD"]);
    }
  });

  test.each(table)("%s: path, parameters, body, status, token and refusals", (name, spec) => {
    const told = operation(spec);
    expect(told["operationId"]).toBe(name);
    const parameters = Array.isArray(told["parameters"]) ? told["parameters"].map(Object) : [];
    const named = (place: string) => parameters.filter((each) => each.in === place).map((each) => each.name);
    const inPath = [...documentedPath(spec.path).matchAll(/\{(\w+)\}/g)].map(([, key]) => key);
    expect(named("path")).toEqual(inPath);
    expect(named("query")).toEqual(Object.keys(spec.query ?? {}));
    for (const each of parameters) expect([each.name, isObject(each.schema)]).toEqual([each.name, true]);
    expect("requestBody" in told).toBe(spec.body !== "none");
    if (spec.body !== "none") {
      expect(member(told, "requestBody", "required")).toBe(spec.body !== "optional");
      const schema = member(told, "requestBody", "content", "application/json", "schema");
      expect(member(schema, "type")).toBe("object");
      const required = member(schema, "required");
      for (const key of Array.isArray(required) ? required : []) {
        expect([key, isObject(member(schema, "properties", String(key)))]).toEqual([key, true]);
      }
    }
    const statuses = Object.keys(Object(told["responses"]));
    expect(statuses).toEqual([...new Set([spec.status, ...refusalsOf(name, spec)])].map(String));
    const schemes = (Array.isArray(told["security"]) ? told["security"] : []).flatMap((each) =>
      Object.keys(Object(each)),
    );
    expect(schemes).toEqual(
      { operator: ["operator"], token: ["operator", "agent"], enrolment: ["enrolment", "agent"], none: [] }[spec.auth],
    );
  });

  test.each<[CallName, string, unknown]>([
    ["createProject", "id", { type: "string" }],
    ["createProject", "confidential", { type: "boolean" }],
    ["snoozeItem", "until", expect.objectContaining({ type: "string" })],
    ["extendItem", "seconds", { type: "integer", minimum: 60, maximum: 2592000 }],
    ["decideApproval", "decision", { type: "string", enum: ["approve", "decline"] }],
    ["askIn", "why", { type: "string" }],
    ["admitAgent", "projects", { type: "array", items: { type: "string" } }],
  ])("%s takes %s as the schema that checks it says", (name, field, schema) => {
    const body = member(operation(calls[name]), "requestBody", "content", "application/json", "schema");
    expect(member(body, "properties", field)).toEqual(schema);
  });

  test.each(table)("%s: what it answers with, member by member", (name, spec) => {
    const success = member(operation(spec), "responses", String(spec.status));
    const schema = member(success, "content", "application/json", "schema");
    expect([name, isObject(schema) && Object.keys(schema).length > 0]).toEqual([name, spec.status !== 204]);
    expect(schema).toEqual(answerSchemas().answers[name]);
  });

  test("describes each view once, and only views that an answer holds", () => {
    const schemas = Object(member(document, "components", "schemas"));
    expect(schemas.BackupTakenView).toMatchObject({
      type: "object",
      required: ["directory", "path", "manifest", "duration_ms"],
    });
    const text = JSON.stringify(document);
    for (const name of Object.keys(schemas)) expect([name, text.includes(`schemas/${name}"`)]).toEqual([name, true]);
  });

  test("says where unknown fields are refused, and they are", async () => {
    const strict = table.filter(
      ([, spec]) =>
        member(operation(spec), "requestBody", "content", "application/json", "schema", "additionalProperties") ===
        false,
    );
    expect(strict.map(([name]) => name)).toEqual(expect.arrayContaining(["createAgent", "updateAgent", "admitAgent"]));
    for (const [name, spec] of strict) {
      const path = documentedPath(spec.path).replaceAll(/\{\w+\}/g, "p");
      const answer = await http.send(spec.method, path, { body: { "no such field": 1 } });
      expect([name, answer.status]).toEqual([name, 400]);
    }
  });
});

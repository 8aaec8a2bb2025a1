// Every route of the shared table, by every caller and every method (rest-api.md 0.2, 0.3, 0.4): who gets past the token,
// and what the others learn.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type CallName, type CallSpec, calls } from "../../../src/shared/api.ts";
import { type HttpHub, openHttpHub, problem, strangers } from "./requests.ts";

let http: HttpHub;
beforeAll(async () => {
  http = await openHttpHub();
  await http.hub.project("p");
});
afterAll(() => http[Symbol.asyncDispose]());

const routes: [CallName, CallSpec][] = Object.entries(calls).map(([name, spec]) => [name as CallName, spec]); // its own keys
const paths = [...new Set(routes.map(([, spec]) => spec.path))];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"];

const filled = (path: string): string => path.replaceAll(/:\w+/g, "nothing-here");
// Anything may stand for `*`, so a path that goes on behind it is one of those as well.
const serves = (spec: CallSpec, path: string): boolean =>
  spec.path === path || (spec.path.endsWith("/*") && path.startsWith(spec.path));
const servedBy = (path: string): CallSpec[] => routes.filter(([, spec]) => serves(spec, path)).map(([, spec]) => spec);

describe.each(routes)("%s", (_name, spec) => {
  const path = filled(spec.path);
  const challenge = 'Bearer realm="agent-hub"';

  // What is open to who has no token yet is enrolment's to test (test/features/enrolment).
  const outside = {
    operator: [...strangers, "agent" as const],
    token: strangers,
    enrolment: strangers.filter((as) => as !== "pending"),
    none: [],
  }[spec.auth];

  test("answers every stranger with one 401", async () => {
    const bodies = new Set<string>();
    for (const as of outside) {
      // A body that would be refused and a query that would be: neither is looked at.
      const sent = spec.method === "GET" ? {} : { text: "{", headers: { "content-type": "text/plain" } };
      const answer = await http.send(spec.method, `${path}?limit=%zz`, { as, ...sent });
      expect(answer.status).toBe(401);
      expect(answer.json).toEqual(problem("Unauthorized", 401, "unauthenticated"));
      const wasSent = as !== "none" && as !== "basic" && as !== "empty";
      expect(answer.headers.get("www-authenticate")).toBe(wasSent ? `${challenge}, error="invalid_token"` : challenge);
      bodies.add(answer.text);
    }
    expect(bodies.size).toBe(Math.min(outside.length, 1));
  });

  test("lets the operator in", async () => {
    const answer = await http.send(spec.method, path, spec.body === "json" || spec.body === "text" ? { body: {} } : {});
    // The operator asked for nothing, so there is no decision to tell it.
    expect(spec.auth === "enrolment" ? [401] : [200, 201, 204, 400, 404, 409]).toContain(answer.status);
  });

  if (spec.auth === "token") {
    test("lets an agent in", async () => {
      const answer = await http.send(spec.method, path, {
        as: "agent",
        ...(spec.body === "json" ? { body: { confidential: true } } : {}),
      });
      expect([200, 400, 403]).toContain(answer.status);
    });
  }
});

describe.each(paths)("%s", (pattern) => {
  const path = filled(pattern);
  const served = servedBy(pattern);
  const allow = served.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));

  test("refuses other methods with 405 and Allow", async () => {
    for (const method of methods.filter((candidate) => !allow.includes(candidate))) {
      const answer = await http.send(method, path);
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([...allow].sort());
      expect(answer.json).toEqual(problem("Method Not Allowed", 405, "invalid_argument"));
    }
  });

  test("asks for the token before it says which methods it serves", async () => {
    for (const method of methods.filter((candidate) => !allow.includes(candidate))) {
      const answer = await http.send(method, path, { as: "garbage" });
      const isOpen = served.some(({ auth }) => auth === "none");
      expect([method, answer.status, answer.headers.get("allow")]).toEqual(
        isOpen ? [method, 405, allow.join(", ")] : [method, 401, null],
      );
    }
  });

  test("answers OPTIONS with 405, token or not, and no CORS header", async () => {
    for (const as of ["none", "operator"] as const) {
      const answer = await http.send("OPTIONS", path, { as });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([...allow].sort());
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  test("answers HEAD as GET, without the body", async () => {
    const head = await http.send("HEAD", path);
    if (!allow.includes("HEAD")) {
      expect(head.status).toBe(405);
      return;
    }
    const get = await http.send("GET", path);
    expect(head.status).toBe(get.status);
    expect(head.text).toBe("");
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
  });
});

describe("an address that is no route", () => {
  test.each([
    "/nope",
    "/api",
    "/api/v2/projects",
    "/api/v1",
    "/api/v1/nope",
    "/api/v1/projects/p/nope",
    "/api/v1/projects/",
    "/api/v1/agents//token",
    "/healthz/",
    "/MCP",
    "/metrics/x",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
    "/register",
    "/authorize",
    "/token",
  ])("%s is a JSON 404 with and without a token", async (path) => {
    for (const as of ["none", "garbage", "agent", "operator"] as const) {
      for (const method of ["GET", "POST"]) {
        const answer = await http.send(method, path, { as });
        expect([method, answer.status]).toEqual([method, 404]);
        expect(answer.headers.get("content-type")).toBe("application/problem+json");
        expect(answer.json).toEqual(problem("Not Found", 404, "not_found"));
      }
    }
  });
});

// A client library would tidy these up on the way.
test.each([
  ["//healthz", 404],
  ["//api/v1/projects", 404],
  ["//api/v1/projects/p", 404],
  ["/api/v1//projects", 404],
  ["/api/v1/agents/./alice/grants", 200],
  ["/api/v1/x/../version", 200],
])("%s as it stands is %i", async (path, status) => {
  const answer = await http.raw(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${http.authorization.operator}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer.status).toBe(status);
});

describe("headers", () => {
  test.each([
    ["GET", "/", "none"],
    ["GET", "/sw.js", "none"],
    ["GET", "/icon-192.png", "none"],
    ["GET", "/healthz", "none"],
    ["GET", "/readyz", "none"],
    ["GET", "/bootstrap/SKILL.md", "none"],
    ["GET", "/nope", "none"],
    ["POST", "/healthz", "none"],
    ["GET", "/api/v1/version", "operator"],
    ["GET", "/api/v1/version", "none"],
    ["GET", "/api/v1/nope", "none"],
    ["PUT", "/api/v1/version", "operator"],
    ["GET", "/api/v1/projects/%ff", "operator"],
    ["DELETE", "/api/v1/agents/alice/token", "operator"],
    ["GET", "/mcp", "operator"],
    ["GET", "/mcp", "none"],
  ] as const)("%s %s as %s", async (method, path, as) => {
    const answer = await http.send(method, path, { as });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    const isApi = path.startsWith("/api/v1/");
    expect(answer.headers.get("x-hub-build") !== null).toBe(isApi);
    if (isApi) expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

test("a failing store is 503 while a token is looked up, and never 401", async () => {
  await using broken = await openHttpHub();
  await broken.hub.hub.kernel.services.write((tx) => tx.db.run("ALTER TABLE tokens RENAME TO tokens_gone"));
  for (const path of ["/api/v1/version", "/mcp"]) {
    const answer = await broken.send("POST", path, { as: "agent" });
    expect(answer.json).toEqual(problem("Service Unavailable", 503, "unavailable"));
  }
  // The operator's token is a setting and needs no store.
  expect((await broken.send("GET", "/api/v1/version")).status).toBe(200);
});

test("the scheme is matched in any case and white space around the token is tolerated", async () => {
  const token = http.hub.operator.token;
  for (const authorization of [`bearer ${token}`, `BEARER   ${token}`, `Bearer\t${token}  `, `  Bearer ${token}`]) {
    const answer = await http.send("GET", "/api/v1/version", { as: "none", headers: { authorization } });
    expect([authorization, answer.status]).toEqual([authorization, 200]);
  }
  for (const authorization of [token, `Bearer${token}`, `Bearer ${token}x`, `Bearer ${token} ${token}`, "Bearer"]) {
    const answer = await http.send("GET", "/api/v1/version", { as: "none", headers: { authorization } });
    expect([authorization, answer.status]).toEqual([authorization, 401]);
  }
});

test.each(["a token with spaces", "pässwort", "пароль"])(
  "a configured admin token %p lets the operator in",
  async (adminToken) => {
    await using configured = await openHttpHub({ config: { adminToken } });
    const head = "GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    expect((await configured.raw(`${head}Authorization: Bearer ${adminToken}\r\n\r\n`)).status).toBe(200);
    expect((await configured.raw(`${head}Authorization: Bearer ${adminToken}x\r\n\r\n`)).status).toBe(401);
  },
);

// What is covered where: OWASP's API Security Top 10 (2023) and MCP's own security guidance, point by point.
//
// | OWASP API Top 10                                  | Test                                                                   |
// |---------------------------------------------------|------------------------------------------------------------------------|
// | API1 object level authorization                   | request-tables (denied and missing are one answer), features/projects/access, features/projects/confidential, features/inbox/confinement, features/notify/access, features/search |
// | API2 authentication                               | routes (one 401), here (pending and revoked read as unknown; compare in constant time), features/identity/tokens, features/enrolment/* |
// | API3 object property level authorization          | bodies (unknown fields; no field names the actor), features/enrolment/decisions (id and state cannot be sent), features/projects/confidential |
// | API4 unrestricted resource consumption            | bodies (caps before reading), slow-clients, features/enrolment/sources (caps hold under a race), features/questions/races (open items), stream (slow readers) |
// | API5 function level authorization                 | routes and request-tables (every operator's call refuses an agent), features/knowledge/operator, server/mcp/tool-list |
// | API6 sensitive business flows                     | features/enrolment/sources (one request a source), features/enrolment/asking (no browser may ask), features/enrolment/decisions (forged requests) |
// | API7 server side request forgery                  | features/notify/nudge (the one address the hub calls is a setting; redirects are not followed); no call names an address |
// | API8 security misconfiguration                    | host-and-origin, routes (headers, no CORS, OPTIONS), pages (policies), config/hub (no open bind without a token), cli/enrol (0600) |
// | API9 improper inventory management                | openapi (mounted routes, table, document and index are one; nothing else is served) |
// | API10 unsafe consumption of APIs                  | features/notify/nudge (an answer of the target is not read), cli/enrol and cli/enrol-waiting (what a hub answers is checked) |
//
// | MCP security guidance                             | Test                                                                   |
// |---------------------------------------------------|------------------------------------------------------------------------|
// | Origin is validated, 403                          | host-and-origin, server/mcp/framing                                    |
// | DNS rebinding: Host on loopback, local bind       | host-and-origin, config/hub                                            |
// | a token even on loopback                          | routes, cli/process (serve makes one), e2e/binary                      |
// | every request is verified; a session is no login  | server/mcp/connections (a connection is its identity's; revoked is 401)|
// | session ids random and bound to the caller        | server/mcp/connections                                                 |
// | no token passthrough                              | features/notify/nudge (the target gets its own token, never a caller's), here (no token leaves) |
// | confused deputy, forged consent                   | features/enrolment/decisions (the subject is the event's actor, not the payload) |
// | scope minimisation                                | features/projects/access, request-tables (agents reach seven calls)    |
// | input is validated, output is data                | fuzz, server/mcp/results, features/inbox                               |
// | stdio: protocol only on stdout, token from the environment or a 0600 file | client/proxy-lines, cli/enrol                  |
// | prompt injection through names and reasons        | features/enrolment/asking (one line, no control characters)            |
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type CallName, type CallSpec, calls } from "../../../src/shared/api.ts";
import { sql } from "../../features/as-caller.ts";
import { readFile, readSources } from "../../support/source-files.ts";
import { rows } from "./request-rows.ts";
import { type Answer, type HttpHub, openHttpHub } from "./requests.ts";

let http: HttpHub;
beforeAll(async () => {
  http = await openHttpHub();
  await http.hub.project("p");
});
afterAll(() => http[Symbol.asyncDispose]());

const table: [CallName, CallSpec][] = Object.entries(calls).map(([name, spec]) => [name as CallName, spec]); // its own keys
const everywhere: [method: string, path: string][] = [
  ...table.map(([, spec]): [string, string] => [spec.method, spec.path.replaceAll(/:\w+|\*/g, "p")]),
  ["GET", "/api/v1/stream"],
  ["GET", "/metrics"],
  ["POST", "/mcp"],
  ["POST", "/mcp/"],
  ["DELETE", "/mcp"],
  ["PUT", "/mcp"],
  ["GET", "/mcp"],
  ["PATCH", "/api/v1/version"],
  ["GET", "/api/v1/nope"],
  ["GET", "/nope"],
];

const shown = ({ status, headers, text }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== "date"),
});

describe("a token of one that is pending, or was revoked", () => {
  test.each(["pending", "revoked"] as const)(
    "%s: byte for byte an unknown one, on every address and method",
    async (as) => {
      for (const [method, path] of everywhere) {
        if (path === "/api/v1/enrol" || (path === "/api/v1/enrol/status" && as === "pending")) continue;
        for (const sent of [{}, { headers: { accept: "text/html" } }]) {
          const [given, unknown] = [
            await http.send(method, path, { as, ...sent }),
            await http.send(method, path, { as: "garbage", ...sent }),
          ];
          expect([method, path, shown(given)]).toEqual([method, path, shown(unknown)]);
        }
      }
    },
  );

  test("leaves nothing that tells of a visit of a pending one", async () => {
    await http.hub.hub.kernel.services.touches.flush();
    const { db } = http.hub.hub.kernel.services;
    expect(db.get("SELECT first_seen_at, last_seen_at, last_refused_at FROM agents WHERE id = 'newcomer'")).toEqual({
      first_seen_at: null,
      last_seen_at: null,
      last_refused_at: null,
    });
  });

  test("its own address lets a pending one in, and a revoked one not", async () => {
    expect((await http.send("GET", "/api/v1/enrol/status?wait=0", { as: "pending" })).json).toEqual({
      status: "pending",
    });
    expect((await http.send("GET", "/api/v1/enrol/status?wait=0", { as: "revoked" })).status).toBe(401);
    await sql(http.hub, "UPDATE tokens SET revoked_at = 1 WHERE agent_id = 'newcomer'");
    expect((await http.send("GET", "/api/v1/enrol/status?wait=0", { as: "pending" })).status).toBe(401);
    await sql(http.hub, "UPDATE tokens SET revoked_at = NULL WHERE agent_id = 'newcomer'");
  });
});

test("an agent reaches seven calls and its own wait, and no more", () => {
  const open = table.filter(([, { auth }]) => auth !== "operator").map(([name]): string => name);
  expect(open.sort()).toEqual(
    [
      "askIn",
      "createProject",
      "getEnrolStatus",
      "getProject",
      "getProjectStats",
      "getVersion",
      "listProjects",
      "updateProject",
    ].sort(),
  );
});

describe("tokens are compared", () => {
  test("in constant time, as digests, in the one place where they are", async () => {
    const sources = (await readSources("src")).map(readFile);
    const authenticate = sources.find(({ path }) => path === "src/features/identity/authenticate.ts");
    expect(authenticate?.text).toContain("timingSafeEqual(Buffer.from(hash), adminDigest)");
    // Nobody else takes an admin token to look at.
    const others = sources.filter(
      ({ path, text }) => /adminToken/.test(text) && /^src\/(?:features|server\/(?:http|mcp))\//.test(path),
    );
    expect(others.map(({ path }) => path)).toEqual(["src/features/identity/authenticate.ts"]);
  });

  test("whole: no part, no more, no other case, no other length lets anybody in", async () => {
    const token = http.hub.operator.token;
    for (const near of [
      token.slice(1),
      token.slice(0, -1),
      `${token}0`,
      `0${token}`,
      token.toUpperCase(),
      `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`,
      token.repeat(2),
      "",
    ]) {
      if (near === token) continue;
      const answer = await http.send("GET", "/api/v1/home", {
        as: "none",
        headers: { authorization: `Bearer ${near}` },
      });
      expect([near.length, answer.status]).toEqual([near.length, 401]);
    }
  });

  test("only as a header: no query, no cookie, no body lets anybody in", async () => {
    const token = http.hub.operator.token;
    for (const query of [`?token=${token}`, `?access_token=${token}`, `?authorization=Bearer%20${token}`]) {
      expect((await http.send("GET", `/api/v1/home${query}`, { as: "none" })).status).toBe(401);
    }
    for (const cookie of [`token=${token}`, `authorization=Bearer ${token}`]) {
      expect((await http.send("GET", "/api/v1/home", { as: "none", headers: { cookie } })).status).toBe(401);
    }
    const headers = { "x-api-key": token, "proxy-authorization": `Bearer ${token}` };
    expect((await http.send("GET", "/api/v1/home", { as: "none", headers })).status).toBe(401);
  });
});

test("no token is in a log line, an answer or a header, whatever is done with it; the log keeps all it can", async () => {
  const target = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(null, { status: 500 }) });
  try {
    await using loud = await openHttpHub({
      config: {
        notifyUrl: `http://127.0.0.1:${target.port}/secret-path?secret-query=1`,
        notifyToken: "secret-of-the-target",
        trustProxy: ["127.0.0.1"],
      },
    });
    await loud.hub.project("p");
    const answers: string[] = [];
    const send = async (method: string, path: string, sent: object = {}): Promise<Answer> => {
      const answer = await loud.send(method, path, sent);
      answers.push(`${answer.text}\n${JSON.stringify([...answer.headers])}`);
      return answer;
    };
    const issued = await loud.send("POST", "/api/v1/agents/mallory/token");
    const asked = await loud.send("POST", "/api/v1/enrol", { as: "none", body: { display_name: "Ada", why: "x" } });
    const secrets = [
      ...Object.values(loud.authorization).flatMap((value) => /^Bearer (.{16,})$/.exec(value ?? "")?.[1] ?? []),
      String(issued.json["token"]),
      String(asked.json["token"]),
      "secret-path",
      "secret-query",
      "secret-of-the-target",
    ];
    for (const as of ["operator", "agent", "pending", "revoked", "garbage", "none"] as const) {
      for (const [name, spec] of table) {
        // What hands a token out does so, once, to who asked.
        if (name === "issueToken" || name === "askIn" || name === "revokeToken") continue;
        const path = spec.path.replaceAll(/:\w+|\*/g, "p");
        const right = rows[name]?.right?.body;
        const query = Object.hasOwn(spec.query ?? {}, "wait") ? "?wait=0" : (rows[name]?.right?.query ?? "");
        await send(spec.method, `${path}${query}`, { as, ...(spec.body === "none" ? {} : { body: right ?? {} }) });
      }
      await send("POST", "/mcp", {
        as,
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "whoami" } },
      });
      await send("POST", "/mcp", { as, text: "{" });
      await send("GET", "/metrics", { as });
    }
    for (const path of ["/", "/bootstrap/SKILL.md", "/readyz", "/api/v1/openapi.json"])
      await send("GET", path, { as: "operator" });
    await send("POST", "/api/v1/enrol/ada/approve");
    // A store that fails logs the most.
    await loud.hub.hub.kernel.services.write((tx) => tx.db.run("ALTER TABLE projects RENAME TO projects_gone"));
    for (const [method, path] of [
      ["GET", "/api/v1/projects"],
      ["POST", "/api/v1/projects"],
      ["GET", "/api/v1/home"],
    ] as const) {
      await send(method, path, method === "POST" ? { body: { id: "x", display_name: "X" } } : {});
    }
    await loud.hub.hub.kernel.services.write((tx) => tx.db.run("ALTER TABLE projects_gone RENAME TO projects"));
    const log = loud.hub.log.join("");
    expect(log).toMatch(/ error /);
    for (const secret of secrets) {
      expect([secret.slice(0, 6), log.includes(secret)]).toEqual([secret.slice(0, 6), false]);
      const leaking = answers.filter((answer) => answer.includes(secret));
      expect([secret.slice(0, 6), leaking]).toEqual([secret.slice(0, 6), []]);
    }
    // Nor is one kept.
    const stored = await Bun.file(`${loud.hub.dataDir}/hub.db`).bytes();
    const wal = await Bun.file(`${loud.hub.dataDir}/hub.db-wal`).bytes();
    for (const secret of [String(issued.json["token"]), String(asked.json["token"])]) {
      for (const bytes of [stored, wal]) expect(Buffer.from(bytes).includes(secret)).toBe(false);
    }
  } finally {
    await target.stop(true);
  }
});

describe("headers", () => {
  test("on every address and method, refused or not: nothing to sniff, no referrer, no sharing", async () => {
    for (const [method, path] of everywhere) {
      for (const as of ["none", "operator"] as const) {
        if (path === "/api/v1/stream" && as === "operator") continue;
        const { headers } = await http.send(method, path, { as, headers: { origin: http.url } });
        expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
        expect([path, headers.get("referrer-policy")]).toEqual([path, "no-referrer"]);
        const sharing = [...headers.keys()].filter((name) => name.startsWith("access-control"));
        expect([path, sharing, headers.get("set-cookie")]).toEqual([path, [], null]);
      }
    }
  });

  test("no source of ours names a CORS header or a cookie", async () => {
    for (const { path, text } of (await readSources("src")).map(readFile)) {
      expect([path, /access-control-|set-cookie/i.test(text)]).toEqual([path, false]);
    }
  });
});

test("a problem names no file, no stack and no statement, not even of a store that fails", async () => {
  await using broken = await openHttpHub();
  await broken.hub.hub.kernel.services.write((tx) => tx.db.run("ALTER TABLE items RENAME TO items_gone"));
  const answer = await broken.send("GET", "/api/v1/inbox");
  expect([answer.status, answer.json["details"]]).toEqual([answer.status, {}]);
  expect(answer.status).toBeGreaterThanOrEqual(500);
  expect(answer.text).not.toMatch(/items|SELECT|\.ts|node_modules|\/work\/|sqlite/i);
});

// Which Host and Origin headers pass (rest-api.md 0.8), and the origin that documents carry (0.7).
import { describe, expect, test } from "bun:test";
import type { HubConfig } from "../../../src/config/settings.ts";
import { type HttpHub, openHttpHub, problem } from "./requests.ts";

const anywhere = { host: "0.0.0.0", port: 0, isLoopback: false };
const onAnywhere: Partial<HubConfig> = { bind: anywhere, adminToken: "of-the-operator" };
const named: Partial<HubConfig> = { allowedHosts: ["nas", "hub.lan"] };
const published: Partial<HubConfig> = { publicUrl: "https://hub.example:8443" };
const proxied: Partial<HubConfig> = { trustProxy: ["127.0.0.1"] };

/** `[own]` stands for the host and port of the listener. */
type Row = [config: Partial<HubConfig>, headers: Record<string, string | null>, passes: boolean];

function request(http: HttpHub, path: string, headers: Record<string, string | null>): Promise<{ status: number }> {
  const own = new URL(http.url).host.replace("0.0.0.0", "127.0.0.1");
  const port = own.split(":").at(-1) ?? "";
  const lines = Object.entries({ Authorization: http.authorization.operator, Host: own, ...headers }).flatMap(
    ([name, value]) =>
      value === null ? [] : [`${name}: ${value.replaceAll("[own]", own).replaceAll("[port]", port)}\r\n`],
  );
  // HTTP/1.0, where a request without Host is well formed.
  return http.raw(`GET ${path} HTTP/1.0\r\n${lines.join("")}\r\n`);
}

const rows: Row[] = [
  // Host, on a loopback bind.
  [{}, {}, true],
  [{}, { Host: "localhost" }, true],
  [{}, { Host: "LocalHost:1" }, true],
  [{}, { Host: "127.0.0.1" }, true],
  [{}, { Host: "192.168.1.20:8080" }, true],
  [{}, { Host: "[::1]:8080" }, true],
  [{}, { Host: "[fe80::1]" }, true],
  [{}, { Host: null }, false],
  [{}, { Host: "" }, false],
  [{}, { Host: "evil.example" }, false],
  [{}, { Host: "localhost.evil.example" }, false],
  [{}, { Host: "localhost." }, false],
  [{}, { Host: "127.0.0.1.evil.example" }, false],
  [{}, { Host: "evil.example@localhost" }, false],
  [{}, { Host: "localhost/evil.example" }, false],
  [{}, { Host: "localhost#evil.example" }, false],
  [{}, { Host: "localhost?evil.example" }, false],
  [{}, { Host: "local host" }, false],
  [{}, { Host: "[::1" }, false],
  [{}, { Host: "127.0.0.1:99999" }, false],
  [{}, { Host: "nas" }, false],
  [named, { Host: "nas" }, true],
  [named, { Host: "NAS:8080" }, true],
  [named, { Host: "hub.lan:1" }, true],
  [named, { Host: "lan" }, false],
  [named, { Host: "evil.nas" }, false],
  [published, { Host: "hub.example" }, true],
  [published, { Host: "hub.example:1" }, true],
  [published, { Host: "example" }, false],
  [proxied, { Host: "anything.example" }, true],
  [proxied, { Host: null }, true],
  [{ trustProxy: ["10.0.0.1"] }, { Host: "anything.example" }, false],
  [{}, { Host: "anything.example", "X-Forwarded-Host": "localhost" }, false],
  // Host, on any other bind.
  [onAnywhere, { Host: "evil.example" }, true],
  [onAnywhere, { Host: null }, true],
  [onAnywhere, { Host: "[::1" }, true],
  // Origin.
  [{}, { Origin: "http://[own]" }, true],
  [{}, { Origin: "https://[own]" }, true],
  [{}, { Origin: "null" }, false],
  [{}, { Origin: "" }, false],
  [{}, { Origin: "garbage" }, false],
  [{}, { Origin: "file://" }, false],
  [{}, { Origin: "http://evil.example" }, false],
  [{}, { Origin: "http://127.0.0.1" }, false],
  [{}, { Origin: "http://127.0.0.1:1" }, false],
  [{}, { Origin: "http://localhost:[port]" }, false],
  [{}, { Host: "localhost:[port]", Origin: "http://localhost:[port]" }, true],
  [{}, { Host: "[::1]:[port]", Origin: "http://[::1]:[port]" }, true],
  [{}, { Host: "[::1]:[port]", Origin: "http://[::1]" }, false],
  [{}, { Host: "localhost", Origin: "http://localhost" }, true],
  [{}, { Host: "localhost", Origin: "https://localhost" }, true],
  [{}, { Host: "localhost", Origin: "http://localhost:80" }, true],
  [{}, { Host: "localhost", Origin: "http://localhost:443" }, true],
  [{}, { Host: "localhost", Origin: "http://localhost:8080" }, false],
  [{}, { Host: "localhost:80", Origin: "http://localhost" }, true],
  [{}, { Host: "localhost:80", Origin: "https://localhost" }, false],
  [{}, { Host: "localhost:443", Origin: "https://localhost" }, true],
  [{}, { Host: "localhost:8080", Origin: "http://localhost" }, false],
  [named, { Origin: "http://nas" }, true],
  [named, { Origin: "https://nas:1234" }, true],
  [named, { Host: "nas", Origin: "http://NAS" }, true],
  [named, { Origin: "http://evil.nas" }, false],
  [published, { Origin: "https://hub.example:8443" }, true],
  [published, { Origin: "http://hub.example:8443" }, true],
  [published, { Origin: "https://hub.example" }, false],
  [{ publicUrl: "https://hub.example" }, { Origin: "https://hub.example" }, true],
  [{ publicUrl: "https://hub.example" }, { Origin: "http://hub.example" }, false],
  [{ publicUrl: "https://hub.example" }, { Host: "hub.example", Origin: "http://hub.example" }, true],
  [{}, { Origin: "https://hub.example", "X-Forwarded-Host": "hub.example" }, false],
  [proxied, { Origin: "https://hub.example", "X-Forwarded-Host": "hub.example" }, true],
  [proxied, { Origin: "https://hub.example", "X-Forwarded-Host": "hub.example, inner" }, true],
  [proxied, { Origin: "https://inner", "X-Forwarded-Host": "hub.example, inner" }, false],
  [proxied, { Origin: "https://evil.example", "X-Forwarded-Host": "hub.example" }, false],
  [proxied, { Origin: "null", "X-Forwarded-Host": "hub.example" }, false],
  [onAnywhere, { Origin: "http://[own]" }, true],
  [onAnywhere, { Origin: "http://evil.example" }, false],
  [onAnywhere, { Origin: "null" }, false],
  [onAnywhere, { Host: "evil.example", Origin: "http://evil.example" }, true],
];

test.each(Object.entries(Object.groupBy(rows, ([config]) => JSON.stringify(config))))(
  "with %s each Host and Origin is let in or refused",
  async (_, cases = []) => {
    await using http = await openHttpHub({ config: cases[0]?.[0] ?? {} });
    for (const [, headers, passes] of cases) {
      const { status } = await request(http, "/api/v1/version", headers);
      expect([headers, status]).toEqual([headers, passes ? 200 : 403]);
    }
  },
);

describe("a foreign Host or Origin", () => {
  test("is refused before the token, on every address that takes one, and says what to set", async () => {
    await using http = await openHttpHub();
    for (const headers of [{ host: "evil.example" }, { origin: "http://evil.example" }]) {
      for (const path of ["/api/v1/version", "/api/v1/projects/p", "/api/v1/nope", "/mcp", "/mcp/"]) {
        for (const method of ["GET", "POST", "OPTIONS", "DELETE"]) {
          const answer = await http.send(method, path, { as: "garbage", headers });
          expect([path, method, answer.status]).toEqual([path, method, 403]);
          expect(answer.json).toEqual(problem("Forbidden", 403, "forbidden"));
          expect(answer.text).toMatch(/public_url.*allowed_hosts/);
        }
      }
    }
  });

  test("is no matter where no token is asked for", async () => {
    await using http = await openHttpHub();
    const headers = { host: "evil.example", origin: "http://evil.example" };
    for (const path of [
      "/",
      "/healthz",
      "/readyz",
      "/bootstrap/SKILL.md",
      "/sw.js",
      "/icon.svg",
      "/manifest.webmanifest",
    ]) {
      expect([path, (await http.send("GET", path, { as: "none", headers })).status]).toEqual([path, 200]);
    }
  });

  test("an old client without Host is served what needs none", async () => {
    await using http = await openHttpHub();
    const answer = await http.raw("GET /healthz HTTP/1.0\r\n\r\n");
    expect([answer.status, answer.text]).toEqual([200, "ok"]);
    const missing = await http.raw("GET /nope HTTP/1.0\r\n\r\n");
    expect(missing.json).toEqual(problem("Not Found", 404, "not_found"));
  });
});

test.each([
  ["nas", "nas"],
  ["nas:8080", "nas"],
])("a hub reached as %s serves API and MCP", async (host, name) => {
  await using http = await openHttpHub({ config: { allowedHosts: [name] } });
  expect((await http.send("GET", "/api/v1/version", { headers: { host } })).status).toBe(200);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  for (const path of ["/mcp", "/mcp/"]) {
    const answer = await http.send("POST", path, { as: "agent", headers: { host }, body: ping });
    expect(answer.json).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  }
});

describe("the origin in documents", () => {
  const cases: [Partial<HubConfig>, Record<string, string | null>, string][] = [
    [{}, {}, "http://[own]"],
    [{}, { Host: "nas" }, "http://nas"],
    [{}, { Host: "[::1]:9" }, "http://[::1]:9"],
    [{}, { Host: null }, "http://[own]"],
    [{}, { Host: "nas/x" }, "http://[own]"],
    [{}, { Host: 'n"as' }, "http://[own]"],
    [{}, { Host: "a".repeat(256) }, "http://[own]"],
    [{}, { "X-Forwarded-Proto": "https" }, "https://[own]"],
    [{}, { "X-Forwarded-Proto": "HTTPS, http" }, "https://[own]"],
    [{}, { "X-Forwarded-Proto": "http, https" }, "http://[own]"],
    [{}, { "X-Forwarded-Proto": "wss" }, "http://[own]"],
    [{}, { "X-Forwarded-Host": "hub.example, inner" }, "http://hub.example"],
    [{}, { "X-Forwarded-Host": "hub.example:444", "X-Forwarded-Proto": "https" }, "https://hub.example:444"],
    [{}, { "X-Forwarded-Host": "<script>" }, "http://[own]"],
    [published, { Host: "nas", "X-Forwarded-Host": "other", "X-Forwarded-Proto": "http" }, "https://hub.example:8443"],
  ];

  test.each(cases)("with %j and %j is %s", async (config, headers, origin) => {
    await using http = await openHttpHub({ config });
    const own = new URL(http.url).host;
    const lines = Object.entries({ Host: own, ...headers }).flatMap(([name, value]) =>
      value === null ? [] : [`${name}: ${value}\r\n`],
    );
    const guide = await http.raw(`GET /bootstrap/SKILL.md HTTP/1.0\r\n${lines.join("")}\r\n`);
    expect(guide.text).toContain(`POST ${origin.replace("[own]", own)}/mcp\n`);
    expect(guide.text).not.toContain("{{");
    expect(guide.headers.get("cache-control")).toBe("no-store");
    expect(guide.headers.get("vary")).toBe("Host, X-Forwarded-Host, X-Forwarded-Proto");
  });

  test("on a bind to every address without a usable Host it is localhost", async () => {
    await using http = await openHttpHub({ config: onAnywhere });
    const guide = await http.raw("GET /bootstrap/SKILL.md HTTP/1.0\r\n\r\n");
    expect(guide.text).toContain(`POST http://localhost:${new URL(http.url).port}/mcp\n`);
  });
});

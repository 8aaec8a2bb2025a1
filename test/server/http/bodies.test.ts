// Bodies, path segments and query values as they come over the wire (rest-api.md 0.4 to 0.6).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { jsonValuesMax, restBodyBytes } from "../../../src/shared/limits.ts";
import { type HttpHub, openHttpHub, problem } from "./requests.ts";

let http: HttpHub;
beforeAll(async () => {
  http = await openHttpHub();
  await http.hub.project("p");
  await http.hub.agent("bob");
});
afterAll(() => http[Symbol.asyncDispose]());

/** A body of unknown length, which goes out chunked. */
function chunked(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const size = 100_000;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

const valid = JSON.stringify({ id: "valid", display_name: "Valid" });
const invalid = (details: { field: string; expected: string }) =>
  problem("Bad Request", 400, "invalid_argument", details);

describe("content types", () => {
  test.each(["application/json", "application/json; charset=utf-8", "Application/JSON ;x=y", " application/json"])(
    "%p is taken",
    async (type) => {
      const answer = await http.send("POST", "/api/v1/projects", { text: "{}", headers: { "content-type": type } });
      expect(answer.status).toBe(400);
      expect(answer.json["details"]).toMatchObject({ field: "id" });
    },
  );

  test.each([
    "text/plain",
    "application/jsonl",
    "application/json+x",
    "text/json",
    "application/x-www-form-urlencoded",
  ])("%p is 415", async (type) => {
    const answer = await http.send("POST", "/api/v1/projects", { text: valid, headers: { "content-type": type } });
    expect(answer.json).toEqual(problem("Unsupported Media Type", 415, "invalid_argument"));
  });

  test("a missing one is 415, an empty body too", async () => {
    const text = new TextEncoder().encode(valid);
    expect((await http.send("POST", "/api/v1/projects", { text })).status).toBe(415);
    expect((await http.send("POST", "/api/v1/projects")).status).toBe(415);
  });

  test("a call without a body needs none and minds none", async () => {
    const bodies = [{}, { text: "{" }, { text: "x", headers: { "content-type": "text/plain" } }];
    for (const sent of bodies) {
      expect((await http.send("POST", "/api/v1/agents/bob/token", sent)).status).toBe(201);
    }
  });
});

describe("a body that is no JSON object", () => {
  const json = { "content-type": "application/json" };

  test.each(["", "{", "{}x", "{'id':1}", "undefined", "\u0000"])("%p is 400", async (text) => {
    const answer = await http.send("POST", "/api/v1/projects", { text, headers: json });
    expect(answer.json).toEqual(invalid({ field: "body", expected: "JSON" }));
  });

  test("bytes that are no UTF-8 are 400, declared and chunked, and nothing is put in their place", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('{"id":"bytes","display_name":"a'), 0xff, 0x22, 0x7d]);
    for (const text of [bytes, chunked(bytes)]) {
      const answer = await http.send("POST", "/api/v1/projects", { text, headers: json });
      expect(answer.json).toEqual(invalid({ field: "body", expected: "JSON" }));
    }
    expect((await http.send("GET", "/api/v1/projects/bytes")).status).toBe(404);
  });

  test.each(["[]", "5", '"text"', "true"])("%p is 400", async (text) => {
    for (const path of ["/api/v1/projects", "/api/v1/agents"]) {
      const answer = await http.send("POST", path, { text, headers: json });
      expect(answer.json).toEqual(invalid({ field: "arguments", expected: "a JSON object" }));
    }
  });

  test("null is 400", async () => {
    expect((await http.send("POST", "/api/v1/projects", { text: "null", headers: json })).status).toBe(400);
    expect((await http.send("PATCH", "/api/v1/projects/p", { text: "null", headers: json })).status).toBe(400);
  });

  test("a byte order mark is no part of the text", async () => {
    const text = `\uFEFF${JSON.stringify({ id: "marked", display_name: "Marked" })}`;
    expect((await http.send("POST", "/api/v1/projects", { text, headers: json })).status).toBe(200);
  });
});

describe("unknown fields", () => {
  test("are ignored on projects and grants", async () => {
    const project = { id: "extra", display_name: "Extra", actor: "someone", owner_agent: "alice", color: "red" };
    const made = await http.send("POST", "/api/v1/projects", { body: project });
    expect([made.status, made.json["owner_agent"]]).toEqual([200, null]);
    expect((await http.send("PATCH", "/api/v1/projects/extra", { body: { color: "red" } })).status).toBe(200);
    const grant = { project_id: "extra", agent_id: "mallory", level: "write" };
    const granted = await http.send("POST", "/api/v1/agents/alice/grants", { body: grant });
    expect([granted.status, granted.json["agent_id"]]).toEqual([201, "alice"]);
  });

  test.each([
    ["POST", "/api/v1/agents", { id: "zoe", display_name: "Zoe", role: "admin" }, "role"],
    ["POST", "/api/v1/agents", { id: "zoe", display_name: "Zoe", token: "x" }, "token"],
    ["PATCH", "/api/v1/agents/alice", { display_name: "Alice", id: "bob" }, "id"],
    ["PATCH", "/api/v1/agents/alice", { display_name: "Alice", state: "pending" }, "state"],
  ])("%s %s %j is 400", async (method, path, body, field) => {
    const before = await http.hub.snapshot();
    const answer = await http.send(method, path, { body });
    expect(answer.json).toEqual(invalid({ field, expected: "absent" }));
    expect(await http.hub.snapshot()).toBe(before);
  });
});

describe("ids and names", () => {
  const long = (length: number, text = "a") => text.repeat(length);

  test.each([
    "",
    "-a",
    "_a",
    "a b",
    "a/b",
    "a.b",
    "ä",
    "проект",
    "計画",
    "مشروع",
    "a\u0000",
    "a\n",
    "😀",
    long(65),
    "space-01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "space-",
  ])("a project cannot be called %p", async (id) => {
    const answer = await http.send("POST", "/api/v1/projects", { body: { id, display_name: "Name" } });
    expect(answer.json).toEqual(invalid({ field: "id", expected: expect.any(String) }));
  });

  test.each(["a", "0", "A-b_C-9", long(64), "Space-x", "spaced"])("a project can be called %p", async (id) => {
    const answer = await http.send("POST", "/api/v1/projects", { body: { id, display_name: "Name" } });
    expect([answer.status, answer.json["id"]]).toEqual([200, id]);
  });

  test.each([
    "",
    " ",
    "\u3000",
    "hub",
    "human",
    "local",
    " hub ",
    "a\u0000b",
    "a\u0085b",
    "line\nbreak",
    ".",
    "..",
    long(201),
    long(201, "😀"),
    "\ud800",
  ])("an agent cannot be called %p", async (id) => {
    const answer = await http.send("POST", "/api/v1/agents", { body: { id, display_name: "Name" } });
    expect(answer.json).toEqual(invalid({ field: "id", expected: expect.any(String) }));
  });

  test.each([
    "Hub",
    "hubby",
    "a b",
    "a/b?c#d%20",
    "...",
    "../..",
    "é",
    "e\u0301",
    "агент",
    "代理人",
    "وكيل",
    "👩‍💻",
    "null",
    long(200, "😀"),
  ])("an agent can be called %p, and is found under it", async (id) => {
    const made = await http.send("POST", "/api/v1/agents", { body: { id, display_name: id } });
    expect([made.status, made.json["id"], made.json["display_name"]]).toEqual([201, id, id]);
    const path = `/api/v1/agents/${encodeURIComponent(id)}`;
    expect((await http.send("POST", `${path}/token`)).status).toBe(201);
    expect((await http.send("GET", `${path}/grants`)).json).toEqual({ grants: [] });
    expect((await http.send("PATCH", path, { body: { display_name: "x" } })).json["id"]).toBe(id);
  });

  test.each([["", " \t", "\u0000", "a\nb", long(201), 5, true, [], {}]])("no display name is %p", async (name) => {
    for (const [method, path] of [
      ["POST", "/api/v1/projects"],
      ["PATCH", "/api/v1/projects/p"],
      ["POST", "/api/v1/agents"],
      ["PATCH", "/api/v1/agents/alice"],
    ] as const) {
      const id = method === "POST" ? { id: "named" } : {};
      const answer = await http.send(method, path, { body: { ...id, display_name: name } });
      expect(answer.json).toEqual(invalid({ field: "display_name", expected: expect.any(String) }));
    }
  });
});

describe("path segments", () => {
  test.each(["%", "%z", "%zz", "%ff", "%c3", "%e0%80%80", "%ed%a0%80"])("%p is 400 and says so", async (segment) => {
    for (const path of [`/api/v1/projects/${segment}`, `/api/v1/agents/${segment}/grants`]) {
      const answer = await http.raw(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${http.authorization.operator}\r\n\r\n`,
      );
      expect(answer.json).toEqual(invalid({ field: "id", expected: "a percent-encoded UTF-8 text" }));
    }
  });

  test.each(["%70", "p", "%50".toLowerCase().replace("50", "70")])("%p is the project p", async (segment) => {
    expect((await http.send("GET", `/api/v1/projects/${segment}`)).json["id"]).toBe("p");
  });

  test.each(["p%00", "p%2F", "p%2Fnope", "p%20", "P", "%2525", "a+b", "%D1%84", "%F0%9F%98%80"])(
    "%p is another project, which is not there",
    async (segment) => {
      expect((await http.send("GET", `/api/v1/projects/${segment}`)).json).toEqual(
        problem("Not Found", 404, "not_found"),
      );
      const denied = await http.send("GET", `/api/v1/projects/${segment}`, { as: "agent" });
      expect(denied.json).toEqual(problem("Forbidden", 403, "forbidden"));
    },
  );
});

describe("query values", () => {
  test.each(["limit=%", "project=%ff", "actor=%zz", "%ff=1"])("%p is 400", async (query) => {
    const answer = await http.raw(
      `GET /api/v1/inbox?${query} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${http.authorization.operator}\r\n\r\n`,
    );
    expect([answer.status, answer.json["code"]]).toEqual([400, "invalid_argument"]);
  });

  test.each(["limit=0", "limit=-1", "limit=1.5", "limit=x", "limit=1e3", "limit=%20", "status=open"])(
    "%p is 400",
    async (query) => {
      const answer = await http.send("GET", `/api/v1/inbox?${query}`);
      expect(answer.json).toEqual(invalid({ field: query.split("=")[0] ?? "", expected: expect.any(String) }));
    },
  );

  test.each([
    "limit=500",
    "limit=501",
    "limit=99999999999999999999999",
    "limit=007",
    "limit=",
    "status=",
    "nonsense=1",
  ])("%p is taken", async (query) => {
    expect((await http.send("GET", `/api/v1/inbox?${query}`)).status).toBe(200);
  });
});

describe("a body over its cap", () => {
  const filler = (bytes: number): string => {
    const [start, end] = ['{"id":"big","display_name":"Big","x":"', '"}'];
    return `${start}${"a".repeat(bytes - start.length - end.length)}${end}`;
  };
  const json = { "content-type": "application/json" };

  test("4 MiB are taken, one more is 413, declared and chunked", async () => {
    const taken = await http.send("POST", "/api/v1/projects", { text: filler(restBodyBytes), headers: json });
    expect([taken.status, taken.json["id"]]).toEqual([200, "big"]);
    const over = new TextEncoder().encode(filler(restBodyBytes + 1));
    const details = { limit: restBodyBytes };
    const declared = await http.send("POST", "/api/v1/projects", { text: over, headers: json });
    expect(declared.json).toEqual(
      problem("Payload Too Large", 413, "payload_too_large", { ...details, actual: restBodyBytes + 1 }),
    );
    const undeclared = await http.send("POST", "/api/v1/projects", { text: chunked(over), headers: json });
    expect(undeclared.json).toEqual(problem("Payload Too Large", 413, "payload_too_large", details));
    const small = await http.send("POST", "/api/v1/projects", {
      text: chunked(new TextEncoder().encode(JSON.stringify({ id: "chunked", display_name: "Chunked" }))),
      headers: json,
    });
    expect([small.status, small.json["id"]]).toEqual([200, "chunked"]);
  });

  // What takes long to read is the number of values, not of bytes.
  test.each([
    ["POST", "/api/v1/enrol", "none"],
    ["POST", "/api/v1/projects", "agent"],
    ["POST", "/mcp", "agent"],
  ] as const)("%s %s of more values than any call has is 413", async (method, path, as) => {
    for (const text of ["[".repeat(4_000_000), `{"id":[${"{},".repeat(jsonValuesMax)}{}]}`]) {
      const answer = await http.send(method, path, { as, text, headers: json });
      expect(answer.json).toEqual(problem("Payload Too Large", 413, "payload_too_large", { limit: jsonValuesMax }));
    }
  });

  // What is answered here is answered before the body came: the client is still sending.
  test.each([
    ["a declared body", "POST", "/api/v1/projects", "operator", "Content-Length: 1000000000", 413],
    ["an endless body", "POST", "/api/v1/projects", "operator", "Transfer-Encoding: chunked", 413],
    ["a declared MCP body", "POST", "/mcp", "agent", "Content-Length: 1000000000", 413],
    ["a stranger's body", "POST", "/api/v1/projects", "garbage", "Transfer-Encoding: chunked", 401],
    ["a stranger's MCP body", "POST", "/mcp", "none", "Transfer-Encoding: chunked", 401],
  ] as const)(
    "%s is refused unread, and the hub answers others meanwhile",
    async (_, method, path, as, length, status) => {
      const { hostname, port } = new URL(http.url);
      const authorization = http.authorization[as] ?? "";
      const socket = connect(Number(port), hostname);
      let text = "";
      const answered = new Promise<void>((resolve, reject) => {
        socket.setTimeout(10_000, () => reject(new Error("no answer in time")));
        socket.on("error", reject);
        socket.on("data", (data: Buffer) => {
          text += data.toString();
          if (text.includes('"details":')) resolve();
        });
      });
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
      );
      const isChunked = length.startsWith("Transfer");
      const chunk = `10000\r\n${"a".repeat(0x10000)}\r\n`;
      // More than the cap, less than what would end a chunked body.
      if (isChunked) for (let sent = 0; sent <= restBodyBytes; sent += 0x10000) socket.write(chunk);
      try {
        await answered;
        expect(text).toStartWith(`HTTP/1.1 ${status} `);
        expect((await http.send("GET", "/api/v1/version")).status).toBe(200);
      } finally {
        socket.destroy();
      }
    },
  );
});

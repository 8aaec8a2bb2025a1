// Requests made of the OpenAPI document by chance (rest-api.md 20): whatever is sent, the hub answers in time, with a
// status the document names and never with 500. AGENT_HUB_FUZZ_SEED repeats a run, AGENT_HUB_FUZZ_SECONDS makes it longer.
import { expect, test } from "bun:test";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import { within } from "../../support/processes.ts";
import { type HttpHub, openHttpHub } from "./requests.ts";

const seed = Number(process.env["AGENT_HUB_FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const seconds = Number(process.env["AGENT_HUB_FUZZ_SECONDS"] ?? 60);
const answerWithinMs = 15_000;
const atOnce = 4;

type Dice = { below(n: number): number; one<T>(of: readonly T[]): T; chance(of: number): boolean };

// A small generator with a seed; what matters is that a run can be repeated.
function createDice(from: number): Dice {
  let state = from >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const dice: Dice = {
    below: (n) => Math.floor(next() * n),
    one: (of) => of[dice.below(of.length)] as (typeof of)[number], // within its bounds
    chance: (of) => next() < of,
  };
  return dice;
}

const texts = [
  "",
  " ",
  "a",
  "p",
  "alice",
  "ada",
  "human",
  "hub",
  "..",
  ".",
  "/fs/a.md",
  "a.md",
  "/kv/x",
  "\u0000",
  "\u0085",
  "\u2028",
  "é",
  "e\u0301",
  "агент",
  "計算",
  "👩‍💻",
  "\ud800",
  "'; DROP TABLE events; --",
  '"',
  "%",
  "%00",
  "../../etc/passwd",
  "<script>",
  "a".repeat(64),
  "a".repeat(201),
  "a".repeat(5000),
  "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  "2026-01-03T00:00:00Z",
  "-1",
  "0",
  "1",
  "1e999",
  "null",
  "true",
  `sha256:${"0".repeat(64)}`,
  "absent",
  "NEAR(",
  "a* OR b",
  "AND",
  "\\",
  "enrol_request",
  "__proto__",
  "constructor",
] as const;
const others: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  60,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e300,
  [],
  {},
  [null],
  [[]],
  { a: {} },
  { __proto__: null },
  ["p", "p"],
  [1, "a"],
  "x".repeat(300_000),
  JSON.parse(`${"[".repeat(150)}${"]".repeat(150)}`),
];

function valueFor(schema: unknown, dice: Dice, pool: readonly string[], depth = 0): unknown {
  if (dice.chance(0.15)) return dice.one(others);
  if (!isObject(schema) || depth > 4) return text(dice, pool);
  if (Array.isArray(schema["enum"]) && dice.chance(0.9)) return dice.one(schema["enum"]);
  const options = schema["anyOf"];
  if (Array.isArray(options)) return valueFor(dice.one(options), dice, pool, depth + 1);
  switch (schema["type"]) {
    case "integer":
    case "number":
      return dice.one([0, 1, 5, 60, 600, 501, -1, Number(schema["minimum"] ?? 0), Number(schema["maximum"] ?? 99)]);
    case "boolean":
      return dice.chance(0.5);
    case "array":
      return Array.from({ length: dice.below(4) }, () => valueFor(schema["items"], dice, pool, depth + 1));
    case "object":
      return objectFor(schema, dice, pool, depth);
    default:
      return text(dice, pool);
  }
}

function objectFor(
  schema: JsonObject | Record<string, unknown>,
  dice: Dice,
  pool: readonly string[],
  depth: number,
): object {
  const made: Record<string, unknown> = {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  for (const [key, of] of Object.entries(Object(schema["properties"]))) {
    if (dice.chance(required.includes(key) ? 0.95 : 0.5)) made[key] = valueFor(of, dice, pool, depth + 1);
  }
  if (dice.chance(0.05)) made[dice.one(texts)] = dice.one(others);
  return made;
}

const text = (dice: Dice, pool: readonly string[]): string =>
  pool.length > 0 && dice.chance(0.6) ? dice.one(pool) : dice.one(texts);

const encode = (value: string): string =>
  encodeURIComponent(value.isWellFormed() ? value : value.replaceAll("\ud800", ""));

type Told = { method: string; path: string; operation: JsonObject };
type Shot = { told: Told; address: string; init: RequestInit };

function shotAt(told: Told, dice: Dice, pool: readonly string[], http: HttpHub): Shot {
  const { operation } = told;
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"].map(Object) : [];
  let address = told.path;
  const query: string[] = [];
  for (const { name, in: place, schema } of parameters) {
    if (place === "path") {
      const value = dice.chance(0.02) ? dice.one(["%ff", "%", "a%2Fb", "%2e%2e"]) : encode(text(dice, pool)) || "x";
      address = address.replace(`{${name}}`, value);
    } else if (name === "wait" || dice.chance(0.6)) {
      // A wait is real time.
      const value = name === "wait" ? dice.one([0, -1, "x", 1.5]) : valueFor(schema, dice, pool);
      query.push(`${name}=${encode(typeof value === "string" ? value : (JSON.stringify(value) ?? ""))}`.slice(0, 8000));
    }
  }
  if (dice.chance(0.03)) query.push(dice.one(["%ff=1", "nope=1", "=", "&&", "a=%"]));
  const content = Object(Object(operation["requestBody"])["content"]);
  const type = dice.chance(0.95)
    ? dice.one([...Object.keys(content), "application/json"])
    : dice.one(["text/html", ""]);
  const schema = Object(content["application/json"])["schema"];
  const body = dice.chance(0.03)
    ? dice.one(["", "{", "[]", "nul", "\u0000"])
    : JSON.stringify(valueFor(schema, dice, pool) ?? null);
  const as = dice.one(["operator", "operator", "operator", "operator", "agent", "pending", "none", "garbage"] as const);
  const token = http.authorization[as];
  return {
    told,
    // What is longer the runtime refuses by itself, with 431.
    address: `${address}${query.length === 0 ? "" : `?${query.join("&")}`}`.slice(0, 8000).replace(/%.?$/, ""),
    init: {
      method: told.method,
      headers: {
        ...(token === null ? {} : { authorization: token }),
        ...(type === "" ? {} : { "content-type": type }),
      },
      ...(told.method === "GET" || (told.method === "DELETE" && !("requestBody" in operation)) ? {} : { body }),
    },
  };
}

/** Ids among what was answered, to be asked for again. */
function harvest(value: unknown, pool: string[], dice: Dice, depth = 0): void {
  if (depth > 5) return;
  if (typeof value === "string") {
    if (value.length > 0 && value.length < 100 && !value.includes("\n")) {
      if (pool.length < 400) pool.push(value);
      else pool[dice.below(pool.length)] = value;
    }
    return;
  }
  if (isObject(value) || Array.isArray(value))
    for (const member of Object.values(value)) harvest(member, pool, dice, depth + 1);
}

test(
  `no request of the document is answered with 500 or not at all (seed ${seed})`,
  async () => {
    await using http = await openHttpHub({ config: { trustProxy: ["127.0.0.1"], enrolPendingMax: 1000 } });
    const document = (await http.send("GET", "/api/v1/openapi.json", { as: "none" })).json;
    // The stream has no end, and is not to be read to it.
    const told: Told[] = Object.entries(Object(document["paths"])).flatMap(([path, operations]) =>
      path === "/api/v1/stream"
        ? []
        : Object.entries(Object(operations)).map(([method, operation]) => ({
            method: method.toUpperCase(),
            path,
            operation: Object(operation),
          })),
    );
    // The harness made its pending agent without a request, which no agent can.
    await http.hub.rest("refuseAgent", { params: { agent_id: "newcomer" } });
    const dice = createDice(seed);
    const pool: string[] = ["p", "alice"];
    const statuses = new Map<number, number>();
    const secrets = [http.hub.operator.token];

    async function fire({ told: { method, path, operation }, address, init }: Shot): Promise<void> {
      const what = `${method} ${address.slice(0, 200)} ${String(init.body ?? "").slice(0, 300)} (seed ${seed})`;
      const response = await within(answerWithinMs, what, fetch(`${http.url}${address}`, init));
      const answer = await within(answerWithinMs, `the end of ${what}`, response.text());
      const { status, headers } = response;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500) throw new Error(`${what}: ${status} ${http.hub.log.findLast((line) => /error/.test(line))}`);
      const isNamed = Object.hasOwn(Object(operation["responses"]), status);
      // A path whose parameter is empty or dots is another address.
      if (!isNamed && !(status === 404 || status === 405))
        throw new Error(`${what}: ${status}, which is not documented`);
      expect([what, headers.get("x-content-type-options")]).toEqual([what, "nosniff"]);
      expect([...headers.keys()].some((name) => name.startsWith("access-control"))).toBe(false);
      for (const secret of secrets) expect(answer.includes(secret)).toBe(false);
      const isRpc = path.startsWith("/mcp") && /^application\/json/.test(headers.get("content-type") ?? "");
      if (status >= 400 && !isRpc) {
        expect([what, headers.get("content-type")]).toEqual([what, "application/problem+json"]);
        expect(Object.keys(JSON.parse(answer))).toEqual([
          "type",
          "title",
          "status",
          "detail",
          "code",
          "retryable",
          "details",
        ]);
      } else if (/json/.test(headers.get("content-type") ?? "") && answer !== "") {
        harvest(JSON.parse(answer), pool, dice);
      }
    }

    const endsAt = performance.now() + seconds * 1000;
    let shots = 0;
    while (performance.now() < endsAt) {
      // What everything hangs on comes back when it was removed.
      if (shots % 200 === 0) {
        for (const id of ["p", "q"]) await http.send("POST", "/api/v1/projects", { body: { id, display_name: id } });
      }
      await Promise.all(Array.from({ length: atOnce }, () => fire(shotAt(dice.one(told), dice, pool, http))));
      shots += atOnce;
    }
    expect(http.hub.log.filter((line) => / error /.test(line))).toEqual([]);
    expect(http.hub.log.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
    expect((await http.send("GET", "/readyz", { as: "none" })).status).toBe(200);
    // By chance much is right, too.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(shots / 20);
    expect(shots).toBeGreaterThan(seconds * 10);
  },
  (seconds + 60) * 1000,
);

// Every call of the shared table, right and wrong: status, body, and what it leaves in the store (rest-api.md 0 to 23).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type CallName, type CallSpec, calls } from "../../../src/shared/api.ts";
import { restBodyBytes } from "../../../src/shared/limits.ts";
import { rows as storeRows } from "../../features/as-caller.ts";
import { temporaryFolder } from "../../storage/folders.ts";
import { expectDescribed } from "../../support/described-answers.ts";
import type { Input, Lab } from "./request-fixtures.ts";
import { type Row, rows } from "./request-rows.ts";
import { type Answer, type As, openHttpHub, problem } from "./requests.ts";

async function openLab(): Promise<Lab & AsyncDisposable> {
  // The pending agent of the lab asked from nowhere, so it keeps nobody from asking.
  const folder = temporaryFolder();
  const http = await openHttpHub({
    config: { notifyUrl: `http://127.0.0.1:${nudgeTarget.port}`, backupDir: folder.path },
  });
  await http.hub.project("p");
  await http.hub.project("denied", { confidential: true });
  const token = (http.authorization.agent ?? "").replace("Bearer ", "");
  const alice = { ...http.hub.operator, ...callerOf(http.hub, "alice"), token };
  const connection = await http.hub.connect(alice);
  return {
    http,
    alice,
    connection,
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

// A caller under an agent's name, whose token the lab made already.
function callerOf(hub: Lab["http"]["hub"], actor: string): Pick<Lab["alice"], "actor" | "call"> {
  return {
    actor,
    async call(name, args = {}, { connection } = {}) {
      const tool = hub.hub.tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const ctx = hub.hub.kernel.ctx({
        principal: { kind: "agent", actor, tokenId: "test" },
        connection: connection === undefined ? null : { identity: actor, id: connection },
        origin: "",
        signal: new AbortController().signal,
        progress: null,
      });
      return JSON.parse(JSON.stringify(await tool.call(args, ctx)));
    },
  };
}

let nudgeTarget: Bun.Server<undefined>;
beforeAll(() => {
  nudgeTarget = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
});
afterAll(() => nudgeTarget.stop(true));

const table: [CallName, CallSpec, Row | undefined][] = Object.entries(calls).map(([name, spec]) => [
  name as CallName, // its own keys
  spec,
  rows[name as CallName], // as above
]);

function send(lab: Lab, spec: CallSpec, input: Input, as: As = "operator", sent: object = {}): Promise<Answer> {
  const path = spec.path
    .replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(input.params?.[key] ?? ""))
    .replace("*", input.params?.["path"] ?? "");
  const body =
    spec.body === "none" || (spec.body === "optional" && input.body === undefined) ? {} : { body: input.body ?? {} };
  return lab.http.send(spec.method, `${path}${input.query ?? ""}`, { as, ...body, ...sent });
}

const rightOf = async (row: Row, lab: Lab): Promise<Input> => ({ ...row.right, ...(await row.prepare?.(lab)) });

/** The right call with some of it changed. */
function changed(right: Input, by: Input): Input {
  return {
    params: { ...right.params, ...by.params },
    ...(by.query === undefined && right.query === undefined ? {} : { query: by.query ?? right.query ?? "" }),
    ...(by.body === undefined && right.body === undefined
      ? {}
      : { body: { ...Object(right.body), ...Object(by.body) } }),
  };
}

const eventsIn = (lab: Lab): { id: string; kind: string }[] =>
  storeRows(lab.http.hub, "SELECT id, kind FROM events ORDER BY id").map(({ id, kind }) => ({
    id: String(id),
    kind: String(kind),
  }));

/** All that is stored but for the times a token was last shown. */
async function snapshot(lab: Lab): Promise<string> {
  const { services } = lab.http.hub.hub.kernel;
  await services.touches.flush();
  await services.write((tx) => {
    tx.db.run("UPDATE agents SET last_refused_at = NULL, last_seen_at = NULL, first_seen_at = NULL");
    tx.db.run("UPDATE tokens SET last_used_at = NULL");
  });
  return lab.http.hub.snapshot();
}

test("every call has a row, and no row is without a call", () => {
  expect(table.filter(([name, , row]) => row === undefined && name !== "getEnrolStatus").map(([name]) => name)).toEqual(
    [],
  );
  expect(Object.keys(rows).filter((name) => !Object.hasOwn(calls, name))).toEqual([]);
});

const covered = table.flatMap(([name, spec, row]) => (row === undefined ? [] : [[name, spec, row] as const]));

describe.each(covered)("%s", (name, spec, row) => {
  test("right: its status, its answer, its events", async () => {
    await using lab = await openLab();
    const right = await rightOf(row, lab);
    const before = new Set(eventsIn(lab).map(({ id }) => id));
    const answer = await send(lab, spec, right);
    expect([answer.status, answer.text === ""]).toEqual([spec.status, spec.status === 204]);
    expect(answer.json).toMatchObject(row.says ?? {});
    expectDescribed(name, answer.text === "" ? undefined : JSON.parse(answer.text));
    if (name === "deleteProject") return;
    const left = eventsIn(lab).filter(({ id }) => !before.has(id));
    expect(left.map(({ kind }) => kind)).toEqual([...(row.events ?? [])]);
  });

  test("with any other token: one 401, and nothing is done", async () => {
    await using lab = await openLab();
    const right = await rightOf(row, lab);
    const before = await snapshot(lab);
    const others: readonly As[] = ["none", "garbage", "revoked", "pending"];
    for (const as of spec.auth === "operator" ? ([...others, "agent"] as const) : others) {
      if (spec.auth === "none") continue;
      const answer = await send(lab, spec, right, as);
      expect([as, answer.json]).toEqual([as, problem("Unauthorized", 401, "unauthenticated")]);
    }
    expect(await snapshot(lab)).toBe(before);
  });

  test("wrong, over a limit, or of something that is not there: told which, and nothing is done", async () => {
    await using lab = await openLab();
    const right = await rightOf(row, lab);
    const before = eventsIn(lab);
    for (const [by, field] of row.wrong ?? []) {
      const answer = await send(lab, spec, changed(right, by));
      expect([by, answer.status, answer.json["code"]]).toEqual([by, 400, "invalid_argument"]);
      expect(answer.json["details"]).toEqual({ field, expected: expect.any(String) });
    }
    for (const [by, status] of row.over ?? []) {
      const answer = await send(lab, spec, changed(right, by));
      expect(answer.status).toBe(status);
      if (status === 413)
        expect(answer.json["details"]).toEqual({ limit: expect.any(Number), actual: expect.any(Number) });
    }
    if (row.unknown !== undefined) {
      const answer = await send(lab, spec, changed(right, row.unknown));
      expect(answer.json).toEqual(problem("Not Found", 404, "not_found"));
    }
    expect(eventsIn(lab)).toEqual(before);
  });

  if (spec.body !== "none") {
    test("its body: 415 for another type, 400 for what is no object, 413 past the cap", async () => {
      await using lab = await openLab();
      const right = await rightOf(row, lab);
      const json = { "content-type": "application/json" };
      const before = eventsIn(lab);
      const xml = { text: "<x/>", headers: { "content-type": "application/xml" }, body: undefined };
      expect((await send(lab, spec, right, "operator", xml)).status).toBe(415);
      for (const text of ["{", "[]", "5", "\u0000"]) {
        const answer = await send(lab, spec, right, "operator", { text, headers: json, body: undefined });
        expect([text, answer.status]).toEqual([text, 400]);
      }
      const big = { text: `{"x":"${"a".repeat(restBodyBytes)}"}`, headers: json, body: undefined };
      expect((await send(lab, spec, right, "operator", big)).json["code"]).toBe("payload_too_large");
      expect(eventsIn(lab)).toEqual(before);
    });
  }

  if (row.agent !== undefined) {
    test("as an agent: let in; a denied project and a missing one are one answer", async () => {
      await using lab = await openLab();
      const right = await rightOf(row, lab);
      if (right.params?.["id"] === "p") {
        const answers = await Promise.all(
          ["denied", "nothing-here"].map((id) => send(lab, spec, changed(right, { params: { id } }), "agent")),
        );
        for (const answer of answers) expect(answer.json).toEqual(problem("Forbidden", 403, "forbidden"));
        expect(answers[0]?.text).toBe(answers[1]?.text ?? "");
      }
      expect((await send(lab, spec, right, "agent")).status).toBe(row.agent ?? 0);
    });
  }

  test("headers: not to be kept, not to be sniffed, no sharing across origins", async () => {
    await using lab = await openLab();
    const right = await rightOf(row, lab);
    for (const as of ["garbage", "operator"] as const) {
      const { headers } = await send(lab, spec, right, as);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-hub-build")).not.toBeNull();
      expect([...headers.keys()].filter((header) => header.startsWith("access-control"))).toEqual([]);
    }
  });
});

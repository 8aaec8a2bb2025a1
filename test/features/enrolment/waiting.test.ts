// The wait for a decision, what it answers and when, and requests nobody decides (rest-api.md 10).
import { describe, expect, test } from "bun:test";
import { problem } from "../../server/http/requests.ts";
import { eventually } from "../../support/proxy-harness.ts";
import { bearer, type EnrolLab, openEnrolLab, storeRows } from "./lab.ts";

test("pending at the end of the wait, at once when that is 0", async () => {
  await using lab = await openEnrolLab();
  const { token } = await lab.enter("ada");
  for (const query of ["?wait=0", "?wait=-1", "?wait=-99999999999999999999999", "?wait=1"]) {
    const answer = await lab.status(token, query);
    expect([query, answer.status, answer.json]).toEqual([query, 200, { status: "pending" }]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  }
});

test.each(["x", "1.5", "1e1", "%20", "true", "0x1"])("wait=%s is 400", async (wait) => {
  await using lab = await openEnrolLab();
  const { token } = await lab.enter("ada");
  expect((await lab.status(token, `?wait=${wait}`)).json).toEqual(
    problem("Bad Request", 400, "invalid_argument", { field: "wait", expected: expect.any(String) }),
  );
});

/** Until the hub holds this many waits. */
function held(lab: EnrolLab, waits: number): Promise<boolean> {
  return eventually(`${waits} waits`, () => lab.http.hub.hub.kernel.bus.size() === waits);
}

describe("a wait under way", () => {
  test.each(["", "?wait=60", "?wait=9999999999999999999999"])(
    "%p ends with the decision, whichever way it comes",
    async (query) => {
      await using lab = await openEnrolLab();
      const ada = await lab.enter("ada");
      const bob = await lab.enter("bob");
      const waits = [lab.status(ada.token, query), lab.status(ada.token, query), lab.status(bob.token, query)];
      await held(lab, 3);
      const since = performance.now();
      await lab.approve("ada", { share: false });
      await lab.refuse("bob");
      const [first, second, refused] = await Promise.all(waits);
      expect(first?.json).toEqual({ status: "approved", agent_id: "ada", share: false });
      expect(second?.json).toEqual(first?.json ?? {});
      expect(refused?.json).toEqual(problem("Unauthorized", 401, "unauthenticated"));
      expect(performance.now() - since).toBeLessThan(3000);
    },
  );

  test("of one that was refused ends so, though another asks under its id at once", async () => {
    await using lab = await openEnrolLab();
    const first = await lab.enter("ada");
    const waiting = lab.status(first.token, "?wait=50");
    await held(lab, 1);
    const [, second] = await Promise.all([lab.refuse("ada"), lab.enter("ada")]);
    await lab.approve("ada");
    expect((await waiting).status).toBe(401);
    expect((await lab.status(first.token)).status).toBe(401);
    expect((await lab.status(second.token)).json).toMatchObject({ status: "approved" });
  });

  test("answers at once when the hub drains", async () => {
    await using lab = await openEnrolLab();
    const { token } = await lab.enter("ada");
    const waiting = lab.status(token, "?wait=50");
    await held(lab, 1);
    lab.http.hub.hub.drain();
    expect((await waiting).json).toEqual({ status: "pending" });
  });
});

test("an active agent is told that it is in; the operator's token is nobody's request", async () => {
  await using lab = await openEnrolLab();
  const asAgent = await lab.http.send("GET", "/api/v1/enrol/status", { as: "agent" });
  expect(asAgent.json).toEqual({ status: "approved", agent_id: "alice", share: true });
  expect((await lab.http.send("GET", "/api/v1/enrol/status")).status).toBe(401);
});

test("what can be read of a request is what an unknown token reads, byte for byte, on every address but its own", async () => {
  await using lab = await openEnrolLab();
  const { token } = await lab.enter("ada");
  for (const [method, path] of [
    ["GET", "/api/v1/version"],
    ["GET", "/api/v1/projects"],
    ["POST", "/api/v1/projects"],
    ["GET", "/api/v1/stream"],
    ["GET", "/api/v1/hub"],
    ["GET", "/metrics"],
    ["POST", "/mcp"],
    ["POST", "/mcp/"],
    ["DELETE", "/mcp"],
    ["POST", "/api/v1/enrol/ada/approve"],
    ["POST", "/api/v1/enrol/ada/refuse"],
  ] as const) {
    const answers = await Promise.all(
      [token, "f".repeat(64)].map((each) => lab.http.send(method, path, { as: "none", headers: bearer(each) })),
    );
    const [pending, unknown = {}] = answers.map(({ status, headers, text }) => ({
      status,
      text,
      headers: [...headers].filter(([name]) => name !== "date"),
    }));
    expect([path, pending?.status]).toEqual([path, 401]);
    expect(Object(pending)).toEqual(unknown);
  }
  // It left no trace of a visit either.
  const ada = (await lab.http.send("GET", "/api/v1/agents")).text;
  expect(ada).toContain('"first_seen_at":null');
});

describe("a request nobody decides", () => {
  test("is removed once it is older than its time, with everything of it, and its wait ends", async () => {
    await using lab = await openEnrolLab({ enrolPendingTtlSecs: 100 });
    const { hub } = lab.http;
    const sweep = async () => {
      const { sweepAbandoned } = await import("../../../src/features/enrolment/operations.ts");
      await sweepAbandoned(hub.hub.kernel.services);
    };
    const before = await storeRows(lab);
    const { token } = await lab.enter("ada", { why: "zzyzzyva" });
    hub.clock.now += 99_999;
    await sweep();
    expect((await lab.status(token)).json).toEqual({ status: "pending" });
    const waiting = lab.status(token, "?wait=50");
    await held(lab, 1);
    hub.clock.now += 1;
    await sweep();
    expect((await waiting).status).toBe(401);
    expect(await storeRows(lab)).toEqual(before);
    expect((await lab.http.send("GET", "/api/v1/search?q=zzyzzyva")).json["count"]).toBe(0);
    expect(hub.log.filter((line) => line.includes("enrolment expired agent=ada")).length).toBe(1);
    expect((await lab.enter("ada")).agentId).toBe("ada");
  });

  test("one that was admitted stays, however old", async () => {
    await using lab = await openEnrolLab({ enrolPendingTtlSecs: 1 });
    const { token } = await lab.enter("ada");
    await lab.approve("ada");
    lab.http.hub.clock.now += 10_000;
    const { sweepAbandoned } = await import("../../../src/features/enrolment/operations.ts");
    await sweepAbandoned(lab.http.hub.hub.kernel.services);
    expect((await lab.status(token)).json).toMatchObject({ status: "approved" });
  });
});

// Who reads and writes which project (mcp-tools.md 6.2, 6.3), over tools and REST alike.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Caller, TestHub } from "../../support/hub.ts";
import { openTestHub } from "../../support/hub.ts";
import { agent, objectsIn, refusal, restAs } from "../as-caller.ts";

const denial = { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} };

let hub: TestHub;
const callers = new Map<string, Caller>();
const projects = new Map<string, string>();

beforeAll(async () => {
  hub = await openTestHub();
  for (const id of ["alice", "bob", "carol"]) callers.set(id, await hub.agent(id));
  callers.set("operator", hub.operator);
  projects.set("open", await hub.project("open"));
  projects.set("secret", await hub.project("secret", { confidential: true }));
  projects.set("missing", "missing");
  await hub.rest("createGrant", { params: { id: "carol" }, body: { project_id: "secret" } });
  for (const id of ["alice", "bob"]) {
    const { personal_project_id: space } = (await callers.get(id)?.call("whoami")) ?? {};
    projects.set(`space of ${id}`, String(space));
  }
  await hub.rest("updateProject", { params: { id: projects.get("space of bob") ?? "" }, body: { confidential: true } });
});
afterAll(() => hub[Symbol.asyncDispose]());

type Row = [project: string, caller: string, reads: boolean, writes: boolean];
const table: Row[] = [
  ["open", "alice", true, true],
  ["open", "operator", true, true],
  ["secret", "alice", false, false],
  ["secret", "carol", true, true],
  ["secret", "operator", true, true],
  ["space of alice", "alice", true, true],
  ["space of alice", "bob", true, false],
  ["space of alice", "operator", true, true],
  // A confidential space stays open to its owner without a grant.
  ["space of bob", "bob", true, true],
  ["space of bob", "alice", false, false],
  ["space of bob", "operator", true, true],
  ["missing", "alice", false, false],
];

describe.each(table)("%s as %s", (project, name, reads, writes) => {
  const caller = (): Caller => callers.get(name) ?? hub.operator;
  const id = (): string => projects.get(project) ?? "";
  const rest = () => (name === "operator" ? { kind: "operator" as const, actor: "human", tokenId: null } : agent(name));

  test(reads ? "is read" : "is denied to read", async () => {
    const read = (): Promise<unknown> => caller().call("feed_read", { project_id: id(), before: "Z".repeat(26) });
    const get = (): Promise<unknown> => restAs(hub, rest(), "getProject", { params: { id: id() } });
    for (const attempt of [read, get]) {
      if (reads) expect(await attempt()).toBeObject();
      else expect(await refusal(attempt())).toEqual(denial);
    }
    const listed = objectsIn(await restAs(hub, rest(), "listProjects"), "projects").map((entry) => entry["id"]);
    expect(listed.includes(id())).toBe(reads);
  });

  test(writes ? "is written" : "is denied to write", async () => {
    const before = await hub.snapshot();
    const attempts = [
      () => caller().call("signal_append", { project_id: id(), kind: "signal", summary: "hello" }),
      () => caller().call("question_post", { project_id: id(), subject: "why?" }),
      () => caller().call("session_start", { project_id: id(), session_name: "work" }),
    ];
    for (const attempt of attempts) {
      if (writes) expect(await attempt()).toBeObject();
      else expect(await refusal(attempt())).toEqual(denial);
    }
    if (!writes) expect(await hub.snapshot()).toBe(before);
  });
});

test("for the operator a missing project is not_found, by name", async () => {
  const attempts = [
    hub.operator.call("feed_read", { project_id: "missing" }),
    hub.operator.call("signal_append", { project_id: "missing", kind: "signal", summary: "hello" }),
    hub.rest("getProject", { params: { id: "missing" } }),
  ];
  for (const attempt of attempts) {
    const error = await refusal(attempt);
    expect([error["code"], error["details"]]).toEqual(["not_found", {}]);
    expect(error["message"]).toContain('"missing"');
  }
});

test("a grant opens a confidential project at once, and its removal closes it", async () => {
  const alice = callers.get("alice") ?? hub.operator;
  const read = (): Promise<unknown> => alice.call("feed_read", { project_id: "secret", before: "Z".repeat(26) });
  expect(await refusal(read())).toEqual(denial);
  await hub.rest("createGrant", { params: { id: "alice" }, body: { project_id: "secret" } });
  expect(await read()).toBeObject();
  await hub.rest("deleteGrant", { params: { id: "alice", project_id: "secret" } });
  expect(await refusal(read())).toEqual(denial);
});

test("a grant on another's personal space lets read when it is confidential, and never write", async () => {
  const alice = callers.get("alice") ?? hub.operator;
  const space = projects.get("space of bob") ?? "";
  await hub.rest("createGrant", { params: { id: "alice" }, body: { project_id: space } });
  expect(await alice.call("feed_read", { project_id: space, before: "Z".repeat(26) })).toBeObject();
  const write = alice.call("signal_append", { project_id: space, kind: "signal", summary: "hello" });
  expect(await refusal(write)).toEqual(denial);
  await hub.rest("deleteGrant", { params: { id: "alice", project_id: space } });
});

test("a project is listed once, however many rules let the agent in", async () => {
  await hub.rest("createGrant", { params: { id: "alice" }, body: { project_id: "open" } });
  const listed = objectsIn(await restAs(hub, agent("alice"), "listProjects"), "projects").map((entry) => entry["id"]);
  expect(listed).toEqual([...new Set(listed)]);
  expect(listed).toContain("open");
});

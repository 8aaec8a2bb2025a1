// Which store a call means, and who may (mcp-tools.md 6, 13.2, 14).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { objectsIn, refusal } from "../as-caller.ts";
import { type Base, openBase, project, versionOf } from "./base.ts";

let base: Base;
beforeAll(async () => {
  base = await openBase();
});
afterAll(() => base[Symbol.asyncDispose]());

describe("the store argument", () => {
  test.each(["brain_put", "brain_delete"])("is required by %s", async (tool) => {
    const args = { project_id: project, path: "/fs/a", content: "x" };
    for (const store of [undefined, null, "", "Project", 5]) {
      const error = await base.refusedWithoutTrace(() => base.alice.call(tool, { ...args, store }));
      const expected = "one of session, project";
      expect(error).toMatchObject({ code: "invalid_argument", details: { field: "store", expected } });
    }
  });

  test("takes a project with one store, a session and a version with the other", async () => {
    const session = { agent: "alice", name: "work", project_id: project };
    for (const [tool, args, field] of [
      ["brain_get", { store: "project", project_id: project, session }, "session"],
      ["brain_put", { store: "project", project_id: project, session, content: "x" }, "session"],
      ["brain_list", { store: "project", project_id: project, session }, "session"],
      ["brain_delete", { store: "project", project_id: project, session }, "session"],
      ["brain_get", { project_id: project }, "project_id"],
      ["brain_get", { store: "session", version: versionOf("x") }, "version"],
      ["brain_put", { store: "session", project_id: project, content: "x" }, "project_id"],
      ["brain_list", { project_id: project }, "project_id"],
      ["brain_delete", { store: "session", project_id: project }, "project_id"],
    ] as const) {
      const error = await base.refusedWithoutTrace(() => base.alice.call(tool, { path: "/fs/a", ...args }));
      expect(error).toMatchObject({ code: "invalid_argument", details: { field } });
    }
  });

  test("takes the active session's project by default, and says so when there is none", async () => {
    for (const connection of [undefined, await base.hub.connect(base.alice)]) {
      const options = connection === undefined ? {} : { connection };
      const error = await refusal(base.alice.call("brain_get", { store: "project", path: "/fs/any.md" }, options));
      expect(error).toMatchObject({ code: "invalid_argument", details: { field: "project_id" } });
    }
    const connection = await base.hub.connect(base.alice);
    await base.alice.call("session_start", { project_id: project, session_name: "work" }, { connection });
    const put = { store: "project", path: "/fs/default.md", content: "x" };
    expect(await base.alice.call("brain_put", put, { connection })).toMatchObject({ path: "/fs/default.md" });
    expect(await base.get("/fs/default.md")).toMatchObject({ content: "x" });
    expect(await base.alice.call("brain_history", { path: "/fs/default.md" }, { connection })).toMatchObject({
      total: 1,
    });
  });
});

describe("access", () => {
  test("a missing project and a denied one are one answer to an agent, on every tool", async () => {
    await base.hub.project("hidden", { confidential: true });
    const calls: [string, object][] = [
      ["brain_get", { store: "project", path: "/fs/a" }],
      ["brain_put", { store: "project", path: "/fs/a", content: "x" }],
      ["brain_list", { store: "project" }],
      ["brain_delete", { store: "project", path: "/fs/a" }],
      ["brain_history", { path: "/fs/a" }],
      ["brain_revert", { path: "/fs/a", version: versionOf("x") }],
    ];
    for (const [tool, args] of calls) {
      const answers = [];
      for (const project_id of ["hidden", "missing"]) {
        answers.push(await base.refusedWithoutTrace(() => base.alice.call(tool, { ...args, project_id })));
      }
      const denial = { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} };
      expect(answers).toEqual([denial, denial]);
      expect(await refusal(base.hub.operator.call(tool, { ...args, project_id: "missing" }))).toMatchObject({
        code: "not_found",
      });
    }
  });

  test("another's personal space is read and not written", async () => {
    const agents = objectsIn(await base.hub.rest("listAgents"), "agents");
    const project_id = agents.find(({ id }) => id === "bob")?.["personal_project_id"];
    const at = { store: "project", project_id, path: "/fs/mine.md" };
    await base.bob.call("brain_put", { ...at, content: "of bob" });
    expect(await base.alice.call("brain_get", at)).toMatchObject({ content: "of bob" });
    for (const [tool, args] of [
      ["brain_put", { content: "x" }],
      ["brain_delete", {}],
    ] as const) {
      expect(await base.refusedWithoutTrace(() => base.alice.call(tool, { ...at, ...args }))).toMatchObject({
        code: "forbidden",
      });
    }
  });

  test("the actor is the caller, whatever an argument says", async () => {
    await base.put("/fs/actor.md", "x", { actor: "human" });
    await base.rest("putPage", { path: "actor.md", body: { content: "y" } });
    const { versions } = await base.history("/fs/actor.md");
    expect(versions).toMatchObject([{ actor: "human" }, { actor: "alice" }]);
  });
});

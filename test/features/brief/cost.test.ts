// What a brief costs: a fixed number of statements, none of which walks a feed, an inbox or a knowledge base. Counted,
// never timed.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { recordStatements, type Statement } from "../../support/statements.ts";
import { drain } from "../../support/trailer.ts";
import { rows } from "../as-caller.ts";
import { append, ask, reply } from "../conversation.ts";
import { fill, type Lab, openLab, project } from "./lab.ts";

let lab: Lab;
beforeEach(async () => {
  lab = await openLab();
});
afterEach(() => lab[Symbol.asyncDispose]());

async function recorded(connection?: string): Promise<Statement[]> {
  await drain(lab.hub, lab.alice);
  using recording = await recordStatements(lab.hub);
  await lab.brief(lab.alice, connection);
  return recording.statements.splice(0);
}

const sqlOf = (statements: Statement[]): string[] => statements.map(({ sql }) => sql);

/** How each statement finds its rows. */
function plans(statements: Statement[]): string[] {
  return statements.flatMap(({ sql, values }) =>
    rows(lab.hub, `EXPLAIN QUERY PLAN ${sql}`, ...(values as string[])).map(({ detail }) => String(detail)),
  );
}

describe("a brief", () => {
  test("of a quiet project takes eight statements, one more on a connection", async () => {
    expect(await recorded()).toHaveLength(8);
    expect(await recorded(await lab.hub.connect(lab.alice))).toHaveLength(9);
  });

  test("of a project with more than it shows counts each section once, and no event it does not", async () => {
    const quiet = (await recorded()).length;
    for (let index = 0; index < 12; index += 1) {
      await reply(lab.hub, await ask(lab.alice, project));
      await lab.bob.call("brain_put", {
        store: "project",
        project_id: project,
        path: `/fs/${index}.md`,
        content: "---\nstale_after: 2001-01-01\n---\n",
      });
    }
    await fill(lab.hub, 300);
    const busy = await recorded();
    expect(busy).toHaveLength(quiet + 3);
    await fill(lab.hub, 10_000, { kind: "idea" });
    expect(sqlOf(await recorded())).toEqual(sqlOf(busy));
  });

  test("seeks in an index, and ends at its limit", async () => {
    await fill(lab.hub, 1000);
    await append(lab.bob, project);
    for (let index = 0; index < 12; index += 1) await reply(lab.hub, await ask(lab.alice, project));
    const statements = await recorded(await lab.hub.connect(lab.alice));
    const found = plans(statements);
    expect(found.filter((detail) => /^SCAN (?!\(subquery|CONSTANT)/.test(detail))).toEqual([]);
    // Sorted whole is only what has a cap of its own: the open items of a project.
    expect(found.filter((detail) => detail === "USE TEMP B-TREE FOR ORDER BY")).toHaveLength(1);
    for (const { sql } of statements.filter(({ sql }) => /FROM (?:events e WHERE|items|pages)/.test(sql))) {
      expect(sql).toMatch(/LIMIT \?\)?$/);
    }
    expect(found.join("\n")).toContain("items_resolved (actor=? AND project_id=? AND effective_id>?)");
    expect(found.join("\n")).toContain("events_in_project (project_id=? AND id>?)");
    expect(found.join("\n")).toContain("sessions_of_agent_here (project_id=? AND agent=?)");
    expect(found.join("\n")).toContain("items_open (project_id=?)");
    expect(found.join("\n")).toContain("pages_stale (project_id=? AND stale_on>? AND stale_on<?)");
  });
});

// Which projects a wide screen lists beside it, and in which order.
import { expect, test } from "bun:test";
import type { ProjectView } from "../../src/shared/views.ts";
import { columnProjects } from "../../src/web/shell/column-projects.ts";

const project = (id: string, more: Partial<ProjectView> = {}): ProjectView => ({
  id,
  display_name: id,
  owner_agent: null,
  is_personal: false,
  confidential: false,
  created_at: "2026-01-01T00:00:00.000Z",
  unseen_events: 0,
  agents_active: 0,
  ...more,
});
const names = (shown: readonly { project: ProjectView }[]): string[] => shown.map((one) => one.project.id);

test("the column lists ordinary projects by name, each with what waits in it", () => {
  const all = [project("b"), project("a"), project("space-1", { is_personal: true })];
  const { shown, more } = columnProjects(all, new Map([["b", 2]]), undefined);
  expect(names(shown)).toEqual(["a", "b"]);
  expect(shown.map((one) => one.waiting)).toEqual([0, 2]);
  expect(more).toBe(0);
  expect(columnProjects(all, undefined, undefined).shown.map((one) => one.waiting)).toEqual([0, 0]);
});

test("of more than a dozen those that have something to say are there, and the one that is open", () => {
  const quiet = Array.from({ length: 20 }, (_, index) => project(`q${String(index).padStart(2, "0")}`));
  const told = [project("z-new", { unseen_events: 3 }), project("z-work", { agents_active: 1 }), project("z-waits")];
  const { shown, more } = columnProjects([...quiet, ...told], new Map([["z-waits", 1]]), "q19");
  expect(shown).toHaveLength(12);
  expect(more).toBe(11);
  expect(names(shown).slice(-4)).toEqual(["q19", "z-new", "z-waits", "z-work"]);
  expect(names(shown)).toEqual(names(shown).toSorted());
});

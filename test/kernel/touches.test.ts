// Small writes that ride along with a later drain.
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Db } from "../../src/storage/database.ts";
import { runCommand } from "../support/processes.ts";
import { openKernel, until } from "./open-kernel.ts";

const set =
  (name: string, value: number) =>
  (db: Db): void => {
    db.run("INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)", name, value);
  };

test("the last value of a key wins, and nothing is written before the flush", async () => {
  await using open = await openKernel();
  const { touches } = open.kernel.services;
  touches.touch("a", set("a", 1));
  touches.touch("b", set("b", 2));
  touches.touch("a", set("a", 3));
  expect(open.marks()).toEqual({});
  await touches.flush();
  expect(open.marks()).toEqual({ a: 3, b: 2 });
});

test("goes out by itself", async () => {
  await using open = await openKernel();
  open.kernel.services.touches.touch("a", set("a", 1));
  await until("the touch", () => open.marks()["a"] === 1);
});

test("one that fails is logged, and takes no other along", async () => {
  await using open = await openKernel();
  const { touches } = open.kernel.services;
  touches.touch("a", set("a", 1));
  touches.touch("bad", (db) => {
    set("half", 1)(db);
    throw new Error("no such thing");
  });
  touches.touch("b", set("b", 2));
  await touches.flush();
  expect(open.marks()).toEqual({ a: 1, b: 2 });
  expect(open.log.join("")).toMatch(/warn could not record activity cause="Error: no such thing"/);
});

test("a flush waits for one that is under way", async () => {
  await using open = await openKernel();
  const { touches } = open.kernel.services;
  touches.touch("a", set("a", 1));
  const first = touches.flush();
  await touches.flush();
  expect(open.marks()).toEqual({ a: 1 });
  await first;
});

test("after the store is closed: logged, and neither thrown nor kept", async () => {
  await using open = await openKernel();
  const { touches } = open.kernel.services;
  await open.storage.close(() => undefined);
  touches.touch("a", set("a", 1));
  await touches.flush();
  expect(open.log.join("")).toContain("could not record activity");
});

test("one that waits does not keep the process", async () => {
  const script = `
    import { createTouches } from "${join(import.meta.dir, "../../src/kernel/touches.ts")}";
    const touches = createTouches(async () => process.stdout.write("written"), { warn: () => undefined });
    touches.touch("a", () => undefined);
  `;
  expect(await runCommand([process.execPath, "-e", script])).toMatchObject({ code: 0, stdout: "" });
});

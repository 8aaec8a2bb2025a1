// Facts inside the transaction, and the slots features fill for each other.
import { describe, expect, test } from "bun:test";
import { defineFact, listen } from "../../src/kernel/facts.ts";
import { createParts, defineSlot, provide } from "../../src/kernel/parts.ts";
import { openKernel } from "./open-kernel.ts";

const moved = defineFact<{ name: string; value: number }>("moved");
const ended = defineFact<string>("ended");

describe("facts", () => {
  test("listeners run in their order, in the job's own transaction, with what was said", async () => {
    const heard: string[] = [];
    await using open = await openKernel({
      listeners: [
        listen(moved, (tx, said) => {
          heard.push(`first ${said.name}`);
          tx.db.run("INSERT INTO marks (name, value) VALUES (?, ?)", said.name, said.value);
          tx.emit(ended, said.name);
        }),
        listen(ended, (_tx, name) => heard.push(`ended ${name}`)),
        listen(moved, (tx, said) =>
          heard.push(`second sees ${JSON.stringify(tx.db.get("SELECT * FROM marks"))}, ${said.value}`),
        ),
      ],
    });
    await open.kernel.services.write((tx) => {
      tx.emit(moved, { name: "a", value: 1 });
      expect(open.marks()).toEqual({});
    });
    expect(heard).toEqual(["first a", "ended a", 'second sees {"name":"a","value":1}, 1']);
    expect(open.marks()).toEqual({ a: 1 });
  });

  test("a listener that throws rolls the whole job back, and no other job of the batch", async () => {
    const thrown = new Error("no");
    await using open = await openKernel({
      listeners: [
        listen(moved, () => {
          throw thrown;
        }),
      ],
    });
    const effects: string[] = [];
    const insert = "INSERT INTO marks (name, value) VALUES (?, 1)";
    const failed = open.kernel.services.write((tx) => {
      tx.db.run(insert, "a");
      tx.afterCommit(() => effects.push("a"));
      tx.emit(moved, { name: "a", value: 1 });
    });
    const other = open.kernel.services.write((tx) => tx.db.run(insert, "b"));
    await expect(failed).rejects.toBe(thrown);
    await other;
    expect(open.marks()).toEqual({ b: 1 });
    expect(effects).toEqual([]);
  });

  test("a fact nobody listens to is no error", async () => {
    await using open = await openKernel();
    await open.kernel.services.write((tx) => tx.emit(ended, "a"));
  });
});

describe("parts", () => {
  const voice = defineSlot<() => string>("voice");
  const size = defineSlot<number>("size");

  test("a slot gives what was provided for the kind", () => {
    const parts = createParts([
      provide(voice, "cat", () => "miaow"),
      provide(voice, "dog", () => "woof"),
      provide(size, "cat", 0),
    ]);
    expect(parts.of(voice, "cat")()).toBe("miaow");
    expect(parts.of(voice, "dog")()).toBe("woof");
    expect(parts.of(size, "cat")).toBe(0);
  });

  test("nothing provided, or two things, is a wiring fault that names slot and kind", () => {
    expect(() => createParts([]).of(voice, "cow")).toThrow("nothing provides voice for cow");
    expect(() => createParts([provide(size, "cat", 1), provide(size, "cat", 2)])).toThrow("same slot");
  });
});

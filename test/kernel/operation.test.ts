// The one path of every call: shape, access, replay, state; what fails and what the caller is told.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import type { Ctx, Tx } from "../../src/kernel/ctx.ts";
import { integer, shortText } from "../../src/kernel/fields.ts";
import {
  type Access,
  type Operation,
  preparedWriteOperation,
  type ReplayKey,
  readOperation,
  run,
  writeOperation,
} from "../../src/kernel/operation.ts";
import { HubError } from "../../src/shared/errors.ts";
import type { Db } from "../../src/storage/database.ts";
import { openTestHub, type TestHub } from "../support/hub.ts";

const Input = z.object({ key: shortText(20).optional(), value: integer(0, 9) });
type Input = z.infer<typeof Input>;

function markOf(db: Db, name: string): number | undefined {
  return db.get<{ value: number }>("SELECT value FROM marks WHERE name = ?", name)?.value;
}

function setMark(tx: Pick<Tx, "db">, name: string, value: number): void {
  tx.db.run("INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)", name, value);
}

// Closed by a row, so that it can change at any time.
const unlessClosed: Access<Input> = (who) => {
  if (markOf(who.db, "closed") === 1) throw new HubError("forbidden", "closed");
};

function keyOf(input: Input): ReplayKey | undefined {
  return input.key === undefined ? undefined : { scope: "p", operation: "test", key: input.key, target: "p" };
}

/** Sets a mark; `conflict` once it is set. */
function createOperation(hooks: { prepare?: (ctx: Ctx) => Promise<void>; onDispose?: () => void } = {}) {
  const calls: string[] = [];
  const operation = preparedWriteOperation({
    name: "setMark",
    input: Input,
    access: (who, input) => {
      calls.push("access");
      unlessClosed(who, input);
    },
    async prepare(ctx) {
      calls.push("prepare");
      await hooks.prepare?.(ctx);
      return { [Symbol.dispose]: () => hooks.onDispose?.() };
    },
    replay: (_db, input) => keyOf(input),
    run(tx, _ctx, input) {
      calls.push("run");
      if (markOf(tx.db, "set") !== undefined) throw new HubError("conflict", "set already");
      setMark(tx, "set", input.value);
      return { value: input.value };
    },
  });
  return { operation, calls };
}

function context(test: TestHub): Ctx {
  return test.hub.kernel.ctx({
    principal: { kind: "agent", actor: "ann", tokenId: "t" },
    connection: null,
    origin: "http://hub.test",
    signal: new AbortController().signal,
    progress: null,
  });
}

function close(test: TestHub): Promise<void> {
  return test.hub.kernel.services.write((tx) => setMark(tx, "closed", 1));
}

async function refusalOf(
  test: TestHub,
  operation: Operation<never, unknown> | Operation<Input, unknown>,
  raw: unknown,
) {
  try {
    await run<Input, unknown>(operation, raw, context(test));
  } catch (error) {
    if (error instanceof HubError) return error.toObject();
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("order", () => {
  test("a wrong shape is refused before anything is looked at", async () => {
    await using test = await openTestHub();
    await close(test);
    const { operation, calls } = createOperation();
    expect(await refusalOf(test, operation, { value: "x" })).toMatchObject({ code: "invalid_argument" });
    expect(calls).toEqual([]);
  });

  test("access is refused before a replay, and before anything is prepared", async () => {
    await using test = await openTestHub();
    await test.project("p");
    const { operation, calls } = createOperation();
    await run(operation, { value: 1, key: "k" }, context(test));
    await close(test);
    calls.length = 0;
    expect(await refusalOf(test, operation, { value: 1, key: "k" })).toMatchObject({ code: "forbidden" });
    expect(calls).toEqual(["access"]);
  });

  test("a replay comes before the stored state, and before anything is prepared", async () => {
    await using test = await openTestHub();
    await test.project("p");
    const { operation, calls } = createOperation();
    const first = await run(operation, { value: 1, key: "k" }, context(test));
    expect(calls).toEqual(["access", "prepare", "access", "run"]);
    calls.length = 0;
    const before = await test.snapshot();
    // Other arguments are not compared.
    expect(await run(operation, { value: 2, key: "k" }, context(test))).toEqual(first);
    expect(calls).toEqual(["access"]);
    expect(await test.snapshot()).toBe(before);
    expect(await refusalOf(test, operation, { value: 1, key: "other" })).toMatchObject({ code: "conflict" });
    expect(await test.snapshot()).toBe(before);
  });

  test("two first uses of one key at once: one writes, the other replays it", async () => {
    await using test = await openTestHub();
    await test.project("p");
    const { operation, calls } = createOperation();
    const results = await Promise.all([1, 2].map((value) => run(operation, { value, key: "k" }, context(test))));
    expect(results).toEqual([{ value: 1 }, { value: 1 }]);
    expect(calls.filter((call) => call === "run").length).toBe(1);
  });

  test("a replay stores no bytes either", async () => {
    await using test = await openTestHub();
    await test.project("p");
    const operation = preparedWriteOperation({
      name: "storeBytes",
      input: z.object({ text: shortText(20) }),
      access: () => undefined,
      prepare: (ctx, input) => ctx.blobs.put(new TextEncoder().encode(input.text)),
      replay: () => ({ scope: "p", operation: "test", key: "k", target: "p" }),
      run(tx, _ctx, _input, blob) {
        tx.blobs.record(tx.db, blob, tx.now);
        return { hash: blob.hash };
      },
    });
    const first = await run(operation, { text: "one" }, context(test));
    const before = await test.snapshot();
    expect(await run(operation, { text: "two" }, context(test))).toEqual(first);
    expect(await test.snapshot()).toBe(before);
  });

  test("`before` follows access, of reads and writes alike", async () => {
    await using test = await openTestHub();
    const calls: string[] = [];
    const common = {
      input: z.object({}),
      access: () => void calls.push("access"),
      before: async () => void calls.push("before"),
    };
    await run(readOperation({ ...common, name: "read", run: () => calls.push("read") }), {}, context(test));
    await run(writeOperation({ ...common, name: "write", run: () => calls.push("write") }), {}, context(test));
    expect(calls).toEqual(["access", "before", "read", "access", "before", "access", "write"]);
  });
});

describe("what prepare did", () => {
  test("access that ends in the meantime refuses the write inside the transaction", async () => {
    await using test = await openTestHub();
    let disposed = 0;
    const { operation, calls } = createOperation({
      prepare: (ctx) => ctx.write((tx) => setMark(tx, "closed", 1)),
      onDispose: () => {
        disposed += 1;
      },
    });
    expect(await refusalOf(test, operation, { value: 1 })).toMatchObject({ code: "forbidden" });
    expect(calls).toEqual(["access", "prepare", "access"]);
    expect(markOf(test.hub.kernel.services.db, "set")).toBeUndefined();
    expect(disposed).toBe(1);
  });

  test("is disposed after the transaction, whatever its end", async () => {
    await using test = await openTestHub();
    const seen: unknown[] = [];
    const { operation } = createOperation({
      onDispose: () => seen.push(markOf(test.hub.kernel.services.db, "set")),
    });
    await run(operation, { value: 1 }, context(test));
    expect(await refusalOf(test, operation, { value: 2 })).toMatchObject({ code: "conflict" });
    expect(seen).toEqual([1, 1]);
  });
});

describe("errors", () => {
  const failing = (error: unknown): Operation<Input, unknown> =>
    readOperation({
      name: "fail",
      input: Input,
      access: () => undefined,
      run: () => {
        throw error;
      },
    });

  test.each([
    ["an error", new Error("secret at /var/lib: SELECT")],
    ["a text", "secret at /var/lib: SELECT"],
    ["an error of SQL", Object.assign(new Error("secret at /var/lib: SELECT"), { code: "SQLITE_CONSTRAINT_UNIQUE" })],
  ])("%s nobody foresaw is `internal`, its text only in the log, under a reference", async (_name, error) => {
    await using test = await openTestHub();
    const refusal = await refusalOf(test, failing(error), { value: 1 });
    expect(refusal).toMatchObject({ code: "internal", retryable: false, details: {} });
    expect(JSON.stringify(refusal)).not.toContain("secret");
    const reference = /log as ([0-9a-f-]{36})$/.exec(refusal.message)?.[1] ?? "none";
    const line = test.log.find((each) => each.includes(reference)) ?? "";
    expect(line).toContain("error internal error");
    expect(line).toContain("secret at /var/lib");
    expect(line).toContain("operation=fail");
  });

  test("a store that fails in a read is `unavailable`, with its cause only in the log", async () => {
    await using test = await openTestHub();
    const error = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_READ" });
    const refusal = await refusalOf(test, failing(error), { value: 1 });
    expect(refusal).toMatchObject({ code: "unavailable", retryable: true });
    expect(refusal.message).not.toContain("I/O");
    expect(test.log.join("")).toMatch(/error a call failed operation=fail cause="Error: disk I\/O error"/);
  });

  test("a refusal passes as it is", async () => {
    await using test = await openTestHub();
    const error = new HubError("conflict", "no; current=1", { current: 1 });
    expect(await refusalOf(test, failing(error), { value: 1 })).toEqual(error.toObject());
  });

  test("a write job that is asynchronous is `internal` and writes nothing", async () => {
    await using test = await openTestHub();
    const operation = writeOperation({
      name: "late",
      input: Input,
      access: () => undefined,
      run: async (tx) => setMark(tx, "set", 1),
    });
    expect(await refusalOf(test, operation, { value: 1 })).toMatchObject({ code: "internal" });
    expect(markOf(test.hub.kernel.services.db, "set")).toBeUndefined();
  });
});

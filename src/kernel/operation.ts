// Operations: the use-cases of the product, as data. `run` is the one path every call takes (style.md 3): shape, access,
// idempotent replay, one transaction, effects after the commit.
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { HubError } from "../shared/errors.ts";
import type { Json } from "../shared/json.ts";
import type { Db } from "../storage/database.ts";
import { isStoreFault, storeFault } from "../storage/store-fault.ts";
import type { ConnectionRef, Ctx, Principal, Tx } from "./ctx.ts";
import { parseInput } from "./input.ts";

/** Who may do it: returns, or throws what the caller is told. Checked before any work and again inside the transaction. */
export type Access<I> = (who: Who, input: I) => void;

/** What an access check may look at: the store as it is now, and the caller. */
export type Who = Readonly<{ db: Db; principal: Principal; connection: ConnectionRef | null }>;

/** Names the first use of a key: the stored key is (scope, operation, key), bound to `target` (mcp-tools.md 10). */
export type ReplayKey = { scope: string; operation: string; key: string; target: string };

/** Where first results are kept. */
export type ReplayStore = {
  /** @throws HubError `invalid_argument` when the key was used for another target */
  find(db: Db, key: ReplayKey): Json | undefined;
  record(db: Db, key: ReplayKey, result: Json): void;
};

type Common<I> = {
  name: string;
  input: z.ZodType<I>;
  /** Top-level arguments in which `null` has a meaning of its own. */
  nullable?: readonly string[];
  /** Top-level arguments that are taken as large texts where they are. */
  large?: readonly string[];
  access: Access<I>;
  /** Runs after the access check and before the read or the transaction: settle what is due, look something up. */
  before?(ctx: Ctx, input: I): Promise<void>;
};

type ReadSpec<I, O> = Common<I> & { run(ctx: Ctx, input: I): O | Promise<O> };

type WriteSpec<I, O, P> = Common<I> & {
  /** Slow work before the transaction: hashing and storing bytes, nothing else. Disposed after the transaction. */
  prepare?(ctx: Ctx, input: I): Promise<P>;
  /** The key of this call, if it carries one. */
  replay?(db: Db, input: I): ReplayKey | undefined;
  /** What of a result is kept for replays, where not all of it: a secret is shown once. Of type O as well. */
  kept?(result: O): O;
  /** Synchronous: an async function inside a transaction commits before it fails. */
  run(tx: Tx, ctx: Ctx, input: I, prepared: P): O;
};

export type Operation<I, O> = {
  readonly name: string;
  readonly input: z.ZodType<I>;
  readonly nullable: readonly string[];
  readonly large: readonly string[];
  readonly effect: "read" | "write";
  perform(ctx: Ctx, input: I): Promise<O>;
};

export function readOperation<I, O>(spec: ReadSpec<I, O>): Operation<I, O> {
  return {
    name: spec.name,
    input: spec.input,
    nullable: spec.nullable ?? [],
    large: spec.large ?? [],
    effect: "read",
    async perform(ctx, input) {
      spec.access(ctx, input);
      await spec.before?.(ctx, input);
      return spec.run(ctx, input);
    },
  };
}

/** A write without slow work before it. */
export function writeOperation<I, O>(spec: Omit<WriteSpec<I, O, undefined>, "prepare">): Operation<I, O> {
  return preparedWriteOperation<I, O, undefined>({ ...spec, prepare: async () => undefined });
}

/** A write that prepares: what `prepare` returns is disposed once the transaction is over, whatever its end. */
export function preparedWriteOperation<I, O, P extends Disposable | undefined>(
  spec: WriteSpec<I, O, P> & { prepare(ctx: Ctx, input: I): Promise<P> },
): Operation<I, O> {
  return {
    name: spec.name,
    input: spec.input,
    nullable: spec.nullable ?? [],
    large: spec.large ?? [],
    effect: "write",
    async perform(ctx, input) {
      spec.access(ctx, input);
      // A retry of an accepted write must not even store bytes.
      const known = spec.replay?.(ctx.db, input);
      const earlier = known === undefined ? undefined : ctx.replay.find(ctx.db, known);
      // Recorded by this very operation, from a value of type O.
      if (earlier !== undefined) return earlier as O;
      await spec.before?.(ctx, input);
      using prepared = await spec.prepare(ctx, input);
      return await ctx.write((tx) => {
        spec.access({ ...ctx, db: tx.db }, input);
        const key = spec.replay?.(tx.db, input);
        if (key === undefined) return spec.run(tx, ctx, input, prepared);
        const first = ctx.replay.find(tx.db, key);
        // As above.
        if (first !== undefined) return first as O;
        const result = spec.run(tx, ctx, input, prepared);
        // Results of operations with keys are plain JSON objects.
        ctx.replay.record(tx.db, key, (spec.kept?.(result) ?? result) as Json);
        return result;
      });
    },
  };
}

/**
 * The one path of every call.
 * @throws HubError always: anything else thrown below is a bug, logged with a reference and answered as `internal`
 */
export async function run<I, O>(operation: Operation<I, O>, raw: unknown, ctx: Ctx): Promise<O> {
  try {
    return await operation.perform(ctx, parseInput(operation.input, raw, operation.nullable, operation.large));
  } catch (error) {
    throw toHubError(error, operation.name, ctx);
  }
}

function toHubError(error: unknown, operation: string, ctx: Pick<Ctx, "log">): HubError {
  const known = isStoreFault(error) ? storeFault(error) : error;
  if (!(known instanceof HubError)) return internalError(error, { operation }, ctx.log);
  if (known.code === "unavailable") {
    ctx.log.error("a call failed", { operation, cause: String(known.cause ?? known) });
  }
  return known;
}

/** Logs a bug under a reference and returns what the caller may know of it (style.md 5). */
export function internalError(error: unknown, fields: Record<string, string>, log: Ctx["log"]): HubError {
  const reference = randomUUID();
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error("internal error", { reference, ...fields, detail });
  return new HubError("internal", `internal error; the operator finds it in the hub's log as ${reference}`);
}

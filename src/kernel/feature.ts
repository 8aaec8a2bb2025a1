// What a feature hands to server/hub.ts: everything it brings, as data.
import type { Ctx, Services } from "./ctx.ts";
import type { FactListener } from "./facts.ts";
import type { Part } from "./parts.ts";
import type { Route } from "./route.ts";
import type { Sweep } from "./sweeper.ts";
import type { Tool } from "./tool.ts";

/** A column that names rows or bytes. */
export type ColumnRef = { table: string; column: string };

/** A column that names a blob, by its hash or by the number of its row. */
export type BlobRef = ColumnRef & { by: "hash" | "id" };

export type Feature = {
  readonly name: string;
  readonly tools?: readonly Tool[];
  readonly routes?: readonly Route[];
  readonly sweeps?: readonly Sweep[];
  readonly listeners?: readonly FactListener[];
  readonly parts?: readonly Part[];
  /** Columns of ULIDs the feature mints: the id generator starts above all of them. */
  readonly ids?: readonly ColumnRef[];
  /** Columns that name blobs. */
  readonly blobs?: readonly BlobRef[];
  /** Runs once the store is open, before the first call. */
  readonly start?: (services: Services) => void | Promise<void>;
  /** Members added to every successful tool result of a call; must not throw. One feature at most brings one. */
  readonly trailer?: (ctx: Ctx) => Promise<object | undefined>;
  /** Runs at shutdown, after the last call. */
  readonly stop?: () => void | Promise<void>;
};

import { listen } from "../../kernel/facts.ts";
import type { BlobRef, Feature } from "../../kernel/feature.ts";
import { versionsForgotten } from "../knowledge/index.ts";
import { valuesReleased } from "../sessions/index.ts";
import { collectNow, createCollector } from "./collect.ts";
import { upkeepRoutes } from "./routes.ts";
import { markReleased } from "./store.ts";

/** @param blobs every column of the product that names a blob */
export function createUpkeep(blobs: readonly BlobRef[]): Feature {
  const collector = createCollector(blobs);
  return {
    name: "upkeep",
    routes: upkeepRoutes,
    listeners: [
      listen(versionsForgotten, (tx, { blobs: freed }) => collectNow(tx, blobs, freed)),
      listen(valuesReleased, (tx, { blobs: released }) => markReleased(tx.db, released, tx.now)),
    ],
    sweeps: [{ name: "blob collection", pace: "sweeper", run: (services) => collector.sweep(services) }],
  };
}

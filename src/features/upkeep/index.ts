import { listen } from "../../kernel/facts.ts";
import type { BlobRef, Feature } from "../../kernel/feature.ts";
import { contentReleased } from "../artifacts/index.ts";
import { versionsForgotten } from "../knowledge/index.ts";
import { valuesReleased } from "../sessions/index.ts";
import { createBackups } from "./backups.ts";
import { collectNow, createCollector } from "./collect.ts";
import { createIntegritySampler } from "./integrity.ts";
import { upkeepRoutes } from "./routes.ts";
import { markReleased } from "./store.ts";

/** @param blobs every column of the product that names a blob */
export function createUpkeep(blobs: readonly BlobRef[]): Feature {
  const backups = createBackups();
  const collector = createCollector(blobs, backups.isRunning);
  const sampler = createIntegritySampler(backups.isRunning);
  return {
    name: "upkeep",
    routes: upkeepRoutes(backups),
    listeners: [
      listen(versionsForgotten, (tx, { blobs: freed }) => collectNow(tx, blobs, freed, backups.isRunning())),
      listen(valuesReleased, (tx, { blobs: released }) => markReleased(tx.db, released, tx.now)),
      listen(contentReleased, (tx, { blobs: released }) => markReleased(tx.db, released, tx.now)),
    ],
    sweeps: [
      { name: "blob collection", pace: "sweeper", run: (services) => collector.sweep(services) },
      // Not waited for: a sample under way must not hold up the shutdown, which ends it.
      { name: "integrity sample", pace: "sweeper", run: (services) => void sampler.sweep(services) },
    ],
    stop: async () => {
      sampler.stop();
      await backups.stop();
    },
  };
}

// Words of dropped documents stay in the index until its segments are merged, and in the write-ahead log until that is
// folded in. A purge does both, in steps that hold nobody up; a mark in the store makes one that was cut short go on.
import type { Services } from "../../kernel/ctx.ts";
import type { Db } from "../../storage/database.ts";
import { mergeTexts } from "./store.ts";

const markName = "search_purge_due";
const pagesAtOnce = 64;
// Far more steps than the largest index has.
const stepsMax = 1_000_000;

/** Asks for a purge in the job that dropped what must not be found in any file. */
export function requestPurge(db: Db): void {
  db.run("INSERT INTO marks (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1", markName);
}

function findRequest(db: Db): number | undefined {
  return db.get<{ value: number }>("SELECT value FROM marks WHERE name = ?", markName)?.value;
}

/** Purges if it was asked for. Never throws: what fails is logged and left to the next sweep. */
export async function purgeDroppedTexts(services: Services): Promise<void> {
  try {
    const asked = findRequest(services.db);
    if (asked === undefined) return;
    for (let step = 0; step < stepsMax; step += 1) {
      // Negative at first: all segments are to be merged, not only those of a size.
      const isDone = await services.write((tx) => mergeTexts(tx.db, step === 0 ? -pagesAtOnce : pagesAtOnce));
      if (isDone) break;
    }
    if (!services.foldLog()) return;
    // Asked for again meanwhile: the mark differs and stays.
    await services.write((tx) => tx.db.run("DELETE FROM marks WHERE name = ? AND value = ?", markName, asked));
  } catch (error) {
    services.log.warn("dropped text is still in the search index; the next sweep goes on", { cause: String(error) });
  }
}

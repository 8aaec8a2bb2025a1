// What the offline commands share: which data directory, how far they are, and what is said when a hub holds it
// (cli.md 11 to 14).
import { dataDirOf } from "../config/data-dir.ts";
import type { Input, Io } from "./command.ts";
import { CommandError } from "./exit-codes.ts";
import { createProgress, type Progress } from "./progress.ts";
import { readSettings } from "./settings.ts";

/** The option, else the setting. */
export async function dataDirectory({ values }: Input, io: Io): Promise<string> {
  const settings = await readSettings(io);
  return values.get("data-dir") ?? dataDirOf(settings);
}

/** @param held said instead of the usual when a hub holds the directory */
export async function offline<T>(
  io: Io,
  work: (watch: Pick<Progress, "progress">) => Promise<T>,
  held?: string,
): Promise<T> {
  const { DataDirHeldError } = await import("../server/offline.ts");
  const progress = await createProgress(io);
  try {
    return await work(progress);
  } catch (error) {
    if (!(error instanceof DataDirHeldError)) throw error;
    throw new CommandError(held ?? `${error.message}; stop the hub first`, { cause: error });
  } finally {
    progress.end();
  }
}

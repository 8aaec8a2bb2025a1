// Online backups (operations.md 5.3): one at a time, in a thread of their own, to their end whether or not the caller
// still waits. While one runs no blob is removed, so that what its snapshot refers to is there to be copied.
import type { Services } from "../../kernel/ctx.ts";
import { version } from "../../shared/build.ts";
import { HubError } from "../../shared/errors.ts";
import type { BackupTakenView } from "../../shared/views.ts";
import { removeLeftovers } from "../../storage/backup/online.ts";
import { type Running, startTask } from "../../storage/worker-thread.ts";

export type Backups = {
  isRunning(): boolean;
  /** @throws HubError `not_found` when backups are off, `conflict` while one runs, `unavailable` for what the volume refuses */
  take(services: Services): Promise<BackupTakenView>;
  /** Abandons the one that runs and removes what it wrote. */
  stop(): Promise<void>;
};

export function createBackups(): Backups {
  let running: { task: Running<"backup">; backupDir: string } | undefined;

  async function taken(services: Services, backupDir: string): Promise<BackupTakenView> {
    const from = performance.now();
    const order = { backupDir, dataDir: services.dataDir.path, hubVersion: version, startedAt: services.now() };
    const task = startTask({ task: "backup", ...order });
    running = { task, backupDir };
    try {
      return { ...(await task.result), duration_ms: Math.round(performance.now() - from) };
    } finally {
      // Only a thread that is gone reads no more.
      await task.gone;
      running = undefined;
    }
  }

  return {
    isRunning: () => running !== undefined,
    async take(services) {
      const { log, config } = services;
      if (config.backupDir === null) {
        throw new HubError(
          "not_found",
          "backups are off; set HUB_BACKUP_DIR to a directory outside the data directory",
        );
      }
      if (running !== undefined) {
        throw new HubError("conflict", "a backup is being taken; wait for its end before you ask for another");
      }
      try {
        const backup = await taken(services, config.backupDir);
        const { files, bytes } = backup.manifest;
        log.info("backup taken", { path: backup.path, files, bytes, duration_ms: backup.duration_ms });
        return backup;
      } catch (error) {
        log.warn("a backup failed and left nothing", { cause: error instanceof Error ? error.message : String(error) });
        throw error;
      }
    },
    async stop() {
      if (running === undefined) return;
      const { task, backupDir } = running;
      // One that was ended in the middle could not clean up itself.
      if (!(await task.abandon())) removeLeftovers(backupDir);
    },
  };
}

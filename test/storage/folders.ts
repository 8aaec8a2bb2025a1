// Temporary folders, and a volume that is soon full, for tests of what lies on disk.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Folder = Disposable & { readonly path: string };

export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "agent-hub-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A volume of its own of that many bytes, in memory; undefined when this process may not mount one. */
export function smallDisk(bytes: number): Folder | undefined {
  const folder = temporaryFolder();
  const isMounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder.path]).success;
  if (!isMounted) {
    folder[Symbol.dispose]();
    return undefined;
  }
  return {
    path: folder.path,
    [Symbol.dispose]: () => {
      Bun.spawnSync(["umount", "-l", folder.path]);
      folder[Symbol.dispose]();
    },
  };
}

/** Only the superuser mounts volumes: elsewhere the tests that need one are not there at all. */
export const canMount: boolean = (() => {
  const disk = smallDisk(65_536);
  disk?.[Symbol.dispose]();
  return disk !== undefined;
})();

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

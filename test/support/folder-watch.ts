// Waiting for a name to come up in a folder, by the system's own notice.
import { readdirSync, watch } from "node:fs";

/** Resolves with the first name that matches, as soon as it is there. */
export function appears(folder: string, pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    const watcher = watch(folder, look);
    function look(): void {
      const found = readdirSync(folder).find((name) => pattern.test(name));
      if (found === undefined) return;
      watcher.close();
      resolve(found);
    }
    look();
  });
}

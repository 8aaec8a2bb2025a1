// One process a data directory, proved with real processes.
import { describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DataDirHeldError, takeLock } from "../../src/storage/lock.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { runCommand, track, within } from "../support/processes.ts";
import { modeOf, temporaryFolder } from "./folders.ts";

const boundMs = 20_000;
const source = join(import.meta.dir, "../../src/storage");

const holder = `
  import { takeLock } from "${source}/lock.ts";
  const lock = takeLock(process.argv[1], "./data");
  Bun.gc(true);
  process.stdout.write("held");
  setInterval(() => lock, 60_000);
`;

/** Another process that holds the lock; resolves once it does. */
async function holdElsewhere(path: string) {
  const child = track(Bun.spawn([process.execPath, "-e", holder, path], { stdin: "ignore", stdout: "pipe" }));
  const output = child.stdout.getReader();
  const first = await within(boundMs, "lock in the other process", output.read());
  expect(new TextDecoder().decode(first.value)).toBe("held");
  return {
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await within(boundMs, "end of the holder", child.exited);
    },
  };
}

function openAt(dataDir: string) {
  return openStorage({ dataDir, now: () => 1, warn: () => undefined, error: () => undefined });
}

describe("the lock", () => {
  test("is an empty private file, with nothing beside it", () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "hub.lock");
    using _lock = takeLock(path, folder.path);
    expect(statSync(path).size).toBe(0);
    expect(modeOf(path)).toBe("600");
    expect(readdirSync(folder.path)).toEqual(["hub.lock"]);
  });

  test("refuses a second taker at once, in this process and in another, and says so as configured", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "hub.lock");
    const held = new DataDirHeldError("./data");
    expect(held.message).toBe("a hub is using this data directory: ./data");
    {
      using _lock = takeLock(path, "./data");
      const started = performance.now();
      expect(() => takeLock(path, "./data")).toThrow(held);
      // Not after the busy timeout of the store, which is 5 s.
      expect(performance.now() - started).toBeLessThan(2500);
      const other = await runCommand([process.execPath, "-e", holder, path]);
      expect(other.code).toBe(1);
      expect(other.stderr).toContain(held.message);
    }
    using _again = takeLock(path, "./data");
  });

  test("is gone with the process that held it, however it ended", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "hub.lock");
    const other = await holdElsewhere(path);
    expect(() => takeLock(path, "./data")).toThrow(DataDirHeldError);
    await other.kill();
    using _lock = takeLock(path, "./data");
  });

  test("guards the store: a held directory is not opened, and is free again after close", async () => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, "data");
    const first = openAt(dataDir);
    expect(() => openAt(dataDir)).toThrow(`a hub is using this data directory: ${dataDir}`);
    await first.write((db) => db.run("INSERT INTO marks (name, value) VALUES ('a', 1)"));
    await first.close(() => undefined);
    await first.close(() => undefined);
    const second = openAt(dataDir);
    expect(second.db.get("SELECT value FROM marks")).toEqual({ value: 1 });
    await second.close(() => undefined);
  });
});

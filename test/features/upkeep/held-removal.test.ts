// While a backup copies blobs none is removed (operations.md 1.3 and 5.3), and afterwards all of them are that should be.
import { describe, expect, test } from "bun:test";
import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { collectNow, createCollector } from "../../../src/features/upkeep/collect.ts";
import { blobGraceMs } from "../../../src/shared/limits.ts";
import { sha256 } from "../../../src/storage/blobs.ts";
import { openDatabase } from "../../../src/storage/database.ts";
import { put } from "../sessions/working.ts";
import { fileOfBlob, openBackupLab } from "./backup-lab.ts";

const references = [
  { table: "brain_entries", column: "blob", by: "id" } as const,
  { table: "page_versions", column: "blob", by: "hash" } as const,
];

describe("while removal is held", () => {
  test("neither rows nor files without a row go, and a sweep after it takes both", async () => {
    await using lab = await openBackupLab();
    const { services } = lab.hub.hub.kernel;
    const orphan = fileOfBlob(lab.hub.dataDir, "alpha").slice(0, -1);
    const stray = `${orphan}${orphan.endsWith("0") ? "1" : "0"}`;
    writeFileSync(stray, "stray");
    utimesSync(stray, 0, 0);
    await put(lab.alice, lab.work, "/fs/a.md", "changed");
    lab.hub.clock.now += 2 * blobGraceMs;
    let isHeld = true;
    const collector = createCollector(references, () => isHeld);
    await collector.sweep(services);
    const both = [fileOfBlob(lab.hub.dataDir, "alpha"), stray];
    expect(both.map((path) => existsSync(path))).toEqual([true, true]);
    isHeld = false;
    await collector.sweep(services);
    expect(both.map((path) => existsSync(path))).toEqual([false, false]);
  });

  test("what a sweep has begun stops", async () => {
    await using lab = await openBackupLab();
    await put(lab.alice, lab.work, "/fs/a.md", "changed");
    lab.hub.clock.now += 2 * blobGraceMs;
    let asked = 0;
    // Free when the sweep starts, held from then on.
    const collector = createCollector(references, () => asked++ > 0);
    await collector.sweep(lab.hub.hub.kernel.services);
    expect(existsSync(fileOfBlob(lab.hub.dataDir, "alpha"))).toBe(true);
  });

  test("what a forget has freed waits for the next sweep and no longer", async () => {
    await using lab = await openBackupLab();
    const { services } = lab.hub.hub.kernel;
    const hash = sha256(new TextEncoder().encode("alpha"));
    await services.write((tx) => {
      tx.db.run("DELETE FROM brain_entries WHERE blob = (SELECT id FROM blobs WHERE hash = ?)", hash);
      collectNow(tx, references, [hash], true);
    });
    expect(existsSync(fileOfBlob(lab.hub.dataDir, "alpha"))).toBe(true);
    await createCollector(references, () => false).sweep(services);
    expect(existsSync(fileOfBlob(lab.hub.dataDir, "alpha"))).toBe(false);
  });
});

test("a reader of the store holds up nobody who folds the log in", async () => {
  await using lab = await openBackupLab();
  const { services } = lab.hub.hub.kernel;
  const reader = openDatabase(services.dataDir.database, { readonly: true });
  reader.get("BEGIN");
  reader.get("SELECT count(*) FROM projects");
  await put(lab.alice, lab.work, "/fs/b.md", "more");
  // With the patience of other statements this would take 5 s, longer than a test may.
  expect(services.foldLog()).toBe(false);
  reader.close();
  expect(services.foldLog()).toBe(true);
});

// The integrity sample (operations.md 9, 12, 13): what a damaged store does to readiness and metrics, and what undoes it.
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import type { HubConfig } from "../../../src/config/settings.ts";
import { createIntegritySampler } from "../../../src/features/upkeep/integrity.ts";
import { openTestHub, type TestHub } from "../../support/hub.ts";

const hourMs = 3_600_000;
const pageBytes = 4096;

async function openLab(
  config: Partial<HubConfig> = {},
): Promise<AsyncDisposable & { hub: TestHub; sweep(isBusy?: boolean): Promise<void>; stop(): void }> {
  const hub = await openTestHub({ config });
  await hub.project("p");
  const { services } = hub.hub.kernel;
  // What was just written is in the log; the damage of these tests is in the store.
  services.foldLog();
  let busy = false;
  const sampler = createIntegritySampler(() => busy);
  return {
    hub,
    sweep(isBusy = false) {
      busy = isBusy;
      return sampler.sweep(services);
    },
    stop: () => sampler.stop(),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

const stateOf = (hub: TestHub) => ({ ...hub.hub.kernel.services.metrics.integrity });

/** Overwrites the root page of a table; returns how to put it back. */
function damage(hub: TestHub, table: string): () => void {
  const { db, dataDir } = hub.hub.kernel.services;
  const root = db.get<{ rootpage: number }>("SELECT rootpage FROM sqlite_schema WHERE name = ?", table)?.rootpage ?? 0;
  const file = openSync(dataDir.database, "r+");
  const page = new Uint8Array(pageBytes);
  readSync(file, page, 0, pageBytes, (root - 1) * pageBytes);
  writeSync(file, new Uint8Array(pageBytes), 0, pageBytes, (root - 1) * pageBytes);
  closeSync(file);
  return () => {
    const again = openSync(dataDir.database, "r+");
    writeSync(again, page, 0, pageBytes, (root - 1) * pageBytes);
    closeSync(again);
  };
}

describe("the integrity sample", () => {
  test("of a sound store passes, and before it nothing is known", async () => {
    await using lab = await openLab();
    expect(stateOf(lab.hub)).toEqual({ isOk: null, failures: 0 });
    expect(lab.hub.hub.readiness()).toMatchObject({ ready: true });
    await lab.sweep();
    expect(stateOf(lab.hub)).toEqual({ isOk: true, failures: 0 });
  });

  test("that fails turns readiness red until one passes, and is counted and logged", async () => {
    await using lab = await openLab();
    const { hub } = lab;
    const undo = damage(hub, "subscriptions");
    await lab.sweep();
    expect(stateOf(hub)).toEqual({ isOk: false, failures: 1 });
    expect(hub.hub.readiness()).toEqual({ ready: false, reason: "the newest integrity sample failed" });
    const answer = await fetch(`${await hub.listen()}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      expect.objectContaining({ code: "unavailable", detail: expect.stringContaining("integrity sample failed") }),
    ]);
    expect(hub.log.join("")).toMatch(/warn an integrity sample failed; run agent-hub check problem=/);
    undo();
    hub.clock.now += hourMs;
    await lab.sweep();
    expect(stateOf(hub)).toEqual({ isOk: true, failures: 1 });
    expect(hub.hub.readiness()).toMatchObject({ ready: true });
  });

  test("is taken at the first sweep and then every interval, also after the clock was set back", async () => {
    await using lab = await openLab();
    const { hub, sweep } = lab;
    const undo = damage(hub, "subscriptions");
    await sweep();
    hub.clock.now += hourMs - 1;
    await sweep();
    expect(stateOf(hub).failures).toBe(1);
    hub.clock.now += 1;
    await sweep();
    expect(stateOf(hub).failures).toBe(2);
    hub.clock.now -= 10 * hourMs;
    await sweep();
    expect(stateOf(hub).failures).toBe(3);
    undo();
  });

  test("waits while a backup reads the store, and while the one before runs", async () => {
    await using lab = await openLab();
    await lab.sweep(true);
    expect(stateOf(lab.hub).isOk).toBeNull();
    const undo = damage(lab.hub, "subscriptions");
    const first = lab.sweep();
    lab.hub.clock.now += hourMs;
    await lab.sweep();
    await first;
    expect(stateOf(lab.hub).failures).toBe(1);
    undo();
  });

  test("that is ended by a shutdown proves nothing", async () => {
    await using lab = await openLab();
    const running = lab.sweep();
    lab.stop();
    await running;
    expect(stateOf(lab.hub)).toEqual({ isOk: null, failures: 0 });
    expect(lab.hub.log.join("")).not.toContain("integrity");
  });

  test("is off at 0", async () => {
    await using lab = await openLab({ integritySampleSecs: 0 });
    await lab.sweep();
    expect(stateOf(lab.hub).isOk).toBeNull();
  });
});

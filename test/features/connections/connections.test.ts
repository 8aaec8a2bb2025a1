// Connections as rows (mcp-tools.md 1): opened, used, ended and swept; whose they are is part of their name.
import { describe, expect, test } from "bun:test";
import {
  connections,
  endConnection,
  openConnection,
  useConnection,
  useNamedConnection,
} from "../../../src/features/connections/index.ts";
import { connectionIdleMs } from "../../../src/shared/limits.ts";
import { openTestHub, type TestHub } from "../../support/hub.ts";
import { rows } from "../as-caller.ts";

const services = (hub: TestHub) => hub.hub.kernel.services;
const ref = (identity: string, id = "6f2b1c1e-0000-4000-8000-000000000001") => ({ identity, id });
const client = { name: "some client", protocol: "2025-11-25" };

async function sweep(hub: TestHub): Promise<void> {
  for (const { run } of connections.sweeps ?? []) await run(services(hub));
}

async function lastUse(hub: TestHub): Promise<unknown[]> {
  await services(hub).touches.flush();
  return rows(hub, "SELECT last_used_at FROM connections ORDER BY identity").map((row) => row["last_used_at"]);
}

describe("a connection", () => {
  test("is there for the identity that opened it and no other", async () => {
    await using hub = await openTestHub();
    await openConnection(services(hub), ref("alice"), client);
    expect(useConnection(services(hub), ref("alice"))).toBe(true);
    expect(useConnection(services(hub), ref("bob"))).toBe(false);
    expect(useConnection(services(hub), ref("alice", "another"))).toBe(false);
    expect(await endConnection(services(hub), ref("bob"))).toBe(false);
    expect(await endConnection(services(hub), ref("alice"))).toBe(true);
    expect(await endConnection(services(hub), ref("alice"))).toBe(false);
    expect(useConnection(services(hub), ref("alice"))).toBe(false);
  });

  test("opened again keeps its session and what the client said before", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    await hub.project("p");
    await useNamedConnection(services(hub), ref("alice"));
    await openConnection(services(hub), ref("alice"), client);
    const on = { connection: ref("alice").id };
    const { session_id: id } = await alice.call("session_start", { project_id: "p", session_name: "work" }, on);
    await openConnection(services(hub), ref("alice"), { name: null, protocol: null });
    await useNamedConnection(services(hub), ref("alice"));
    expect(rows(hub, "SELECT client, protocol, active_session_id FROM connections")).toEqual([
      { client: "some client", protocol: "2025-11-25", active_session_id: id ?? "" },
    ]);
  });

  test("notes its use at most once a minute", async () => {
    await using hub = await openTestHub();
    const begun = hub.clock.now;
    await openConnection(services(hub), ref("alice"), client);
    hub.clock.now = begun + 59_999;
    useConnection(services(hub), ref("alice"));
    expect(await lastUse(hub)).toEqual([begun]);
    hub.clock.now = begun + 60_000;
    useConnection(services(hub), ref("alice"));
    expect(await lastUse(hub)).toEqual([begun + 60_000]);
  });
});

describe("the sweep", () => {
  test("removes what was idle for 7 days, says how many, and leaves the sessions active", async () => {
    await using hub = await openTestHub();
    const [alice, bob] = [await hub.agent("alice"), await hub.agent("bob")];
    await hub.project("p");
    for (const caller of [alice, bob]) {
      await openConnection(services(hub), ref(caller.actor), client);
      const on = { connection: ref(caller.actor).id };
      await caller.call("session_start", { project_id: "p", session_name: "work" }, on);
    }
    hub.clock.now += connectionIdleMs;
    useConnection(services(hub), ref("bob"));
    await services(hub).touches.flush();
    await sweep(hub);
    expect(rows(hub, "SELECT identity FROM connections")).toHaveLength(2);
    hub.clock.now += 1;
    await sweep(hub);
    expect(rows(hub, "SELECT identity FROM connections")).toEqual([{ identity: "bob" }]);
    expect(rows(hub, "SELECT status FROM sessions")).toEqual([{ status: "active" }, { status: "active" }]);
    expect(hub.log.filter((line) => line.includes("idle connections removed"))).toEqual([
      expect.stringContaining("count=1"),
    ]);
    const before = await hub.snapshot();
    await sweep(hub);
    expect(await hub.snapshot()).toBe(before);
  });

  test("agrees with use: what is still served is not removed, and what is removed was not served", async () => {
    await using hub = await openTestHub();
    const begun = hub.clock.now;
    for (const idle of [connectionIdleMs - 1, connectionIdleMs, connectionIdleMs + 1]) {
      hub.clock.now = begun;
      await endConnection(services(hub), ref("alice"));
      await openConnection(services(hub), ref("alice"), client);
      hub.clock.now = begun + idle;
      await sweep(hub);
      expect(rows(hub, "SELECT id FROM connections").length === 1).toBe(useConnection(services(hub), ref("alice")));
    }
  });
});

test("many first uses of one name at once make one row", async () => {
  await using hub = await openTestHub();
  await Promise.all(Array.from({ length: 50 }, () => useNamedConnection(services(hub), ref("alice"))));
  expect(rows(hub, "SELECT identity FROM connections")).toEqual([{ identity: "alice" }]);
});

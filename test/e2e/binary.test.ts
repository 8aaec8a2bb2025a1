// The compiled binary as a process: where it listens, what it prints, how it ends, what outlives it.
import { expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { version } from "../../package.json";
import { run, startHub, TempDir } from "../support/binary.ts";

test("prints its version and nothing else", async () => {
  const { code, stdout, stderr } = await run(["--version"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(version);
});

test("a command that does not exist is a usage error", async () => {
  const { code, stdout, stderr } = await run(["no-such-command"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toStartWith("agent-hub: unknown subcommand 'no-such-command'\n");
});

test("serves on a free port, keeps stdout clean and drains on SIGTERM", async () => {
  await using hub = await startHub();
  expect(hub.adminToken).toMatch(/^[0-9a-f]{64}$/);
  expect((await stat(join(hub.dataDir, "admin-token"))).mode & 0o777).toBe(0o600);
  expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
  expect(await hub.stop()).toBe(0);
  expect(hub.stderr()).toContain(`agent-hub: open ${hub.url}/#/connect?token=${hub.adminToken}\n`);
  expect(hub.stderr()).toEndWith("agent-hub: stopped\n");
  expect(hub.stdout()).toBe("");
});

test("a killed hub leaves a directory that the next one opens, with the same token", async () => {
  await using dir = await TempDir.create();
  const dataDir = join(dir.path, "data");
  await using first = await startHub({ dataDir });
  expect(await first.kill()).toBe(137);
  await using second = await startHub({ dataDir });
  expect(second.adminToken).toBe(first.adminToken);
});

test("a second hub on the same directory is refused", async () => {
  await using hub = await startHub();
  const { code, stdout, stderr } = await run(["serve"], {
    env: { HUB_BIND: "127.0.0.1:0", HUB_DATA_DIR: hub.dataDir },
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("agent-hub: a hub is using this data directory: ");
});

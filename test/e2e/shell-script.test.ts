// `agent-hub call` as hooks use it: from a shell script that branches on each exit code (cli.md 2.3, 5).
import { expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { binaryPath, startHub, TempDir } from "../support/binary.ts";
import { operate } from "../support/operator.ts";
import { runCommand } from "../support/processes.ts";

// Prints one word a case, then the exit code, so that the test reads like the hook's own log.
const script = `#!/bin/sh
hub() { "$AGENT_HUB" call "$@" 2>>"$ERRORS"; }

hub signal_append '{"project_id":"homelab","kind":"signal","summary":"from a hook"}' >/dev/null; echo "success $?"
echo '{"project_id":"homelab"}' | hub feed_read - >feed.json; echo "stdin $?"
hub feed_read '{"project_id":"nowhere"}'; echo "denied $?"
hub no_such_tool; echo "unknown tool $?"
hub feed_read 'not json'; echo "usage $?"
HUB_TOKEN=wrong hub whoami; echo "token refused $?"
HUB_URL=http://127.0.0.1:1 hub whoami; echo "unreachable $?"
HUB_URL= hub whoami; echo "unconfigured $?"
`;

test("a shell script tells every outcome apart", async () => {
  await using hub = await startHub();
  await using home = await TempDir.create();
  await operate(hub, "createProject", { body: { id: "homelab", display_name: "Home lab" } });
  await operate(hub, "createAgent", { body: { id: "hook", display_name: "Hook" } });
  const { token } = await operate(hub, "issueToken", { params: { id: "hook" } });
  const path = `${home.path}/hook.sh`;
  await Bun.write(path, script);
  await chmod(path, 0o700);

  const finished = await runCommand(["/bin/sh", path], {
    cwd: home.path,
    env: {
      HOME: home.path,
      AGENT_HUB_SYSTEM_CONFIG: `${home.path}/none.toml`,
      AGENT_HUB: binaryPath,
      ERRORS: `${home.path}/errors.txt`,
      HUB_URL: hub.url,
      HUB_TOKEN: String(token),
    },
  });
  expect(finished.stdout).toBe(
    [
      "success 0",
      "stdin 0",
      "denied 1",
      "unknown tool 1",
      "usage 2",
      "token refused 77",
      "unreachable 69",
      "unconfigured 78",
      "",
    ].join("\n"),
  );
  const feed = await Bun.file(`${home.path}/feed.json`).json();
  expect(feed).toMatchObject({ events: [{ actor: "hook", summary: "from a hook" }] });
  const errors = await Bun.file(`${home.path}/errors.txt`).text();
  expect(errors).toContain(
    '{"error":{"code":"forbidden","message":"not found or not permitted","retryable":false,"details":{}}}',
  );
}, 60_000);

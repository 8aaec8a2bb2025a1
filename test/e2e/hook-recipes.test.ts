// The hook recipes of cli.md 18 that use commands there are, as a shell runs them: what happened since the agent last
// looked, told once, whatever process, token or run of the hub asks.
import { expect, setDefaultTimeout, test } from "bun:test";
import { dirname } from "node:path";
import { binaryPath, cleanEnv, type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { operate } from "../support/operator.ts";
import { type Finished, runCommand } from "../support/processes.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

const recipe = `# events since this agent last looked; the cursor lives in the hub
agent-hub call feed_read '{"project_id":"homelab","limit":20}'
`;
/** The same with the project configured, and an outcome for every exit code a hook can meet. */
const guarded = `agent-hub call feed_read '{"limit":20}' || case $? in
  1) echo "(refused)" ;;
  69) echo "(hub not reached)" ;;
  77) echo "(token refused)" ;;
esac
`;

test("events since the agent last looked", async () => {
  await using home = await TempDir.create();
  const dataDir = `${home.path}/data`;
  await using first = await startHub({ dataDir });
  let hub: RunningHub = first;
  await operate(hub, "createProject", { body: { id: "homelab", display_name: "Home lab" } });
  const issue = async (): Promise<string> =>
    String((await operate(hub, "issueToken", { params: { id: "hook" } }))["token"]);
  await operate(hub, "createAgent", { body: { id: "hook", display_name: "Hook" } });
  let token = await issue();

  const shell = (script: string, env: Record<string, string> = {}): Promise<Finished> =>
    runCommand(["/bin/sh", "-c", script], {
      cwd: home.path,
      env: {
        ...cleanEnv(home.path),
        PATH: `${dirname(binaryPath)}:${process.env["PATH"] ?? ""}`,
        HUB_URL: hub.url,
        HUB_TOKEN: token,
        ...env,
      },
    });
  const say = (summary: string): Promise<Finished> =>
    shell(`echo '{"project_id":"homelab","kind":"signal","summary":"${summary}"}' | agent-hub call signal_append -`);
  async function news(script = recipe, env: Record<string, string> = {}): Promise<string[]> {
    const { code, stdout, stderr } = await shell(script, env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout).events.map(({ summary }: { summary: string }) => summary);
  }

  expect((await say("one")).code).toBe(0);
  expect(await news()).toEqual(["one"]);
  expect(await news()).toEqual([]);
  await say("two");
  await say("three");
  expect(await news(guarded, { HUB_PROJECT: "homelab" })).toEqual(["two", "three"]);

  // A new token is the same agent, and the hub keeps its place over a restart.
  const old = token;
  token = await issue();
  await say("four");
  expect(await hub.stop()).toBe(0);
  const { code, stdout } = await shell(guarded, { HUB_PROJECT: "homelab" });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "(hub not reached)\n" });
  await using second = await startHub({ dataDir, port: hub.port });
  hub = second;
  expect(await news()).toEqual(["four"]);
  expect((await shell(guarded, { HUB_PROJECT: "homelab", HUB_TOKEN: old })).stdout).toBe("(token refused)\n");
  expect((await shell(guarded, { HUB_PROJECT: "nowhere" })).stdout).toBe("(refused)\n");
});

// The generic scenarios of the official conformance suite against the compiled binary. Each states exactly what it
// expects: a new failure fails, and so does an expected failure that is gone.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createAgent } from "../support/agents.ts";
import { type BearerProxy, startBearerProxy } from "../support/bearer-proxy.ts";
import { type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { runCommand } from "../support/processes.ts";
import { root } from "../support/source-files.ts";

const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

type Check = { id: string; status: string; errorMessage?: string };
type Expected = {
  scenario: string;
  /** Checks that succeed; counted, so that a scenario that looks at nothing does not pass. */
  passes: number;
  /** Checks that fail, each with the reason it must give. */
  failures?: Record<string, RegExp>;
  warnings?: string[];
};

// The hub has neither the fixture tools these four look for nor prompts.
const lacksFixture = /^Not testable: server does not list the diagnostic tool/;
const lacksPrompts = /^prompts\/list returned JSON-RPC error -32601/;

const scenarios: Expected[] = [
  { scenario: "server-initialize", passes: 3 },
  { scenario: "server-session-lifecycle", passes: 3 },
  { scenario: "ping", passes: 2 },
  { scenario: "tools-list", passes: 3 },
  { scenario: "http-header-validation", passes: 14 },
  { scenario: "resources-list", passes: 2 },
  { scenario: "sep-2164-resource-not-found", passes: 4 },
  { scenario: "server-sse-multiple-streams", passes: 1 },
  { scenario: "input-required-result-unsupported-methods", passes: 2 },
  { scenario: "dns-rebinding-protection", passes: 2 },
  {
    scenario: "server-stateless",
    passes: 24,
    failures: {
      "sep-2575-server-rejects-undeclared-capability": lacksFixture,
      "sep-2575-missing-capability-http-400": lacksFixture,
      "sep-2575-http-server-no-independent-requests-on-stream": lacksFixture,
      "sep-2575-server-no-log-without-loglevel": lacksFixture,
    },
  },
  { scenario: "sep-2640-skills-directory", passes: 7 },
  { scenario: "sep-2640-skills-enumeration", passes: 32 },
  { scenario: "sep-2640-skills-manifest", passes: 6 },
  { scenario: "caching", passes: 7, failures: { "sep-2549-prompts-list-caching-hints": lacksPrompts } },
];

let hub: RunningHub;
let proxy: BearerProxy;
let home: TempDir;

beforeAll(async () => {
  home = await TempDir.create();
  hub = await startHub();
  proxy = startBearerProxy(hub.url, await createAgent(hub, "conformance"));
});

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

test.each(scenarios)(
  "$scenario",
  async ({ scenario, passes, failures = {}, warnings = [] }) => {
    const results = join(home.path, scenario);
    await mkdir(results);
    const command = [process.execPath, "--bun", suite, "server", "--url", `${proxy.url}/mcp`];
    const finished = await runCommand([...command, "--scenario", scenario, "-o", results], {
      env: { HOME: home.path },
      timeoutMs: 60_000,
    });
    const checks = await readChecks(results);
    expect(summary(checks), finished.stdout + finished.stderr).toEqual({
      passes,
      failures: Object.keys(failures).sort(),
      warnings: [...warnings].sort(),
    });
    for (const { id, errorMessage } of checks.filter(({ status }) => status === "FAILURE")) {
      expect(errorMessage).toMatch(failures[id] ?? "an expected failure");
    }
    expect(finished.code).toBe(Object.keys(failures).length === 0 ? 0 : 1);
  },
  90_000,
);

function summary(checks: Check[]): { passes: number; failures: string[]; warnings: string[] } {
  const idsOf = (wanted: string): string[] => checks.filter(({ status }) => status === wanted).map(({ id }) => id);
  return { passes: idsOf("SUCCESS").length, failures: idsOf("FAILURE").sort(), warnings: idsOf("WARNING").sort() };
}

/** The one result file of a run; none when the suite ended before it looked at anything. */
async function readChecks(folder: string): Promise<Check[]> {
  const [run] = await readdir(folder);
  return run === undefined ? [] : await Bun.file(join(folder, run, "checks.json")).json();
}

// `bun run check`: everything that can be said about the source without running the product. A check prints one line,
// and its tool's output only when it failed.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { downloadAddresses } from "./support/download-addresses.ts";
import { runCommand } from "./support/processes.ts";
import { listFiles, root } from "./support/source-files.ts";

const timeoutMs = 180_000;
/** Larger files are no source text. */
const maxTextBytes = 2_000_000;

export type Outcome = { name: string; isPassed: boolean; output: string };
type Check = { name: string; run: () => Promise<Outcome> };

// Bun runs the tools that are written for Node, so a machine needs no particular Node.
const bun = [process.execPath, "--bun"];

function tool(name: string, command: string[]): Check {
  return {
    name,
    async run() {
      const { code, stdout, stderr } = await runCommand(command, { cwd: root, env: { NO_COLOR: "1" }, timeoutMs });
      return { name, isPassed: code === 0, output: stdout + stderr };
    },
  };
}

const addresses: Check = {
  name: "no download addresses",
  async run() {
    const found: string[] = [];
    for (const path of await listFiles()) {
      const file = Bun.file(join(root, path));
      if (file.size <= maxTextBytes) found.push(...downloadAddresses(path, await file.text()));
    }
    return { name: this.name, isPassed: found.length === 0, output: found.join("\n") };
  },
};

async function listChecks(): Promise<Check[]> {
  const configs = (await listFiles()).filter((path) => /(^|\/)tsconfig[^/]*\.json$/.test(path));
  return [
    tool("biome", [...bun, "node_modules/@biomejs/biome/bin/biome", "check", ".", "--error-on-warnings"]),
    ...configs.map((path) =>
      tool(`tsc ${path}`, [...bun, "node_modules/typescript/bin/tsc", "--noEmit", "--pretty", "false", "-p", path]),
    ),
    tool("knip", [...bun, "node_modules/knip/bin/knip.js", "--no-progress"]),
    tool("architecture", [process.execPath, "test", "./test/architecture.test.ts"]),
    addresses,
  ];
}

/** Runs all checks, as many at once as there are cores, and prints a line for each. */
export async function runChecks(): Promise<Outcome[]> {
  const waiting = await listChecks();
  const outcomes: Outcome[] = [];

  async function work(): Promise<void> {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const startedAt = performance.now();
      const outcome = await settle(check);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      process.stdout.write(`${outcome.isPassed ? "ok  " : "FAIL"} ${outcome.name} (${seconds} s)\n`);
      if (!outcome.isPassed) process.stdout.write(`${outcome.output.trimEnd()}\n`);
      outcomes.push(outcome);
    }
  }

  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  return outcomes;
}

// A tool that cannot be started or hangs is a check that failed.
async function settle(check: Check): Promise<Outcome> {
  try {
    return await check.run();
  } catch (error) {
    return { name: check.name, isPassed: false, output: String(error) };
  }
}

if (import.meta.main) {
  const outcomes = await runChecks();
  process.exit(outcomes.every(({ isPassed }) => isPassed) ? 0 : 1);
}

// Builds dist/agent-hub: hub with its web app, proxy, enrolment client and one-shot caller in one file. Two passes, since
// splitting for the browser and compiling do not go together: the web app into one pack, then the binary that embeds it.
// The flags keep start-up short (esm, splitting, bytecode) and the binary deaf to .env and bunfig.toml
// of the directory it is started in.
import { mkdir, rename } from "node:fs/promises";
import { version } from "./package.json";
import { buildWeb } from "./src/build/web.ts";

const outfile = "dist/agent-hub";
// Put in place in one step: a hub that is being started never meets half a file.
const unfinished = `${outfile}.${process.pid}`;

function commit(): string {
  if (Bun.which("git") === null) return "unknown";
  const git = Bun.spawnSync(["git", "rev-parse", "--short=12", "HEAD"], { stderr: "ignore" });
  const text = git.success ? git.stdout.toString().trim() : "";
  return text === "" ? "unknown" : text;
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

await mkdir("dist", { recursive: true });
await buildWeb(import.meta.dir).catch((error: unknown) =>
  fail(`the web app was not built: ${error instanceof Error ? error.message : String(error)}`),
);
const result = await Bun.build({
  entrypoints: ["src/main.ts", "src/storage/worker.ts"],
  root: "src",
  target: "bun",
  format: "esm",
  minify: true,
  splitting: true,
  bytecode: true,
  define: {
    "process.env.NODE_ENV": '"production"',
    // Where the second entry point lies in the binary.
    __AGENT_HUB_WORKER__: JSON.stringify("/$bunfs/root/storage/worker.js"),
    __AGENT_HUB_VERSION__: JSON.stringify(version),
    __AGENT_HUB_COMMIT__: JSON.stringify(commit()),
  },
  compile: { outfile: unfinished, autoloadDotenv: false, autoloadBunfig: false },
});
if (!result.success) fail(result.logs.join("\n"));
await rename(unfinished, outfile);

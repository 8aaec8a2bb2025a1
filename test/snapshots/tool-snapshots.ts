// The contract of every tool as a file a reviewer reads: a changed file is a changed contract, and the commit says why.
// `bun test/snapshots/tool-snapshots.ts` writes them anew.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createSurface } from "../../src/server/mcp/surface.ts";
import { openTestHub, type TestHub } from "../support/hub.ts";
import { root } from "../support/source-files.ts";

const folder = join(root, "test/snapshots/tools");

/** File name and JSON text for each tool the hub lists; the layout of the text says nothing. */
export function toolSnapshots(hub: TestHub): Map<string, string> {
  const listed = createSurface(hub.hub).listTools("full");
  return new Map(listed.map((tool) => [`${tool.name}.json`, JSON.stringify(tool)]));
}

/** The same as it was stored. */
export async function storedSnapshots(): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const values: unknown[] = await Promise.all(names.map((name) => Bun.file(join(folder, name)).json()));
  return new Map(names.map((name, index) => [name, JSON.stringify(values[index])]));
}

async function writeSnapshots(): Promise<number> {
  await using hub = await openTestHub();
  const snapshots = toolSnapshots(hub);
  for (const name of (await storedSnapshots()).keys()) {
    if (!snapshots.has(name)) await rm(join(folder, name));
  }
  for (const [name, text] of snapshots) await Bun.write(join(folder, name), text);
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const format = Bun.spawn([process.execPath, "--bun", biome, "format", "--write", folder], { stdout: "ignore" });
  if ((await format.exited) !== 0) throw new Error("the snapshots could not be formatted");
  return snapshots.size;
}

if (import.meta.main) process.stdout.write(`${await writeSnapshots()} tool snapshots written\n`);

// Start-up of a one-shot command is most of what it costs in a shell hook, so what it loads is held here: files of ours
// that are small, and neither a package nor a module of the runtime that has to be set up first.
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { root } from "../support/source-files.ts";

const transpiler = new Bun.Transpiler({ loader: "ts" });

type Loaded = { files: string[]; packages: string[] };

/** Everything that loading the entries loads; dynamic imports and types load nothing. */
async function loadedBy(entries: readonly string[]): Promise<Loaded> {
  const files = new Set(entries);
  const packages = new Set<string>();
  // A set is walked in the order of insertion, what is added on the way included.
  for (const file of files) {
    for (const { kind, path } of transpiler.scanImports(await Bun.file(join(root, file)).text())) {
      if (kind !== "import-statement") continue;
      if (path.startsWith(".")) files.add(join(dirname(file), path));
      else packages.add(path);
    }
  }
  return { files: [...files], packages: [...packages] };
}

test.each([
  ["call", []],
  ["tools", []],
  ["enrol", []],
  ["projects", []],
  ["config", []],
  ["version", []],
  ["help", []],
  ["health", ["node:http"]],
])("%s", async (name, expected) => {
  const { files, packages } = await loadedBy(["src/main.ts", `src/cli/${name}.ts`]);
  expect(packages).toEqual(expected);
  expect(files.filter((file) => !/^src\/(main\.ts|cli\/|client\/|config\/|shared\/)/.test(file))).toEqual([]);
  expect(files.filter((file) => file.startsWith("src/cli/")).length).toBeLessThan(12);
});

test("the walk finds what it must", async () => {
  const { files, packages } = await loadedBy(["src/config/hub.ts", "src/kernel/log.ts"]);
  expect(files).toContain("src/config/load.ts");
  expect(packages).toEqual(expect.arrayContaining(["node:os", "consola/basic"]));
});

// Bundles the web entries for the browser, and tells which chunks each of them loads at once.
import { posix } from "node:path";
import type { WebEntry } from "./web-entries.ts";

// Without a public path a chunk imports its neighbours as `./name`, which holds below any prefix.
const naming = { entry: "a/[name]-[hash].[ext]", chunk: "a/[name]-[hash].[ext]", asset: "a/[name]-[hash].[ext]" };

export type Bundle = {
  /** Served files by path. */
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** What has no address of its own, by the name of its entry. */
  inline: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** Paths by the name of the entry: its own first, then all it imports statically. */
  entries: Readonly<Record<string, readonly string[]>>;
};

type Output = { path: string; bytes: Uint8Array<ArrayBuffer>; isEntry: boolean };

/** @throws Error with what the bundler says */
export async function bundleWeb(root: string, webEntries: readonly WebEntry[]): Promise<Bundle> {
  const modules = webEntries.filter(({ kind }) => kind === "module");
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const inline = new Map<string, Uint8Array<ArrayBuffer>>();
  const entries: Record<string, readonly string[]> = {};
  const split = await bundle(root, modules, { splitting: true });
  for (const { path, bytes } of split) files.set(path, bytes);
  for (const { name } of modules) entries[name] = staticClosure(entryPath(split, name), files);
  for (const entry of webEntries) {
    if (entry.kind === "module") continue;
    const outputs = await bundle(root, [entry], entry.kind === "style" ? { isStyle: true } : { format: "iife" });
    const [only] = outputs;
    if (only === undefined || outputs.length !== 1) throw new Error(`${entry.name} must become one file`);
    if (entry.kind === "inline") {
      inline.set(entry.name, safeInline(only.bytes));
    } else {
      files.set(only.path, only.bytes);
      entries[entry.name] = [only.path];
    }
  }
  return { files, inline, entries };
}

/** One classic script with constants put in. */
export async function bundleScript(
  root: string,
  source: string,
  define: Record<string, string>,
): Promise<Uint8Array<ArrayBuffer>> {
  const [only] = await bundle(root, [{ source }], { format: "iife", define });
  if (only === undefined) throw new Error(`${source} became nothing`);
  return only.bytes;
}

async function bundle(
  root: string,
  entries: readonly Pick<WebEntry, "source">[],
  options: { splitting?: boolean; format?: "esm" | "iife"; define?: Record<string, string>; isStyle?: boolean },
): Promise<Output[]> {
  if (entries.length === 0) return [];
  const result = await Bun.build({
    entrypoints: entries.map(({ source }) => posix.join(root, source)),
    // For browsers of old the bundler takes the direction from the language, so that `dir` turns nothing round.
    target: options.isStyle === true ? "bun" : "browser",
    format: options.format ?? "esm",
    splitting: options.splitting ?? false,
    minify: true,
    naming,
    define: { "process.env.NODE_ENV": '"production"', ...options.define },
    throw: false,
  });
  if (!result.success) throw new Error(result.logs.join("\n"));
  return Promise.all(
    result.outputs.map(async (output) => ({
      path: posix.normalize(output.path),
      bytes: new Uint8Array(await output.arrayBuffer()),
      isEntry: output.kind === "entry-point",
    })),
  );
}

// Written into a document, a script must hold nothing that ends it there or changes how the document is read. In a string
// or a pattern the escaped forms mean the same, and code of its own never holds them.
function safeInline(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(bytes);
  return new TextEncoder().encode(text.replace(/<(?=!--)/g, "\\x3c").replace(/<(?=\/?script)/gi, "\\x3c"));
}

// A chunk that entries share may bear the name of one of them.
function entryPath(outputs: readonly Output[], name: string): string {
  const found = outputs.find(
    ({ path, isEntry }) => isEntry && posix.basename(path).replace(/-[a-z\d]+\.js$/, "") === name,
  );
  if (found === undefined) throw new Error(`the bundle has no entry ${name}`);
  return found.path;
}

const scanner = new Bun.Transpiler({ loader: "js" });

function staticClosure(entry: string, files: ReadonlyMap<string, Uint8Array>): string[] {
  const closure = new Set([entry]);
  // A set is walked in the order of insertion, what is added on the way included.
  for (const path of closure) {
    for (const { kind, path: target } of scanner.scanImports(files.get(path) ?? new Uint8Array())) {
      if (kind === "import-statement") closure.add(posix.join(posix.dirname(path), target));
    }
  }
  return [...closure];
}

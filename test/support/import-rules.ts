// Who may import whom: the table of the style guide, section 2. To change a rule, change this file and that page in
// one commit and say why.
import type { Import, ReadFile } from "./source-files.ts";

/** Lowest first. A noun imports only the `index.ts` of nouns above it in this list (architecture, section 2). */
const nouns: readonly string[] = [
  "corpus",
  "events",
  "projects",
  "identity",
  "connections",
  "items",
  "questions",
  "sessions",
  "knowledge",
  "artifacts",
  "enrolment",
  "feed",
  "inbox",
  "notify",
  "search",
  "brief",
  "home",
  "upkeep",
];

type Row = {
  /** Folders of ours, besides its own; a path with a dot is that one file. */
  folders: readonly string[];
  /** Folders of ours of which it may take types only. */
  typesOf?: readonly string[];
  packages: readonly string[];
  /** `all` is Bun and every `node:` module. */
  builtins: "none" | "all" | readonly string[];
};

const table: Record<string, Row> = {
  "main.ts": { folders: ["cli"], packages: [], builtins: "none" },
  shared: { folders: [], packages: ["marked"], builtins: "none" },
  config: { folders: ["shared"], packages: ["zod", "smol-toml"], builtins: "all" },
  storage: { folders: ["shared"], typesOf: ["config"], packages: ["bun:sqlite"], builtins: "all" },
  kernel: { folders: ["storage", "shared"], typesOf: ["config"], packages: ["zod", "consola"], builtins: "all" },
  features: {
    folders: ["features", "kernel", "storage", "shared", "skills"],
    packages: ["zod"],
    builtins: ["node:crypto"],
  },
  server: {
    folders: ["features", "kernel", "storage", "config", "shared", "skills"],
    packages: [],
    builtins: "all",
  },
  "server/http": {
    folders: ["features", "kernel", "storage", "config", "shared", "skills", "dist/web.pack"],
    packages: ["elysia", "@elysiajs/*", "prom-client"],
    builtins: "all",
  },
  "server/mcp": {
    folders: ["features", "kernel", "storage", "config", "shared", "skills"],
    packages: ["@modelcontextprotocol/sdk", "@modelcontextprotocol/server"],
    builtins: "all",
  },
  client: { folders: ["config", "shared", "kernel/log.ts"], packages: [], builtins: "all" },
  cli: { folders: ["server", "client", "config", "shared", "kernel/log.ts"], packages: ["citty"], builtins: "all" },
  build: { folders: ["shared"], packages: [], builtins: "all" },
  web: {
    folders: ["shared"],
    packages: ["preact", "@preact/signals", "marked", "diff", "mermaid", "qr"],
    builtins: "none",
  },
};

/** Imports that the table does not allow. */
export function forbiddenImports(files: readonly ReadFile[]): string[] {
  return files.flatMap((file) => {
    if (file.path.endsWith(".d.ts")) return [];
    const place = placeOf(file.path);
    const row = table[place.row];
    if (row === undefined) return [`${file.path}:1: src/${place.folder} is not in the import table`];
    if (place.folder === "features" && orderOf(place.noun) === -1) {
      return [`${file.path}:1: features/${place.noun} is not in the list of nouns`];
    }
    return file.imports.flatMap((entry) => {
      const reason = entry.isRelative ? refuseOurs(place, row, entry) : refusePackage(row, entry.specifier);
      return reason === undefined ? [] : [`${file.path}:${entry.line}: ${reason}`];
    });
  });
}

/**
 * Chains of imports that lead back to where they began. Types that refer to each other load nothing and are left out;
 * between folders and nouns the table rules such a circle out anyway.
 */
export function importCycles(files: readonly ReadFile[]): string[] {
  const edges = new Map(
    files.map((file) => [file.path, file.imports.filter((entry) => !entry.isTypeOnly).map((entry) => entry.target)]),
  );
  const settled = new Set<string>();
  const cycles: string[] = [];

  function visit(path: string, trail: string[]): void {
    const start = trail.indexOf(path);
    if (start !== -1) {
      cycles.push(`${path}:1: import cycle: ${[...trail.slice(start), path].join(" -> ")}`);
      return;
    }
    if (settled.has(path)) return;
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
    settled.add(path);
  }

  for (const path of edges.keys()) visit(path, []);
  return cycles;
}

type Place = { folder: string; noun: string; row: string };

// `src/server/http/routes.ts` lies in folder `server`, row `server/http`; `noun` is the folder below, if any.
function placeOf(path: string): Place {
  const [, folder = "", ...rest] = path.split("/");
  const noun = rest.length > 1 ? (rest[0] ?? "") : "";
  const row = `${folder}/${noun}` in table ? `${folder}/${noun}` : folder;
  return { folder, noun, row };
}

function refuseOurs(from: Place, row: Row, entry: Import): string | undefined {
  const { target } = entry;
  if (target.startsWith("skills/")) {
    return row.folders.includes("skills") ? undefined : `${from.row} may not import ${target}`;
  }
  // Made by the build, which comes first.
  if (target.startsWith("dist/") && row.folders.includes(target)) return undefined;
  if (!target.startsWith("src/")) return `${from.row} may not import ${target}, outside src`;
  const to = placeOf(target);
  const isOwn = to.folder === from.folder && to.noun === from.noun;
  if (to.folder === "features") return isOwn ? undefined : refuseFeature(from, row, to, target);
  if (to.folder === from.folder || row.folders.includes(to.folder)) return undefined;
  if (row.folders.includes(target.slice("src/".length))) return undefined;
  if (row.typesOf?.includes(to.folder)) {
    return entry.isTypeOnly ? undefined : `${from.row} may import only types of ${to.folder}: ${target}`;
  }
  return `${from.row} may not import ${target}`;
}

function refuseFeature(from: Place, row: Row, to: Place, target: string): string | undefined {
  if (!row.folders.includes("features")) return `${from.row} may not import ${target}`;
  if (target !== `src/features/${to.noun}/index.ts`) return `only the index.ts of features/${to.noun} may be imported`;
  if (from.folder !== "features" || orderOf(to.noun) < orderOf(from.noun)) return undefined;
  return `features/${from.noun} may import only nouns above it in the list, not ${to.noun}`;
}

function refusePackage(row: Row, specifier: string): string | undefined {
  const refusal = `${specifier} may not be imported here`;
  if (specifier === "bun" || specifier.startsWith("node:")) {
    const isAllowed = row.builtins === "all" || (row.builtins !== "none" && row.builtins.includes(specifier));
    return isAllowed ? undefined : refusal;
  }
  const [scope = "", rest] = specifier.split("/");
  const name = scope.startsWith("@") ? `${scope}/${rest}` : scope;
  return row.packages.some((allowed) => allowed === name || allowed === `${scope}/*`) ? undefined : refusal;
}

function orderOf(noun: string): number {
  return nouns.indexOf(noun);
}

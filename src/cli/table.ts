// The commands there are, in the order of cli.md 1. A command's module is loaded when it is named and not before:
// one-shot commands run in shell hooks, where start-up is most of what they cost.
import type { Command } from "./command.ts";

export type TableRow = Readonly<{
  name: string;
  /** The command line as the top-level usage shows it, after `agent-hub`. */
  form: string;
  summary: string;
  load: () => Promise<Command>;
}>;

const defaultCommand = "serve";

const table: readonly TableRow[] = [
  {
    name: "serve",
    form: "serve",
    summary: "serve the hub over HTTP",
    load: async () => (await import("./serve.ts")).command,
  },
  {
    name: "mcp",
    form: "mcp [--tools core|full]",
    summary: "MCP over stdio: proxy to a hub, or standalone on the local data directory",
    load: async () => (await import("./mcp.ts")).command,
  },
  {
    name: "call",
    form: "call <tool> [json|-]",
    summary: "one tool call",
    load: async () => (await import("./call.ts")).command,
  },
  {
    name: "tools",
    form: "tools [--compact]",
    summary: "list the hub's tools with schemas",
    load: async () => (await import("./tools.ts")).command,
  },
  {
    name: "enrol",
    form: "enrol [why] [options]",
    summary: "ask for an identity and wait for the operator",
    load: async () => (await import("./enrol.ts")).command,
  },
  {
    name: "projects",
    form: "projects <command> ...",
    summary: "create, list, delete projects",
    load: async () => (await import("./projects.ts")).command,
  },
  {
    name: "config",
    form: "config [--path|--check]",
    summary: "show or validate settings",
    load: async () => (await import("./config.ts")).command,
  },
  {
    name: "backup",
    form: "backup --out DIR, --url URL",
    summary: "copy everything offline, or ask a running hub for a copy",
    load: async () => (await import("./backup.ts")).command,
  },
  {
    name: "restore",
    form: "restore --from DIR",
    summary: "replace a data directory from a backup",
    load: async () => (await import("./restore.ts")).command,
  },
  {
    name: "check",
    form: "check",
    summary: "verify a data directory or a backup",
    load: async () => (await import("./check.ts")).command,
  },
  {
    name: "doctor",
    form: "doctor",
    summary: "health report of a data directory",
    load: async () => (await import("./doctor.ts")).command,
  },
  {
    name: "health",
    form: "health [--url URL]",
    summary: "readiness probe",
    load: async () => (await import("./health.ts")).command,
  },
  {
    name: "version",
    form: "version, --version, -V",
    summary: "print the version",
    load: async () => (await import("./version.ts")).command,
  },
  {
    name: "help",
    form: "help [command], --help, -h",
    summary: "print usage",
    load: async () => (await import("./help.ts")).helpCommand(topUsage(), (name) => findCommand(name)?.load()),
  },
];

const aliases: Readonly<Record<string, string>> = {
  "--version": "version",
  "-V": "version",
  "--help": "help",
  "-h": "help",
};

/** The row a first argument names, by name or by flag; the default command when there is none. */
export function findRow(first: string = defaultCommand): TableRow | undefined {
  return findCommand(Object.hasOwn(aliases, first) ? aliases[first] : first);
}

function findCommand(name: string | undefined): TableRow | undefined {
  return table.find((row) => row.name === name);
}

export function topUsage(): string {
  const rows = [{ form: "", summary: `same as agent-hub ${defaultCommand}` }, ...table];
  const width = Math.max(...rows.map(({ form }) => form.length));
  const lines = rows.map(({ form, summary }) => `  agent-hub ${form.padEnd(width)}  ${summary}\n`);
  return `usage: agent-hub [command] [arguments]\n\n${lines.join("")}\nEach command prints its own usage with --help.\n`;
}

// Usage, help and version: text, stream and exit code (cli.md 2.1, 2.4, 16).
import { describe, expect, test } from "bun:test";
import { runInPlace } from "../support/cli-io.ts";

const top = `usage: agent-hub [command] [arguments]

  agent-hub                              same as agent-hub serve
  agent-hub serve                        serve the hub over HTTP
  agent-hub mcp [--tools core|full]      MCP over stdio: proxy to a hub, or standalone on the local data directory
  agent-hub call <tool> [json|-]         one tool call
  agent-hub tools [--compact]            list the hub's tools with schemas
  agent-hub enrol [why] [options]        ask for an identity and wait for the operator
  agent-hub projects <command> ...       create, list, delete projects
  agent-hub config [--path|--check]      show or validate settings
  agent-hub backup --out DIR, --url URL  copy everything offline, or ask a running hub for a copy
  agent-hub restore --from DIR           replace a data directory from a backup
  agent-hub check                        verify a data directory or a backup
  agent-hub doctor                       health report of a data directory
  agent-hub health [--url URL]           readiness probe
  agent-hub version, --version, -V       print the version
  agent-hub help [command], --help, -h   print usage

Each command prints its own usage with --help.
`;

// Nothing a help text needs can be read here.
const broken = { HUB_CONFIG: import.meta.dir, HUB_URL: "nowhere", HUB_TIMEOUT: "never" };
const names = "serve mcp call tools enrol projects config backup restore check doctor health version".split(" ");

test.each([[["help"]], [["--help"]], [["-h"]], [["help", "help"]], [["help", "--help"]], [["--help", "-h"]]])(
  "%j prints the top-level usage",
  async (argv) => {
    expect(await runInPlace(argv, broken)).toEqual({ code: 0, stdout: top, stderr: "" });
  },
);

describe.each(names)("%s", (name) => {
  test("prints its usage, whatever else is on the line", async () => {
    const { stdout } = await runInPlace(["help", name], broken);
    expect(stdout).toStartWith(`usage: agent-hub ${name}`);
    expect(stdout).toEndWith("\n");
    for (const argv of [
      [name, "--help"],
      [name, "-h"],
      [name, "--bogus", "a", "b", "c", "-h"],
      [name, "--", "--help"],
      ["help", name],
      ["--help", name],
    ]) {
      expect(await runInPlace(argv, broken)).toEqual({ code: 0, stdout, stderr: "" });
    }
  });

  test("refuses an unknown option with its own usage", async () => {
    const { stdout: usage } = await runInPlace(["help", name]);
    expect(await runInPlace([name, "--bogus"], broken)).toEqual({
      code: 2,
      stdout: "",
      stderr: `agent-hub: unknown option '--bogus' for '${name}'\n${usage}`,
    });
  });
});

test.each([
  [["bogus"], "unknown subcommand 'bogus'"],
  [["bogus", "--help"], "unknown subcommand 'bogus'"],
  [["Serve"], "unknown subcommand 'Serve'"],
  [[""], "unknown subcommand ''"],
  [["constructor"], "unknown subcommand 'constructor'"],
  [["--bogus"], "unknown option '--bogus'"],
  [["--tools", "core"], "unknown option '--tools'"],
  [["help", "bogus"], "unknown subcommand 'bogus'"],
  [["help", "-V"], "unknown option '-V' for 'help'"],
  [["help", "call", "tools"], "unexpected argument 'tools' for 'help'"],
  [["session"], "unknown subcommand 'session'"],
  [["brain"], "unknown subcommand 'brain'"],
])("%j is exit 2 with the top-level usage", async (argv, message) => {
  expect(await runInPlace(argv, broken)).toEqual({ code: 2, stdout: "", stderr: `agent-hub: ${message}\n${top}` });
});

test.each([
  [["serve", "x"], "unexpected argument 'x' for 'serve'"],
  [["mcp", "x"], "unexpected argument 'x' for 'mcp'"],
  [["mcp", "--tools"], "option '--tools' needs a value"],
  [["mcp", "--tools", "some"], "option '--tools' is 'some'; give core or full"],
  [["mcp", "--tools="], "option '--tools' has an empty value"],
  [["call"], "missing argument for 'call'"],
  [["call", ""], "the tool name is empty"],
  [["call", "x", "{}", "y"], "unexpected argument 'y' for 'call'"],
  [["tools", "x"], "unexpected argument 'x' for 'tools'"],
  [["tools", "--compact=1"], "option '--compact' takes no value"],
  [["config", "--path", "--check"], "give --path or --check, not both"],
  [["config", "x"], "unexpected argument 'x' for 'config'"],
  [["backup"], "give --out DIR, or --url URL for a running hub"],
  [["backup", "--url", "http://127.0.0.1:1", "--out", "x"], "--url goes with no other option"],
  [["backup", "--url", "http://127.0.0.1:1", "--data-dir", "x"], "--url goes with no other option"],
  [
    ["backup", "--url", "ftp://x"],
    "option '--url' is not an http or https URL; give the hub's address, such as https://hub.example",
  ],
  [["backup", "--out="], "option '--out' has an empty value"],
  [["restore"], "'restore' needs --from DIR"],
  [["restore", "--from"], "option '--from' needs a value"],
  [["restore", "--from", "x", "--quick"], "unknown option '--quick' for 'restore'"],
  [["check", "x"], "unexpected argument 'x' for 'check'"],
  [["check", "--force"], "unknown option '--force' for 'check'"],
  [["doctor", "--out", "x"], "unknown option '--out' for 'doctor'"],
  [["doctor", "--from", "x"], "unknown option '--from' for 'doctor'"],
  [["doctor", "--force"], "unknown option '--force' for 'doctor'"],
  [["health", "--url"], "option '--url' needs a value"],
  [["health", "--url="], "option '--url' has an empty value"],
  [["version", "x"], "unexpected argument 'x' for 'version'"],
  [["--version", "x"], "unexpected argument 'x' for 'version'"],
])("%j is exit 2", async (argv, message) => {
  const { stdout: usage } = await runInPlace(["help", argv[0] === "--version" ? "version" : (argv[0] ?? "")]);
  expect(await runInPlace(argv, broken)).toEqual({ code: 2, stdout: "", stderr: `agent-hub: ${message}\n${usage}` });
});

test.each([[["version"]], [["--version"]], [["-V"]]])("%j", async (argv) => {
  const { code, stdout, stderr } = await runInPlace(argv, broken);
  expect(stdout).toMatch(/^agent-hub \d+\.\d+\.\d+\S* \(([0-9a-f]{7,}|unknown)\)\n$/);
  expect([code, stderr]).toEqual([0, ""]);
});

// Files, layers, format, permission warnings (config.md 1, 2, 3, 6 and 8).
import { describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { clientConfig } from "../../src/config/client.ts";
import { hubConfig } from "../../src/config/hub.ts";
import { findText, loadSettings } from "../../src/config/load.ts";
import { logLevel } from "../../src/config/log-level.ts";
import { fallbackFile, messageOf, settingsOf, systemFile, userFile, writeConfig } from "../support/cli-config.ts";
import { openSandbox } from "../support/cli-process.ts";

function project(name: string): string {
  return `[client]\nproject = "${name}"\n`;
}

describe("which files are read", () => {
  type Case = {
    title: string;
    files: Record<string, string>;
    env?: Record<string, string>;
    expected: string | undefined;
  };
  const xdgFile = "xdg/agent-hub/config.toml";
  const cases: Case[] = [
    { title: "none", files: {}, expected: undefined },
    { title: "system alone", files: { [systemFile]: project("s") }, expected: "s" },
    { title: "user over system", files: { [systemFile]: project("s"), [userFile]: project("u") }, expected: "u" },
    { title: "fallback when no earlier user file", files: { [fallbackFile]: project("f") }, expected: "f" },
    { title: "one user file only", files: { [userFile]: "", [fallbackFile]: project("f") }, expected: undefined },
    {
      title: "XDG_CONFIG_HOME in place of .config",
      files: { [xdgFile]: project("x"), [userFile]: project("u") },
      env: { XDG_CONFIG_HOME: "$/xdg" },
      expected: "x",
    },
    {
      title: "XDG_CONFIG_HOME set hides .config but not the fallback",
      files: { [userFile]: project("u"), [fallbackFile]: project("f") },
      env: { XDG_CONFIG_HOME: "$/xdg" },
      expected: "f",
    },
    {
      title: "HUB_CONFIG replaces both",
      files: { "n.toml": "", [userFile]: project("u"), [systemFile]: project("s") },
      env: { HUB_CONFIG: "$/n.toml" },
      expected: undefined,
    },
    {
      title: "a missing HUB_CONFIG is no error and replaces all the same",
      files: { [userFile]: project("u") },
      env: { HUB_CONFIG: "$/absent.toml" },
      expected: undefined,
    },
    {
      title: "a blank HUB_CONFIG is unset",
      files: { [userFile]: project("u") },
      env: { HUB_CONFIG: " " },
      expected: "u",
    },
    { title: "no HOME: no user file", files: { [userFile]: project("u") }, env: { HOME: "" }, expected: undefined },
    {
      title: "blank in a file falls through",
      files: { [userFile]: project(" "), [systemFile]: project("s") },
      expected: "s",
    },
    { title: "file values are trimmed", files: { [userFile]: project(" u ") }, expected: "u" },
    { title: "variable over file", files: { [userFile]: project("u") }, env: { HUB_PROJECT: " e " }, expected: "e" },
    {
      title: "a blank variable falls through",
      files: { [userFile]: project("u") },
      env: { HUB_PROJECT: "" },
      expected: "u",
    },
    { title: "a byte order mark is skipped", files: { [userFile]: `\ufeff${project("u")}` }, expected: "u" },
  ];
  test.each(cases)("$title", async ({ files, env = {}, expected }) => {
    await using sandbox = await openSandbox();
    for (const [name, text] of Object.entries(files)) await writeConfig(sandbox, name, text);
    const set = Object.entries(env).map(([name, value]) => [name, value.replace("$", sandbox.directory)]);
    const settings = await loadSettings({ ...sandbox.env, ...Object.fromEntries(set) });
    expect(findText(settings, "project")).toBe(expected);
    expect(settings.warnings).toEqual([]);
  });
});

test("layers are per key", async () => {
  await using sandbox = await openSandbox();
  await writeConfig(sandbox, systemFile, '[hub]\nenrol = "off"\nenrol_pending_max = 3\n[client]\ntimeout = 2.5\n');
  await writeConfig(sandbox, userFile, "[hub]\nenrol_pending_max = 4\nactive_window_secs = 0x10\n");
  const settings = await loadSettings({ ...sandbox.env, HUB_ACTIVE_WINDOW_SECS: "17" });
  const hub = hubConfig(settings);
  expect([hub.enrol, hub.enrolPendingMax, hub.activeWindowSecs]).toEqual([false, 4, 17]);
  expect(clientConfig(settings).timeoutMs).toBe(2500);
});

test("a bad value in a file names variable, table, key and file", async () => {
  await using sandbox = await openSandbox();
  const path = await writeConfig(sandbox, userFile, "[hub]\nactive_window_secs = 0\n[client]\ntimeout = nan\n");
  const settings = await loadSettings(sandbox.env);
  expect(await messageOf(() => hubConfig(settings))).toContain(
    `HUB_ACTIVE_WINDOW_SECS ([hub] active_window_secs in ${path}) is '0'`,
  );
  expect(await messageOf(() => clientConfig(settings))).toContain("is 'NaN'");
});

describe("a file that cannot be used is an error naming it", () => {
  test.each<[title: string, text: string | Uint8Array, ...mentions: string[]]>([
    ["bad syntax", "[hub]\nbind = \n", "line 2, column 8"],
    ["unclosed string", '[hub]\nbind = "x\n', "line 2"],
    ["duplicate key", '[hub]\nbind = "a"\nbind = "b"\n', "line 3"],
    ["duplicate table", "[hub]\n[client]\n[hub]\n", "line 3"],
    ["unknown key in [hub]", "[hub]\nbnid = 1\n", "'bnid'", "[hub]"],
    ["unknown key in [client]", '[client]\nuri = "x"\n', "'uri'", "[client]"],
    ["a key of the other table", '[client]\nbind = "127.0.0.1:1"\n', "'bind'", "[client]"],
    ["a prototype name", "[hub]\nconstructor = 1\n", "'constructor'"],
    ["__proto__", "[hub]\n__proto__ = 1\n", "'__proto__'"],
    ["hub not a table", "hub = 1\n", "'hub' is not a table"],
    ["client an array of tables", "[[client]]\n", "'client' is not a table"],
    ["hub a date", "hub = 2026-01-01\n", "'hub' is not a table"],
    ["string key with an integer", "[hub]\nbind = 8080\n", "'bind'", "a string"],
    ["string key with a boolean", "[hub]\nenrol = true\n", "'enrol'", "a string"],
    ["string key with a table", "[hub.bind]\n", "'bind'", "a string"],
    ["string key with a list", '[hub]\nallowed_hosts = ["nas"]\n', "'allowed_hosts'", "a string"],
    ["integer key with a string", '[hub]\nenrol_pending_max = "3"\n', "'enrol_pending_max'", "an integer"],
    ["integer key with a float", "[hub]\nenrol_pending_max = 3.0\n", "'enrol_pending_max'", "an integer"],
    ["timeout with a string", '[client]\ntimeout = "30"\n', "'timeout'", "a number"],
    ["not UTF-8", Uint8Array.of(0x5b, 0xff), "UTF-8"],
  ])("%s", async (_title, text, ...mentions) => {
    await using sandbox = await openSandbox();
    const path = await writeConfig(sandbox, userFile, text);
    const message = await messageOf(() => loadSettings(sandbox.env));
    expect(message).toStartWith("ConfigError: ");
    expect(message).not.toContain("\n");
    for (const mention of [path, ...mentions]) expect(message).toContain(mention);
  });

  test.each([userFile, systemFile, "named.toml"])("a directory in its place: %s", async (name) => {
    await using sandbox = await openSandbox();
    const path = join(sandbox.directory, name);
    await mkdir(path, { recursive: true });
    const env = name === "named.toml" ? { ...sandbox.env, HUB_CONFIG: path } : sandbox.env;
    expect(await messageOf(() => loadSettings(env))).toBe(
      `ConfigError: cannot read config file ${path}: it is a directory`,
    );
  });
});

test("other tables and keys outside tables are warnings", async () => {
  await using sandbox = await openSandbox();
  await writeConfig(sandbox, userFile, 'stray = 1\n[other]\nx = 1\n[client]\nproject = "u"\n');
  const { warnings, found } = await loadSettings(sandbox.env);
  expect(found.get("project")?.text).toBe("u");
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toContain("'stray'");
  expect(warnings[1]).toContain("[other]");
});

describe("permission warnings", () => {
  const secret = '[client]\ntoken = "t"\n';
  test.each<[mode: number, text: string, warned: boolean]>([
    [0o600, secret, false],
    [0o400, secret, false],
    [0o700, secret, false],
    [0o644, secret, true],
    [0o640, secret, true],
    [0o620, secret, true],
    [0o602, secret, true],
    [0o644, '[hub]\nadmin_token = "t"\n', true],
    [0o644, '[hub]\nnotify_token = "t"\n', true],
    [0o644, '[hub]\ntailnet = "t"\n', true],
    [0o644, '[hub]\nnotify_url = "https://x/secret"\n', false],
    [0o644, '[client]\ntoken = " "\n', false],
    [0o644, project("u"), false],
  ])("mode %o: %j", async (mode, text, warned) => {
    await using sandbox = await openSandbox();
    const path = await writeConfig(sandbox, userFile, text, mode);
    const { warnings } = await loadSettings(sandbox.env);
    const expected = `${path} holds a secret and has mode 0${mode.toString(8)}; run: chmod 600 ${path}`;
    expect(warnings).toEqual(warned ? [expected] : []);
  });
});

test.each([
  [undefined, "info", 0],
  ["", "info", 0],
  [" debug ", "debug", 0],
  ["off", "off", 0],
  ["loud", "info", 1],
  ["INFO", "info", 1],
] as const)("HUB_LOG=%s is level %s", async (text, level, warnings) => {
  const env = { HUB_LOG: text };
  expect(logLevel(env, "info")).toBe(level);
  expect((await settingsOf(env)).warnings).toHaveLength(warnings);
});

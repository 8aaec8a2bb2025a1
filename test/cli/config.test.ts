// `config`, `config --path`, `config --check` (cli.md 10).
import { describe, expect, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fallbackFile, systemFile, userFile, writeConfig } from "../support/cli-config.ts";
import { runInPlace } from "../support/cli-io.ts";
import { openSandbox } from "../support/cli-process.ts";

test("config shows settings without validating them", async () => {
  await using sandbox = await openSandbox();
  const { code, stdout, stderr } = await runInPlace(["config"], {
    ...sandbox.env,
    HUB_BIND: "nowhere",
    HUB_TOKEN: "abcdef",
  });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^\[hub\] bind +HUB_BIND +nowhere +environment\n/);
  expect(stdout).toMatch(/\n\[client\] token +HUB_TOKEN +abcd\.\.\. \(6 chars\) +environment\n/);
});

test("config prints warnings on stderr", async () => {
  await using sandbox = await openSandbox();
  const path = await writeConfig(sandbox, userFile, '[client]\ntoken = "t"\n[other]\n', 0o644);
  const { code, stderr } = await runInPlace(["config"], sandbox.env);
  expect(code).toBe(0);
  expect(stderr).toBe(
    `agent-hub: config file ${path}: table [other] is not used and is ignored\n` +
      `agent-hub: ${path} holds a secret and has mode 0644; run: chmod 600 ${path}\n`,
  );
});

test("a file that cannot be parsed is exit 78, except for --path", async () => {
  await using sandbox = await openSandbox();
  const path = await writeConfig(sandbox, userFile, "[hub\n");
  for (const argv of [["config"], ["config", "--check"]]) {
    const { code, stdout, stderr } = await runInPlace(argv, sandbox.env);
    expect([code, stdout]).toEqual([78, ""]);
    expect(stderr).toStartWith(`agent-hub: config file ${path}, line 1, column `);
  }
  expect((await runInPlace(["config", "--path"], sandbox.env)).code).toBe(0);
});

describe("config --path", () => {
  type Row = [layer: string, path: string, state: string];
  const cases: { title: string; files: string[]; env?: Record<string, string>; rows: Row[] }[] = [
    {
      title: "nothing there",
      files: [],
      rows: [
        ["system", "~/system.toml", "not found"],
        ["user", "~/.config/agent-hub/config.toml", "not found"],
        ["user", "~/.agent-hub/config.toml", "not found"],
      ],
    },
    {
      title: "shadowed",
      files: [systemFile, userFile, fallbackFile],
      rows: [
        ["system", "~/system.toml", "found"],
        ["user", "~/.config/agent-hub/config.toml", "found"],
        ["user", "~/.agent-hub/config.toml", "not read (shadowed)"],
      ],
    },
    {
      title: "fallback",
      files: [fallbackFile],
      rows: [
        ["system", "~/system.toml", "not found"],
        ["user", "~/.config/agent-hub/config.toml", "not found"],
        ["user", "~/.agent-hub/config.toml", "found"],
      ],
    },
    {
      title: "HUB_CONFIG",
      files: [systemFile, userFile],
      env: { HUB_CONFIG: "/nonexistent/named.toml", XDG_CONFIG_HOME: "/nonexistent/xdg" },
      rows: [
        ["named", "/nonexistent/named.toml", "not found"],
        ["system", "~/system.toml", "not read (replaced by HUB_CONFIG)"],
        ["user", "/nonexistent/xdg/agent-hub/config.toml", "not read (replaced by HUB_CONFIG)"],
        ["user", "~/.agent-hub/config.toml", "not read (replaced by HUB_CONFIG)"],
      ],
    },
  ];
  test.each(cases)("$title", async ({ files, env = {}, rows }) => {
    await using sandbox = await openSandbox();
    for (const file of files) await writeConfig(sandbox, file, "not [toml");
    const { code, stdout, stderr } = await runInPlace(["config", "--path"], { ...sandbox.env, ...env });
    expect([code, stderr]).toEqual([0, ""]);
    const shown = stdout.trimEnd().split("\n");
    expect(shown.map((line) => line.split(/ {2,}/))).toEqual(rows);
  });

  test("without a home only the system file is a candidate", async () => {
    const { stdout } = await runInPlace(["config", "--path"], {});
    expect(stdout).toBe("system  /nonexistent/config.toml  not found\n");
  });
});

describe("config --check", () => {
  test("valid: nothing printed, nothing left behind", async () => {
    await using sandbox = await openSandbox();
    const env = { ...sandbox.env, HUB_DATA_DIR: join(sandbox.directory, "a/b/data") };
    expect(await runInPlace(["config", "--check"], env)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await readdir(sandbox.directory)).toEqual([]);
  });

  test("an existing data directory", async () => {
    await using sandbox = await openSandbox();
    const dataDir = join(sandbox.directory, "data");
    await mkdir(dataDir);
    expect((await runInPlace(["config", "--check"], { ...sandbox.env, HUB_DATA_DIR: dataDir })).code).toBe(0);
    expect(await readdir(dataDir)).toEqual([]);
  });

  test.each(["file", "file/below"])("a data directory at %s", async (name) => {
    await using sandbox = await openSandbox();
    await writeFile(join(sandbox.directory, "file"), "");
    const dataDir = join(sandbox.directory, name);
    const { code, stdout, stderr } = await runInPlace(["config", "--check"], { ...sandbox.env, HUB_DATA_DIR: dataDir });
    expect([code, stdout]).toEqual([78, ""]);
    expect(stderr).toContain(dataDir);
    expect(stderr).toContain("not a directory");
  });

  test("a data directory that cannot be written", async () => {
    // Refused to the superuser too.
    const { code, stdout, stderr } = await runInPlace(["config", "--check"], { HUB_DATA_DIR: "/proc/agent-hub/data" });
    expect([code, stdout]).toEqual([78, ""]);
    expect(stderr).toContain("'/proc/agent-hub/data', and /proc cannot be written");
  });

  test.each([
    [{ HUB_BIND: "nowhere" }, "HUB_BIND is 'nowhere'"],
    [{ HUB_BIND: "0.0.0.0:1" }, "HUB_ADMIN_TOKEN is not set"],
    [{ HUB_TIMEOUT: "0" }, "HUB_TIMEOUT is '0'"],
    [{ HUB_URL: "nowhere" }, "HUB_URL is 'nowhere'"],
    [{ HUB_URL: "nowhere", HUB_ENROL: "maybe" }, "HUB_ENROL is 'maybe'"],
  ])("%j", async (env, message) => {
    const { code, stdout, stderr } = await runInPlace(["config", "--check"], env);
    expect([code, stdout]).toEqual([78, ""]);
    expect(stderr).toStartWith(`agent-hub: ${message}`);
    expect(stderr.trimEnd()).not.toContain("\n");
  });
});

// What `agent-hub config` shows (cli.md 10, config.md 9).
import { expect, test } from "bun:test";
import { hostname } from "node:os";
import { maskedSecret, maskedUrl, settingsReport } from "../../src/config/display.ts";
import { keyNames } from "../../src/config/keys.ts";
import { loadSettings } from "../../src/config/load.ts";
import { settingsOf, systemFile, userFile, writeConfig } from "../support/cli-config.ts";
import { openSandbox } from "../support/cli-process.ts";

test.each([
  ["9f2c0d5c2c5f4d0e8a7b6c5d4e3f2a1b9f2c0d5c2c5f4d0e8a7b6c5d4e3f2a1b", "9f2c... (64 chars)"],
  ["häßé€x", "häßé... (6 chars)"],
  ["😀😀😀😀😀", "😀😀😀😀... (5 chars)"],
])("secret %s", (text, expected) => {
  expect(maskedSecret(text)).toBe(expected);
});

test.each([
  ["https://ntfy.lan/agent-hub?title=x", "https://ntfy.lan/..."],
  ["https://ntfy.lan:444?x", "https://ntfy.lan:444/..."],
  ["http://ntfy.lan:8080", "http://ntfy.lan:8080"],
  ["http://ntfy.lan/", "http://ntfy.lan"],
  ["https://user:hidden@ntfy.lan/x", "https://ntfy.lan/..."],
  ["hidden", "(not a URL)"],
])("notify_url %s", (text, expected) => {
  expect(maskedUrl(text)).toBe(expected);
});

test("one line a setting, with its source", async () => {
  await using sandbox = await openSandbox();
  await writeConfig(sandbox, userFile, '[hub]\nnotify_url = "https://ntfy.lan/x"\n');
  await writeConfig(sandbox, systemFile, '[hub]\nbind = "0.0.0.0:8080"\nadmin_token = "9f2c0d5c"\n');
  const report = settingsReport(await loadSettings({ ...sandbox.env, HUB_PROJECT: "home\nlab" }));
  const rows = report.trimEnd().split("\n");
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ["[hub] bind", "HUB_BIND", "0.0.0.0:8080", "~/system.toml"],
    ["[hub] data_dir", "HUB_DATA_DIR", "./data", "default"],
    ["[hub] admin_token", "HUB_ADMIN_TOKEN", "9f2c... (8 chars)", "~/system.toml"],
    ["[hub] node_name", "HUB_NODE_NAME", hostname(), "default"],
    ["[hub] public_url", "HUB_PUBLIC_URL", "(unset)", "default"],
    ["[hub] active_window_secs", "HUB_ACTIVE_WINDOW_SECS", "900", "default"],
    ["[hub] inbox_action_per_agent", "HUB_INBOX_ACTION_PER_AGENT", "100", "default"],
    ["[hub] inbox_action_per_project", "HUB_INBOX_ACTION_PER_PROJECT", "1000", "default"],
    ["[hub] events_per_project", "HUB_EVENTS_PER_PROJECT", "1000000", "default"],
    ["[hub] enrol", "HUB_ENROL", "on", "default"],
    ["[hub] enrol_pending_max", "HUB_ENROL_PENDING_MAX", "20", "default"],
    ["[hub] enrol_pending_ttl_secs", "HUB_ENROL_PENDING_TTL_SECS", "86400", "default"],
    ["[hub] allowed_hosts", "HUB_ALLOWED_HOSTS", "(unset)", "default"],
    ["[hub] trust_proxy", "HUB_TRUST_PROXY", "(unset)", "default"],
    ["[hub] integrity_sample_secs", "HUB_INTEGRITY_SAMPLE_SECS", "3600", "default"],
    ["[hub] notify_url", "HUB_NOTIFY_URL", "https://ntfy.lan/...", "~/.config/agent-hub/config.toml"],
    ["[hub] notify_token", "HUB_NOTIFY_TOKEN", "(unset)", "default"],
    ["[hub] notify_interval_secs", "HUB_NOTIFY_INTERVAL_SECS", "60", "default"],
    ["[hub] backup_dir", "HUB_BACKUP_DIR", "(unset)", "default"],
    ["[hub] tailnet", "HUB_TAILNET", "(unset)", "default"],
    ["[hub] tailnet_port", "HUB_TAILNET_PORT", "8080", "default"],
    ["[hub] tailnet_control_url", "HUB_TAILNET_CONTROL_URL", "(unset)", "default"],
    ["[client] url", "HUB_URL", "(unset)", "default"],
    ["[client] token", "HUB_TOKEN", "(unset)", "default"],
    ["[client] agent_id", "HUB_AGENT_ID", "(unset)", "default"],
    ["[client] project", "HUB_PROJECT", "home\\u000alab", "environment"],
    ["[client] timeout", "HUB_TIMEOUT", "120", "default"],
  ]);
  expect(rows).toHaveLength(keyNames.length);
});

test.each(["HUB_ADMIN_TOKEN", "HUB_TOKEN", "HUB_NOTIFY_TOKEN", "HUB_TAILNET"])("%s is masked", async (variable) => {
  const report = settingsReport(await settingsOf({ [variable]: "abcdefgh" }));
  expect(report).toContain("abcd... (8 chars)");
  expect(report).not.toContain("abcde");
});

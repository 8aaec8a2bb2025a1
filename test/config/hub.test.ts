// Every key of [hub] (config.md 4) and the cross-checks of config.md 7.
import { describe, expect, test } from "bun:test";
import { hostname } from "node:os";
import { hubConfig } from "../../src/config/hub.ts";
import type { HubConfig } from "../../src/config/settings.ts";
import { messageOf, settingsOf } from "../support/cli-config.ts";

const defaults: HubConfig = {
  bind: { host: "127.0.0.1", port: 8080, isLoopback: true },
  dataDir: "./data",
  adminToken: null,
  nodeName: hostname(),
  isNodeNamed: false,
  publicUrl: null,
  activeWindowSecs: 900,
  inboxActionPerAgent: 100,
  inboxActionPerProject: 1000,
  eventsPerProject: 1_000_000,
  enrol: true,
  enrolPendingMax: 20,
  enrolPendingTtlSecs: 86_400,
  allowedHosts: [],
  trustProxy: [],
  integritySampleSecs: 3600,
  notifyUrl: null,
  notifyToken: null,
  notifyIntervalSecs: 60,
  backupDir: null,
  sweepIntervalSecs: 30,
};

async function hubOf(env: Record<string, string>): Promise<HubConfig> {
  return hubConfig(await settingsOf(env));
}

test("defaults, complete and frozen", async () => {
  const config = await hubOf({});
  expect(config).toEqual(defaults);
  expect(Object.isFrozen(config)).toBe(true);
});

const token = { HUB_ADMIN_TOKEN: "secret" };
const accepted: [variable: string, value: string, expected: Partial<HubConfig>][] = [
  ["HUB_BIND", "127.0.0.1:0", { bind: { host: "127.0.0.1", port: 0, isLoopback: true } }],
  ["HUB_BIND", "127.8.9.1:65535", { bind: { host: "127.8.9.1", port: 65_535, isLoopback: true } }],
  ["HUB_BIND", "0.0.0.0:8080", { bind: { host: "0.0.0.0", port: 8080, isLoopback: false } }],
  ["HUB_BIND", "[::1]:1", { bind: { host: "::1", port: 1, isLoopback: true } }],
  ["HUB_BIND", "[0:0:0:0:0:0:0:1]:1", { bind: { host: "0:0:0:0:0:0:0:1", port: 1, isLoopback: true } }],
  ["HUB_BIND", "[::ffff:127.0.0.1]:1", { bind: { host: "::ffff:127.0.0.1", port: 1, isLoopback: true } }],
  ["HUB_BIND", "[::]:8080", { bind: { host: "::", port: 8080, isLoopback: false } }],
  ["HUB_BIND", "  127.0.0.1:9  ", { bind: { host: "127.0.0.1", port: 9, isLoopback: true } }],
  ["HUB_BIND", "   ", {}],
  ["HUB_DATA_DIR", "/var/lib/agent-hub", { dataDir: "/var/lib/agent-hub" }],
  ["HUB_DATA_DIR", "~/x", { dataDir: "~/x" }],
  ["HUB_NODE_NAME", "shelf", { nodeName: "shelf", isNodeNamed: true }],
  ["HUB_PUBLIC_URL", "https://hub.example", { publicUrl: "https://hub.example" }],
  ["HUB_PUBLIC_URL", "https://hub.example/", { publicUrl: "https://hub.example" }],
  ["HUB_PUBLIC_URL", "http://[::1]:8080", { publicUrl: "http://[::1]:8080" }],
  ["HUB_ACTIVE_WINDOW_SECS", "1", { activeWindowSecs: 1 }],
  ["HUB_ACTIVE_WINDOW_SECS", "2592000", { activeWindowSecs: 2_592_000 }],
  ["HUB_INBOX_ACTION_PER_AGENT", "0", { inboxActionPerAgent: 0 }],
  ["HUB_INBOX_ACTION_PER_PROJECT", "0", { inboxActionPerProject: 0 }],
  ["HUB_EVENTS_PER_PROJECT", "9007199254740991", { eventsPerProject: 9_007_199_254_740_991 }],
  ["HUB_ENROL", "off", { enrol: false }],
  ["HUB_ENROL_PENDING_MAX", "0", { enrolPendingMax: 0 }],
  ["HUB_ENROL_PENDING_TTL_SECS", "2592000", { enrolPendingTtlSecs: 2_592_000 }],
  ["HUB_ALLOWED_HOSTS", "nas, Hub.Example ,10.0.0.1,", { allowedHosts: ["nas", "hub.example", "10.0.0.1"] }],
  ["HUB_TRUST_PROXY", "127.0.0.1, 0:0:0::1 ,::ffff:10.0.0.7", { trustProxy: ["127.0.0.1", "::1", "10.0.0.7"] }],
  ["HUB_INTEGRITY_SAMPLE_SECS", "0", { integritySampleSecs: 0 }],
  ["HUB_NOTIFY_URL", "https://ntfy.lan/x?title=Agent+Hub", { notifyUrl: "https://ntfy.lan/x?title=Agent+Hub" }],
  ["HUB_NOTIFY_TOKEN", "tk_example", { notifyToken: "tk_example" }],
  ["HUB_NOTIFY_INTERVAL_SECS", "86400", { notifyIntervalSecs: 86_400 }],
  ["HUB_BACKUP_DIR", "./data-backups", { backupDir: "./data-backups" }],
  ["HUB_BACKUP_DIR", "./data/../backups", { backupDir: "./data/../backups" }],
  ["HUB_TAILNET_PORT", "443", {}],
  ["HUB_TAILNET_CONTROL_URL", "https://control.example/x", {}],
  ["HUB_SWEEP_INTERVAL_SECS", "1", { sweepIntervalSecs: 1 }],
  ["HUB_NO_SUCH_KEY", "x", {}],
  // [client] is not looked at.
  ["HUB_TIMEOUT", "never", {}],
];

describe("accepted", () => {
  test.each(accepted)("%s=%j", async (variable, value, expected) => {
    expect(await hubOf({ ...token, [variable]: value })).toEqual({ ...defaults, adminToken: "secret", ...expected });
  });
});

const refused: [variable: string, value: string, ...mentions: string[]][] = [
  ["HUB_BIND", "8080", "'8080'", "IP:port"],
  ["HUB_BIND", "localhost:8080", "'localhost:8080'"],
  ["HUB_BIND", "127.0.0.1", "'127.0.0.1'"],
  ["HUB_BIND", "127.0.0.1:65536", "65535"],
  ["HUB_BIND", "127.0.0.1:-1"],
  ["HUB_BIND", "127.0.0.1:"],
  ["HUB_BIND", "127.0.0.1:80:80"],
  ["HUB_BIND", "127.0.0.300:80"],
  ["HUB_BIND", "127.0.0.1.:80"],
  ["HUB_BIND", "127.1:80"],
  ["HUB_BIND", "::1:8080"],
  ["HUB_BIND", "[127.0.0.1]:8080"],
  ["HUB_BIND", "[::g]:8080"],
  ["HUB_DATA_DIR", "a\0b", "NUL"],
  ["HUB_ADMIN_TOKEN", "se\ncret", "control character"],
  ["HUB_PUBLIC_URL", "hub.example"],
  ["HUB_PUBLIC_URL", "ftp://hub.example"],
  ["HUB_PUBLIC_URL", "https://hub.example/x", "'https://hub.example/x'", "origin"],
  ["HUB_PUBLIC_URL", "https://hub.example//"],
  ["HUB_PUBLIC_URL", "https://hub.example/?"],
  ["HUB_PUBLIC_URL", "https://hub.example#"],
  ["HUB_PUBLIC_URL", "https://:80"],
  ["HUB_PUBLIC_URL", "https://hub.example:99999"],
  ["HUB_PUBLIC_URL", "https:hub.example"],
  ["HUB_ACTIVE_WINDOW_SECS", "0", "'0'", "from 1 to 2592000"],
  ["HUB_ACTIVE_WINDOW_SECS", "2592001", "'2592001'"],
  ["HUB_ACTIVE_WINDOW_SECS", "1.5", "'1.5'"],
  ["HUB_ACTIVE_WINDOW_SECS", "1e3", "'1e3'"],
  ["HUB_ACTIVE_WINDOW_SECS", "0x10", "'0x10'"],
  ["HUB_ACTIVE_WINDOW_SECS", "ten", "'ten'"],
  ["HUB_INBOX_ACTION_PER_AGENT", "-1", "'-1'", "from 0"],
  ["HUB_INBOX_ACTION_PER_PROJECT", "-1", "'-1'"],
  ["HUB_EVENTS_PER_PROJECT", "9007199254740993", "9007199254740991"],
  ["HUB_ENROL", "yes", "'yes'", "on or off"],
  ["HUB_ENROL", "ON", "'ON'"],
  ["HUB_ENROL_PENDING_MAX", "-1"],
  ["HUB_ENROL_PENDING_TTL_SECS", "0", "'0'"],
  ["HUB_ALLOWED_HOSTS", "nas, nas:8080", "'nas:8080'"],
  ["HUB_ALLOWED_HOSTS", "näs", "'näs'"],
  ["HUB_TRUST_PROXY", "127.0.0.1, 10.0.0.0/8", "'10.0.0.0/8'"],
  ["HUB_TRUST_PROXY", "proxy.lan", "'proxy.lan'"],
  ["HUB_TRUST_PROXY", "fe80::1%eth0", "'fe80::1%eth0'"],
  ["HUB_INTEGRITY_SAMPLE_SECS", "604801", "604800"],
  ["HUB_NOTIFY_INTERVAL_SECS", "0", "86400"],
  ["HUB_NOTIFY_TOKEN", "tök", "ASCII"],
  ["HUB_BACKUP_DIR", "./data", "'./data'", "data directory"],
  ["HUB_BACKUP_DIR", "data/x/../backups", "'data/x/../backups'"],
  ["HUB_TAILNET", "key", "no embedded tailnet"],
  ["HUB_TAILNET_PORT", "0", "65535"],
  ["HUB_TAILNET_CONTROL_URL", "control", "'control'"],
  ["HUB_SWEEP_INTERVAL_SECS", "0", "'0'"],
  ["HUB_SWEEP_INTERVAL_SECS", "0.5", "'0.5'"],
];

describe("refused, naming the variable and the value", () => {
  test.each(refused)("%s=%j", async (variable, value, ...mentions) => {
    const message = await messageOf(() => hubOf({ ...token, [variable]: value }));
    expect(message).toStartWith(`ConfigError: ${variable}`);
    expect(message).not.toContain("\n");
    for (const mention of mentions) expect(message).toContain(mention);
  });
});

test.each([
  ["HUB_NOTIFY_URL", "ntfy.lan/hidden-topic"],
  ["HUB_NOTIFY_URL", "https://user:hidden@ntfy.lan/x"],
  ["HUB_NOTIFY_URL", "https://ntfy.lan/hidden#x"],
  ["HUB_NOTIFY_TOKEN", "hidden\u00e9"],
  ["HUB_ADMIN_TOKEN", "hidden\u0007"],
  ["HUB_TAILNET", "hidden"],
  ["HUB_PUBLIC_URL", "https://user:hidden@hub.example"],
])("%s: the value is not repeated", async (variable, value) => {
  const message = await messageOf(() => hubOf({ ...token, [variable]: value }));
  expect(message).toStartWith(`ConfigError: ${variable}`);
  expect(message).not.toContain("hidden");
});

test.each([
  [{ HUB_BIND: "0.0.0.0:8080" }, "HUB_ADMIN_TOKEN is not set"],
  [{ HUB_BIND: "[::]:8080" }, "HUB_ADMIN_TOKEN is not set"],
  [{ HUB_TAILNET: "key" }, "HUB_ADMIN_TOKEN is not set"],
  // Keys come before cross-checks.
  [{ HUB_BIND: "0.0.0.0:8080", HUB_NOTIFY_INTERVAL_SECS: "0" }, "HUB_NOTIFY_INTERVAL_SECS"],
  // Keys in the order of the table.
  [{ HUB_ENROL: "x", HUB_ACTIVE_WINDOW_SECS: "x" }, "HUB_ACTIVE_WINDOW_SECS"],
])("%j: the first problem", async (env, expected) => {
  expect(await messageOf(() => hubOf(env))).toStartWith(`ConfigError: ${expected}`);
});

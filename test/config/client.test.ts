// Every key of [client] (config.md 5).
import { describe, expect, test } from "bun:test";
import { clientConfig, requiredUrl } from "../../src/config/client.ts";
import type { ClientConfig } from "../../src/config/settings.ts";
import { messageOf, settingsOf } from "../support/cli-config.ts";

const defaults: ClientConfig = { url: null, token: null, agentId: null, project: null, timeoutMs: 120_000 };

async function clientOf(env: Record<string, string>): Promise<ClientConfig> {
  return clientConfig(await settingsOf(env));
}

test("defaults, frozen", async () => {
  const config = await clientOf({});
  expect(config).toEqual(defaults);
  expect(Object.isFrozen(config)).toBe(true);
});

describe("accepted", () => {
  test.each<[string, string, Partial<ClientConfig>]>([
    ["HUB_URL", "http://127.0.0.1:8080", { url: "http://127.0.0.1:8080" }],
    ["HUB_URL", "https://hub.example/", { url: "https://hub.example" }],
    ["HUB_URL", "https://hub.example/hub///", { url: "https://hub.example/hub" }],
    ["HUB_TOKEN", " abc ", { token: "abc" }],
    ["HUB_TOKEN", "", {}],
    ["HUB_AGENT_ID", "my agent", { agentId: "my agent" }],
    ["HUB_PROJECT", "homelab", { project: "homelab" }],
    ["HUB_TIMEOUT", "30", { timeoutMs: 30_000 }],
    ["HUB_TIMEOUT", "0.25", { timeoutMs: 250 }],
    ["HUB_TIMEOUT", ".5", { timeoutMs: 500 }],
    ["HUB_TIMEOUT", "1e1", { timeoutMs: 10_000 }],
    ["HUB_TIMEOUT", "0.0000001", { timeoutMs: 1 }],
    ["HUB_TIMEOUT", "1e300", { timeoutMs: 2_147_483_647 }],
    // [hub] is not looked at.
    ["HUB_BIND", "nowhere", {}],
  ])("%s=%j", async (variable, value, expected) => {
    expect(await clientOf({ [variable]: value })).toEqual({ ...defaults, ...expected });
  });
});

describe("refused, naming the variable", () => {
  test.each([
    ["HUB_URL", "hub.example", "'hub.example'"],
    ["HUB_URL", "ws://hub.example", "'ws://hub.example'"],
    ["HUB_URL", "https://", "'https://'"],
    ["HUB_URL", "https://hub.example?x=1", "query"],
    ["HUB_URL", "https://hub.example/#x", "fragment"],
    ["HUB_TOKEN", "to\u0142ken", "header"],
    ["HUB_TOKEN", "to\nken", "header"],
    ["HUB_TIMEOUT", "0", "'0'"],
    ["HUB_TIMEOUT", "-1", "'-1'"],
    ["HUB_TIMEOUT", "Infinity", "'Infinity'"],
    ["HUB_TIMEOUT", "1e999", "'1e999'"],
    ["HUB_TIMEOUT", "NaN", "'NaN'"],
    ["HUB_TIMEOUT", "2 minutes", "'2 minutes'"],
  ])("%s=%j", async (variable, value, mention) => {
    const message = await messageOf(() => clientOf({ [variable]: value }));
    expect(message).toStartWith(`ConfigError: ${variable} `);
    expect(message).toContain(mention);
  });

  test("credentials in HUB_URL are not repeated", async () => {
    const message = await messageOf(() => clientOf({ HUB_URL: "https://user:hidden@hub.example" }));
    expect(message).toStartWith("ConfigError: HUB_URL ");
    expect(message).not.toContain("hidden");
  });
});

test.each([
  [{ HOME: "/home/a" }, "HUB_URL, or url under [client] in /home/a/.config/agent-hub/config.toml"],
  [{ HOME: "/home/a", HUB_CONFIG: "/x.toml" }, "HUB_URL, or url under [client] in /x.toml"],
  [{}, "no hub URL is configured; set HUB_URL"],
])("no URL names what to set: %j", async (env: Record<string, string>, expected) => {
  const settings = await settingsOf(env);
  expect(await messageOf(() => requiredUrl(clientConfig(settings), settings))).toEndWith(expected);
});

// `[hub]`, validated: every key in the order of config.md 4, then the cross-checks of config.md 7.
import { hostname } from "node:os";
import { isAbsolute, relative, resolve } from "node:path";
import { timerMsMax } from "../shared/limits.ts";
import { ConfigError, quoted } from "./config-error.ts";
import { dataDirOf } from "./data-dir.ts";
import { variable } from "./environment.ts";
import { canonicalIp, isLoopbackIp } from "./ip-address.ts";
import { badValue, findText, nameOf, type Settings, textOrDefault } from "./load.ts";
import type { Bind, HubConfig } from "./settings.ts";
import { describeWhole, entries, headerSafe, parseWhole, path, webUrl, wholeNumber } from "./values.ts";

export function hubConfig(settings: Settings): HubConfig {
  const config: HubConfig = {
    bind: bindOf(settings),
    dataDir: dataDirOf(settings),
    adminToken: adminTokenOf(settings),
    nodeName: nodeNameOf(settings),
    isNodeNamed: findText(settings, "node_name") !== undefined,
    publicUrl: publicUrlOf(settings),
    activeWindowSecs: wholeNumber(settings, "active_window_secs"),
    inboxActionPerAgent: wholeNumber(settings, "inbox_action_per_agent"),
    inboxActionPerProject: wholeNumber(settings, "inbox_action_per_project"),
    eventsPerProject: wholeNumber(settings, "events_per_project"),
    enrol: isEnrolOn(settings),
    enrolPendingMax: wholeNumber(settings, "enrol_pending_max"),
    enrolPendingTtlSecs: wholeNumber(settings, "enrol_pending_ttl_secs"),
    allowedHosts: allowedHostsOf(settings),
    trustProxy: trustProxyOf(settings),
    integritySampleSecs: wholeNumber(settings, "integrity_sample_secs"),
    notifyUrl: webUrl(settings, "notify_url", "any", true),
    notifyToken: headerSafe(settings, "notify_token"),
    notifyIntervalSecs: wholeNumber(settings, "notify_interval_secs"),
    backupDir: path(settings, "backup_dir"),
    sweepIntervalSecs: sweepIntervalOf(settings),
  };
  wholeNumber(settings, "tailnet_port");
  webUrl(settings, "tailnet_control_url", "any");
  crossCheck(settings, config);
  return Object.freeze(config);
}

/** The default of `node_name`, which is not a constant. */
export function nodeNameOf(settings: Settings): string {
  return findText(settings, "node_name") ?? hostname();
}

function crossCheck(settings: Settings, config: HubConfig): void {
  if (!config.bind.isLoopback && config.adminToken === null) {
    throw new ConfigError(
      `HUB_ADMIN_TOKEN is not set, and ${nameOf(settings, "bind")} ${textOrDefault(settings, "bind")} ` +
        "can be reached from other machines; set HUB_ADMIN_TOKEN, or bind a loopback address such as 127.0.0.1:8080",
    );
  }
  if (findText(settings, "tailnet") !== undefined) {
    if (config.adminToken === null) {
      throw new ConfigError(`HUB_ADMIN_TOKEN is not set, and ${nameOf(settings, "tailnet")} is; set HUB_ADMIN_TOKEN`);
    }
    throw badValue(settings, "tailnet", "is set, and this build has no embedded tailnet; unset HUB_TAILNET");
  }
  if (config.backupDir !== null && isInside(config.backupDir, config.dataDir)) {
    throw badValue(
      settings,
      "backup_dir",
      `is ${quoted(config.backupDir)}, inside the data directory ${quoted(config.dataDir)}; name a directory outside it`,
    );
  }
}

function isInside(inner: string, outer: string): boolean {
  const way = relative(resolve(outer), resolve(inner));
  return way === "" || !(way === ".." || way.startsWith("../") || isAbsolute(way));
}

function bindOf(settings: Settings): Bind {
  const text = textOrDefault(settings, "bind") ?? "";
  const parts = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  const [, bracketed, plain, digits = ""] = parts ?? [];
  const isIpv6 = bracketed?.includes(":") === true;
  const host = bracketed === undefined || isIpv6 ? (bracketed ?? plain ?? "") : "";
  const canonical = canonicalIp(host);
  const port = parseWhole(digits, { min: 0, max: 65_535 });
  if (canonical === undefined || port === undefined) {
    throw badValue(
      settings,
      "bind",
      `is ${quoted(text)}; give IP:port, IPv6 in brackets, port 0 to 65535, such as 127.0.0.1:8080 or [::1]:8080`,
    );
  }
  return Object.freeze({ host, port, isLoopback: isLoopbackIp(canonical) });
}

function adminTokenOf(settings: Settings): string | null {
  const text = findText(settings, "admin_token");
  if (text === undefined) return null;
  if (/\p{Cc}/u.test(text)) {
    throw badValue(settings, "admin_token", "holds a control character; use a token without any");
  }
  return text;
}

function publicUrlOf(settings: Settings): string | null {
  const text = findText(settings, "public_url");
  if (text === undefined) return null;
  const url = /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text) ? URL.parse(text) : null;
  if (url !== null) return url.origin;
  const value = text.includes("@") ? "is not usable" : `is ${quoted(text)}`;
  throw badValue(
    settings,
    "public_url",
    `${value}; give an origin only, http or https, host and optional port, such as https://hub.example`,
  );
}

function isEnrolOn(settings: Settings): boolean {
  const text = textOrDefault(settings, "enrol");
  if (text === "on") return true;
  if (text === "off") return false;
  throw badValue(settings, "enrol", `is ${quoted(text ?? "")}; give on or off`);
}

function allowedHostsOf(settings: Settings): readonly string[] {
  const hosts = entries(settings, "allowed_hosts").map((entry) => {
    if (/^[A-Za-z0-9.-]+$/.test(entry)) return entry.toLowerCase();
    throw badValue(
      settings,
      "allowed_hosts",
      `holds ${quoted(entry)}; give host names without port, of letters, digits, '.' and '-'`,
    );
  });
  return Object.freeze(hosts);
}

function trustProxyOf(settings: Settings): readonly string[] {
  const peers = entries(settings, "trust_proxy").map((entry) => {
    const address = canonicalIp(entry);
    if (address !== undefined) return address;
    throw badValue(settings, "trust_proxy", `holds ${quoted(entry)}; give IP addresses, no ranges and no names`);
  });
  return Object.freeze(peers);
}

function sweepIntervalOf(settings: Settings): number {
  const text = variable(settings.env, "HUB_SWEEP_INTERVAL_SECS") ?? "30";
  // Beyond this a timer of the runtime fires at once instead of late.
  const bounds = { min: 1, max: Math.floor(timerMsMax / 1000) };
  const value = parseWhole(text, bounds);
  if (value !== undefined) return value;
  throw new ConfigError(`HUB_SWEEP_INTERVAL_SECS is ${quoted(text)}; give ${describeWhole(bounds)}`);
}

// Who a request says it talks to: the origin for documents (rest-api.md 0.7) and the Host and Origin checks (0.8).
import type { HubConfig } from "../../config/settings.ts";
import { HubError } from "../../shared/errors.ts";

const safeHost = /^[A-Za-z0-9.:[\]-]{1,255}$/;

const first = (value: string | null): string => (value ?? "").split(",")[0]?.trim() ?? "";

/** For documents only, never for access decisions. `bound` is the address of the listener. */
export function originOf(request: Request, config: HubConfig, bound: string): string {
  if (config.publicUrl !== null) return config.publicUrl;
  const scheme = first(request.headers.get("x-forwarded-proto")).toLowerCase() === "https" ? "https" : "http";
  const forwarded = first(request.headers.get("x-forwarded-host"));
  const host = request.headers.get("host") ?? "";
  if (safeHost.test(forwarded)) return `${scheme}://${forwarded}`;
  return `${scheme}://${safeHost.test(host) ? host : bound}`;
}

/**
 * Refuses a page of another site that reaches the hub through the operator's browser.
 * @param peer socket address of the caller, when known
 * @throws HubError `forbidden`
 */
export function checkHostAndOrigin(request: Request, config: HubConfig, peer: string | null): void {
  const isTrustedPeer = peer !== null && config.trustProxy.includes(peer);
  const host = request.headers.get("host");
  if (config.bind.isLoopback && !isTrustedPeer && !isOwnHost(host, config)) throw refused("Host", host);
  const origin = request.headers.get("origin");
  if (origin === null) return;
  const forwardedHost = isTrustedPeer ? first(request.headers.get("x-forwarded-host")) : "";
  if (!isOwnOrigin(origin, [host ?? "", forwardedHost], config)) throw refused("Origin", origin);
}

function refused(header: string, value: string | null): HubError {
  return new HubError(
    "forbidden",
    `${header} ${JSON.stringify(value ?? "")} is not this hub; if it should be, name it in public_url or allowed_hosts`,
  );
}

function isOwnHost(host: string | null, config: HubConfig): boolean {
  const name = hostNameOf(`http://${host ?? ""}`);
  if (host === null || name === null) return false;
  return name === "localhost" || isIpLiteral(name) || ownNames(config).includes(name);
}

function isOwnOrigin(origin: string, hosts: readonly string[], config: HubConfig): boolean {
  const url = URL.parse(origin);
  if (url === null || url.host === "") return false;
  if (config.allowedHosts.includes(url.hostname)) return true;
  const publicUrl = config.publicUrl === null ? null : URL.parse(config.publicUrl);
  if (publicUrl !== null && portedHost(publicUrl) === portedHost(url)) return true;
  return hosts.some((host) => matchesHost(url, host));
}

// A Host without a port matches either default port, since TLS may end at a proxy.
function matchesHost(origin: URL, host: string): boolean {
  if (host === "") return false;
  const parsed = URL.parse(`http://${host}`);
  if (parsed === null || parsed.hostname !== origin.hostname) return false;
  const hasPort = /:\d+$/.test(host);
  return hasPort ? portedHost(origin) === `${parsed.hostname}:${parsed.port || "80"}` : origin.port === "";
}

function portedHost(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}

function hostNameOf(text: string): string | null {
  return URL.parse(text)?.hostname ?? null;
}

function ownNames(config: HubConfig): string[] {
  const named = config.publicUrl === null ? null : hostNameOf(config.publicUrl);
  return [...config.allowedHosts, ...(named === null ? [] : [named])];
}

function isIpLiteral(name: string): boolean {
  return name.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name);
}

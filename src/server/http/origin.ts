// Who a request says it talks to: the origin for documents (rest-api.md 0.7) and the Host and Origin checks (0.8).
import { canonicalIp } from "../../config/ip-address.ts";
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
  // What nearly every caller of a loopback address says, told without taking it apart.
  if (host !== null && /^(?:localhost|127\.0\.0\.1)(?::[1-5]?\d{1,4})?$/.test(host)) return true;
  const url = hostUrl(host ?? "");
  return url !== null && (url.hostname === "localhost" || isIpLiteral(url.hostname) || isNamed(url.hostname, config));
}

function isOwnOrigin(origin: string, hosts: readonly string[], config: HubConfig): boolean {
  const url = URL.parse(origin);
  if (url === null || url.host === "") return false;
  if (config.allowedHosts.includes(url.hostname)) return true;
  const publicUrl = config.publicUrl === null ? null : URL.parse(config.publicUrl);
  const own = [...(publicUrl === null ? [] : [ported(publicUrl)]), ...hosts.flatMap(portedForms)];
  return own.includes(ported(url));
}

// A Host without a port may stand for either default port, since TLS may end at a proxy.
function portedForms(host: string): string[] {
  const url = hostUrl(host);
  if (url === null) return [];
  return /:\d+$/.test(host) ? [ported(url)] : [`${url.hostname}:80`, `${url.hostname}:443`];
}

function ported(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}

// A Host header is a name or address with or without a port; anything else would be read as more than that.
function hostUrl(host: string): URL | null {
  return /^(?:[^\s@/?#\\[\]:]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?$/.test(host) ? URL.parse(`http://${host}`) : null;
}

function isNamed(name: string, config: HubConfig): boolean {
  const published = config.publicUrl === null ? undefined : URL.parse(config.publicUrl)?.hostname;
  return name === published || config.allowedHosts.includes(name);
}

function isIpLiteral(name: string): boolean {
  return name.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name);
}

/**
 * The address a request came from, for limits by source: the socket peer, or what a trusted proxy says of it, which is
 * the last hop it appended (rest-api.md 10). A body can never name it.
 */
export function clientOf(request: Request, config: HubConfig, peer: string | null): string | null {
  if (peer === null || !config.trustProxy.includes(peer)) return peer;
  const forwarded = request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  const named = forwarded === "" ? (request.headers.get("x-real-ip")?.trim() ?? "") : forwarded;
  return named === "" ? peer : (canonicalIp(named) ?? named);
}

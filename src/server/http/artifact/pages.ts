// Artifacts in a browser (rest-api.md 12): host page, frame and card, by plain address and by share link. Whoever knows
// an address that is open may read; every address that shows nothing answers alike.
import {
  decodeContent,
  findServed,
  findShared,
  isConcealed,
  listArtifactComments,
  listArtifactVersions,
  loadContent,
  type ReadVersion,
} from "../../../features/artifacts/index.ts";
import { invalid } from "../../../kernel/input.ts";
import type { HubError } from "../../../shared/errors.ts";
import type { Hub } from "../../hub.ts";
import { originOf } from "../origin.ts";
import { notFound } from "../problem.ts";
import { failure } from "../rest.ts";
import { appPolicy, documentHeaders } from "../static-files.ts";
import { cardSvg } from "./card.ts";
import { type FrameTheme, frameOf, receivingFrame } from "./frame-document.ts";
import { hostPage, missingPage } from "./host.ts";

const hostHeaders = {
  ...documentHeaders,
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  vary: "Host, X-Forwarded-Host, X-Forwarded-Proto",
  "content-security-policy": appPolicy,
};

const cardHeaders = {
  "content-type": "image/svg+xml",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "cross-origin-resource-policy": "cross-origin",
};

/** What an address found, and what its page needs to name it. */
type Found = ReadVersion & { path: string; shareToken: string | null; pass: string | null; isPinned: boolean };
type Finding = (request: Request, url: URL, takesPass: boolean) => Found | undefined;
type Answer = (request: Request) => Promise<Response>;

/** Paths served by GET and HEAD. */
export function artifactPages(hub: Hub, bound: () => string): Record<string, Answer> {
  const { services } = hub.kernel;

  function findPlain(_request: Request, url: URL, takesPass: boolean): Found | undefined {
    const version = versionOf(url);
    const isLive = flagOf(url, "live", ["yes", "on", ""]);
    const id = segmentOf(url);
    const served = findServed(services.db, id, { version, isLive });
    if (served === undefined) return undefined;
    const found = { ...served, path: `artifacts/${id}`, shareToken: null, isPinned: version !== undefined };
    if (!isConcealed(services.db, served.artifact, served.version)) return { ...found, pass: null };
    const pass = url.searchParams.get("pass");
    if (!takesPass || pass === null) return undefined;
    return hub.opensConcealed(served.artifact.id, pass) ? { ...found, pass } : undefined;
  }

  function findByLink(_request: Request, url: URL): Found | undefined {
    const token = segmentOf(url);
    const shared = findShared(services.db, token);
    if (shared === undefined) return undefined;
    return { ...shared, path: `s/${token}`, shareToken: token, pass: null, isPinned: false };
  }

  function host(find: Finding): Answer {
    return async (request) => {
      try {
        const found = find(request, new URL(request.url), true);
        if (found === undefined) return missing(request, notFound());
        const html = await hostOf(found, originOf(request, hub.config, bound()));
        return new Response(html, { headers: hostHeaders });
      } catch (error) {
        return missing(request, failure(hub, error));
      }
    };
  }

  async function hostOf(found: Found, origin: string): Promise<string> {
    const { artifact, version, shareToken } = found;
    const isPlain = version.envelope === null;
    const { db } = services;
    return hostPage({
      ...found,
      origin,
      now: services.now(),
      versions: isPlain && shareToken === null ? listArtifactVersions(db, artifact.id).toReversed() : null,
      comments: isPlain ? listArtifactComments(db, artifact.id) : [],
      ciphertext: isPlain ? null : decodeContent(await loadContent(services, version)),
    });
  }

  function frame(find: Finding): Answer {
    return async (request) => {
      try {
        const url = new URL(request.url);
        const found = find(request, url, true);
        if (found === undefined) return notFound();
        const { artifact, version } = found;
        const theme: FrameTheme = url.searchParams.get("theme") === "dark" ? "dark" : "light";
        const isAlone = request.headers.get("sec-fetch-dest") === "document";
        const shown = { kind: artifact.kind, title: artifact.title, theme, isAlone };
        const isReceiving = flagOf(url, "receive", []);
        if (isReceiving !== (version.envelope !== null)) throw wrongFrame(isReceiving);
        if (isReceiving) return receivingFrame(shown, flagOf(url, "diagrams", []));
        return frameOf(shown, await loadContent(services, version));
      } catch (error) {
        return failure(hub, error);
      }
    };
  }

  function card(find: Finding): Answer {
    return async (request) => {
      try {
        const found = find(request, new URL(request.url), false);
        if (found === undefined) return notFound();
        const { artifact, version } = found;
        const isPlain = version.envelope === null;
        const description = isPlain ? artifact.description : "";
        const note = isPlain ? `v${version.version} · ${artifact.projectId}` : "Protected: opens with its password";
        return new Response(cardSvg({ title: artifact.title, description, note }), { headers: cardHeaders });
      } catch (error) {
        return failure(hub, error);
      }
    };
  }

  return {
    "/artifacts/:id": host(findPlain),
    "/artifacts/:id/frame": frame(findPlain),
    "/artifacts/:id/og.svg": card(findPlain),
    "/s/:token": host(findByLink),
    "/s/:token/frame": frame(findByLink),
    "/s/:token/og.svg": card(findByLink),
  };
}

// One page for a browser, whatever went wrong; the status tells the rest.
function missing(request: Request, refusal: Response): Response {
  if (!(request.headers.get("accept") ?? "").toLowerCase().includes("text/html")) return refusal;
  return new Response(missingPage(), { status: refusal.status, headers: hostHeaders });
}

function wrongFrame(isReceiving: boolean): HubError {
  return isReceiving
    ? invalid("receive", "1", "a protected version; this one is plain")
    : invalid("version", "protected", "receive=1, since only who holds the password can read it");
}

/** The id or the token: the second part of the path. */
function segmentOf(url: URL): string {
  const segment = url.pathname.split("/")[2] ?? "";
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    throw Object.assign(invalid("path", segment, "a percent-encoded UTF-8 text"), { cause: error });
  }
}

function versionOf(url: URL): number | undefined {
  const text = url.searchParams.get("version") ?? "";
  if (text === "") return undefined;
  const version = Number(text);
  if (!/^-?\d+$/.test(text) || version < 1) throw invalid("version", text, "a whole number from 1");
  return version;
}

/** @param more further words for yes */
function flagOf(url: URL, name: string, more: readonly string[]): boolean {
  const text = url.searchParams.get(name);
  if (text === null || (text === "" && !more.includes(""))) return false;
  if (text === "1" || text === "true" || more.includes(text)) return true;
  if (text === "0" || text === "false") return false;
  throw invalid(name, text, "1 or 0");
}

// What is served without a token: the front page, the guide, the probes (rest-api.md 19, 21, 22).
import { version } from "../../shared/build.ts";
import { HubError } from "../../shared/errors.ts";
import { freeSpaceMarginBytes } from "../../shared/limits.ts";
import type { Hub } from "../hub.ts";
import { bootstrapGuide } from "../mcp/guide.ts";
import style from "./front-page.css" with { type: "text" };
import pageText from "./front-page.html" with { type: "text" };
import { originOf } from "./origin.ts";
import { problem } from "./problem.ts";

// Imported as text; the types of Bun know HTML files only as bundles.
const page = String(pageText);

const documentHeaders = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
const originHeaders = { "cache-control": "no-store", vary: "Host, X-Forwarded-Host, X-Forwarded-Proto" };

/** Paths served as they are, by GET and HEAD. */
export function pages(hub: Hub, bound: () => string): Record<string, (request: Request) => Response> {
  const { config } = hub;
  return {
    "/": (request) =>
      new Response(frontPage(originOf(request, config, bound()), config.nodeName), {
        headers: { "content-type": "text/html; charset=utf-8", ...documentHeaders, ...originHeaders },
      }),
    "/front-page.css": () => new Response(style, { headers: { "content-type": "text/css; charset=utf-8" } }),
    "/bootstrap/SKILL.md": (request) =>
      new Response(bootstrapGuide(originOf(request, config, bound())), {
        headers: { "content-type": "text/markdown; charset=utf-8", ...originHeaders },
      }),
    "/healthz": () => new Response("ok", { headers: { "content-type": "text/plain; charset=utf-8" } }),
    "/readyz": () => readyz(hub),
  };
}

function frontPage(origin: string, node: string): string {
  const values = { origin, node, version };
  return Object.entries(values).reduce(
    (text, [key, value]) => text.replaceAll(`{{${key}}}`, () => escaped(value)),
    page,
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function readyz(hub: Hub): Response {
  const readiness = hub.readiness();
  if (!readiness.ready) return problem(new HubError("unavailable", `not ready: ${readiness.reason}`));
  return Response.json({
    status: "ready",
    schema_version: readiness.schemaVersion,
    supported_max: readiness.supportedMax,
    free_bytes: readiness.freeBytes,
    free_space_margin_bytes: freeSpaceMarginBytes,
  });
}

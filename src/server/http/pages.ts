// What is served without a token: the app, artifacts, the guide, the probes (rest-api.md 12, 19, 21, 22).
import { HubError } from "../../shared/errors.ts";
import { freeSpaceMarginBytes } from "../../shared/limits.ts";
import type { Hub } from "../hub.ts";
import { bootstrapGuide } from "../mcp/guide.ts";
import { artifactPages } from "./artifact/pages.ts";
import { originOf } from "./origin.ts";
import { problem } from "./problem.ts";
import { staticFiles } from "./static-files.ts";

const originHeaders = { "cache-control": "no-store", vary: "Host, X-Forwarded-Host, X-Forwarded-Proto" };

type Answer = (request: Request) => Response | Promise<Response>;

/** Paths served as they are, by GET and HEAD. */
export function pages(hub: Hub, bound: () => string): Record<string, Answer> {
  const { config } = hub;
  return {
    ...staticFiles(config.isNodeNamed ? config.nodeName : null),
    ...artifactPages(hub, bound),
    "/bootstrap/SKILL.md": (request) =>
      new Response(bootstrapGuide(originOf(request, config, bound())), {
        headers: { "content-type": "text/markdown; charset=utf-8", ...originHeaders },
      }),
    "/healthz": () => new Response("ok", { headers: { "content-type": "text/plain; charset=utf-8" } }),
    "/readyz": () => readyz(hub),
  };
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

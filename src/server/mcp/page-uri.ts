// The address of a page as a resource (mcp-tools.md 18.1): each segment percent-encoded, joined with `/`.
import { canonicalPagePath } from "../../features/knowledge/index.ts";

/** What begins with it names a page, or is wrong. */
export const pageUriPrefix = "agenthub://kb/";
export const pageUriTemplate = `${pageUriPrefix}{project_id}/{+path}`;
export const pageUriExpected = `${pageUriPrefix}<project_id>/<path under /fs/>, each segment percent-encoded`;

export type PageName = { projectId: string; path: string };

const root = "/fs/";
const encoded = /[^!$&'()*+,\-.0-9:;=@A-Z_a-z~]+/gu;

/** @param path canonical */
export function pageUri({ projectId, path }: PageName): string {
  return pageUriPrefix + [projectId, ...path.slice(root.length).split("/")].map(encodeSegment).join("/");
}

function encodeSegment(segment: string): string {
  return segment.replace(encoded, encodeURIComponent);
}

/** Undefined for what names no page: no project, no path, bad encoding, a path that the store refuses. */
export function parsePageUri(uri: string): PageName | undefined {
  if (!uri.startsWith(pageUriPrefix)) return undefined;
  const segments = decoded(uri.slice(pageUriPrefix.length).split("/"));
  if (segments === undefined) return undefined;
  const [projectId = "", ...below] = segments;
  const path = canonicalPagePath(root + below.join("/"));
  return projectId === "" || !projectId.isWellFormed() || path === undefined ? undefined : { projectId, path };
}

function decoded(segments: readonly string[]): string[] | undefined {
  try {
    return segments.map(decodeURIComponent);
  } catch {
    // A `%` without two hex digits, or bytes that are no UTF-8.
    return undefined;
  }
}

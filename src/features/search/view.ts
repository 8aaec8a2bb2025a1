// How hits are shown: grouped by family, best group first, ranked inside (mcp-tools.md 17.33, rest-api.md 15).
import { timestamp } from "../../kernel/clock.ts";
import { isObject } from "../../shared/json.ts";
import { searchSnippetChars } from "../../shared/limits.ts";
import type { SearchHitView, SearchView } from "../../shared/views.ts";
import type { SearchResult } from "./operations.ts";
import type { HitRow } from "./store.ts";

export function viewSearch({ hits, isTruncated, tookMs }: SearchResult): SearchView {
  const groups = Map.groupBy(hits, (hit) => hit.family);
  return {
    count: hits.length,
    truncated: isTruncated,
    took_ms: tookMs,
    groups: [...groups].map(([kind, members]) => ({ kind, count: members.length, hits: members.map(viewHit) })),
  };
}

function viewHit(hit: HitRow): SearchHitView {
  const common = {
    project_id: hit.project_id,
    project_display_name: hit.display_name,
    kind: hit.family,
    ref_id: hit.ref_id,
    updated_at: timestamp(hit.updated_at),
  };
  if (hit.family === "feed") {
    return {
      ...common,
      doc_id: `event:${hit.ref_id}`,
      session_id: null,
      title: hit.event_summary,
      snippet: cut(eventText(hit)),
      ...(hit.event_kind === null ? {} : { event_kind: hit.event_kind }),
      ...(hit.event_actor === null ? {} : { actor: hit.event_actor }),
    };
  }
  return {
    ...common,
    doc_id: docId(hit),
    session_id: hit.session_id,
    title: hit.title,
    snippet: cut(hit.snippet ?? ""),
    ...(hit.artifact_version === null ? {} : { version: hit.artifact_version }),
    ...(hit.artifact_size === null ? {} : { size_bytes: hit.artifact_size }),
    ...(hit.session_name === null ? {} : { session_name: hit.session_name }),
    ...(hit.session_status === null ? {} : { session_status: hit.session_status }),
  };
}

function docId(hit: HitRow): string {
  if (hit.family === "brain") return `brain:${hit.session_id}:${hit.ref_id}`;
  return hit.family === "kb" ? `kb:${hit.project_id}:${hit.ref_id}` : `artifact:${hit.ref_id}`;
}

// A payload's body is what lists show; other payload text is searched and never shown.
function eventText(hit: HitRow): string {
  const payload: unknown = hit.event_payload === null ? null : JSON.parse(hit.event_payload);
  const body = isObject(payload) ? payload["body"] : undefined;
  return typeof body === "string" && body.trim() !== "" ? body : (hit.event_summary ?? "");
}

function cut(text: string): string {
  // Texts reach hundreds of kilobytes, and a character takes two units at most.
  const characters = [...text.slice(0, (searchSnippetChars + 1) * 2)];
  return characters.length <= searchSnippetChars ? text : `${characters.slice(0, searchSnippetChars).join("")}…`;
}

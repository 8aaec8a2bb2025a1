// The knowledge base over REST: its rows of the shared table of calls, and what they answer (rest-api.md 13).
import type { CallSpec } from "./api.ts";
import type { Json } from "./json.ts";

export const pageOps = ["kb.put", "kb.delete", "kb.review", "kb.promote", "kb.revert"] as const;
export type PageOp = (typeof pageOps)[number];

const base = "/api/v1/projects/:id/kb";
const read = { method: "GET", auth: "operator", status: 200, body: "none", strictQuery: true } as const;
const act = {
  method: "POST",
  auth: "operator",
  status: 200,
  body: "json",
  strictQuery: true,
  strictBody: true,
} as const;
const remove = { method: "DELETE", auth: "operator", status: 200, body: "none", strictQuery: true } as const;

export const knowledgeCalls = {
  listPages: {
    ...read,
    path: `${base}/pages`,
    query: { prefix: "text", limit: "integer", meta: "flag" },
  },
  getPage: { ...read, path: `${base}/pages/*`, query: { version: "text" } },
  putPage: { ...act, method: "PUT", path: `${base}/pages/*`, body: "text", query: { if_version: "text" } },
  deletePage: { ...remove, path: `${base}/pages/*`, query: { if_version: "text" } },
  reviewPage: { ...act, path: `${base}/pages/*/review`, body: "optional" },
  revertPage: { ...act, path: `${base}/pages/*/revert` },
  promoteEntry: { ...act, path: `${base}/promote` },
  listPageLog: {
    ...read,
    path: `${base}/history`,
    query: { path: "text", prefix: "text", actor: "text", op: "text", before: "integer", limit: "integer" },
  },
  listPageVersions: {
    ...read,
    path: `${base}/versions`,
    query: { path: "text", before: "integer", limit: "integer" },
  },
  forgetVersions: { ...remove, path: `${base}/versions`, query: { path: "text", plan: "flag" } },
  listBacklinks: { ...read, path: `${base}/backlinks`, query: { path: "text" } },
  lintPages: { ...read, path: `${base}/lint`, query: { fresh: "flag" } },
  getPageStats: { ...read, path: `${base}/stats` },
  listPageComments: { ...read, path: `${base}/comments`, query: { path: "text" } },
  postPageComment: { ...act, path: `${base}/comments`, status: 201 },
  markPageComment: { ...act, path: `${base}/comments/:comment_id/done` },
  deletePageComment: { ...remove, path: `${base}/comments/:comment_id`, status: 204 },
} as const satisfies Record<string, CallSpec>;

export type TrustView = "unverified" | "human_reviewed" | "machine_confirmed" | "edited_since_review";

export type DirectoryView = { path: string; type: "dir"; size_bytes: number; children: number };
export type FileView = { path: string; type: "file"; size_bytes: number; children: null };

export type PageView = FileView & {
  title: string | null;
  description: string | null;
  page_type: string | null;
  status: string | null;
  tags: string[] | null;
  trust: TrustView;
  verified_by: string | null;
  verified_at: string | null;
  stale: boolean;
  stale_after: string | null;
  last_write_by: string | null;
  last_write_at: string | null;
};

export type FindingView = { code: string; path: string; message: string; line?: number; meta?: PageView };

export type WrittenPageView = {
  ok: true;
  path: string;
  version: string;
  size_bytes: number;
  lint: FindingView[];
  warnings: string[];
};

export type PageVersionView = {
  id: number;
  op: PageOp;
  actor: string;
  at: string;
  version: string | null;
  size_bytes: number | null;
  summary: string;
  kept: boolean;
  current: boolean;
};

export type VersionsView = {
  path: string;
  current_version: string | null;
  versions: PageVersionView[];
  total: number;
  next_before: number | null;
  truncated: boolean;
};

export type PageCommentView = {
  id: string;
  project_id: string;
  path: string;
  author: string;
  body: string;
  anchor: Json;
  done: boolean;
  created_at: string;
};

type ReadPageView = { path: string; content: string; version: string; size_bytes: number };

export type KnowledgeAnswers = {
  listPages: { entries: (DirectoryView | FileView | PageView)[]; truncated: boolean };
  getPage: ReadPageView &
    ({ last_write: { actor: string; at: string } } | { current: boolean; at: string; actor: string });
  putPage: WrittenPageView;
  deletePage: { ok: true; path: string };
  reviewPage: { ok: true; path: string; version: string };
  revertPage: WrittenPageView & { changed: boolean };
  promoteEntry: { ok: true; path: string; version: string; lint: FindingView[] };
  listPageLog: {
    rows: { op: PageOp; path: string; actor: string; at: string; version: string | null }[];
    total: number;
    next_before: number | null;
    truncated: boolean;
  };
  listPageVersions: VersionsView;
  forgetVersions: {
    ok: true;
    path: string;
    versions_forgotten: number;
    bytes_forgotten: number;
    unreferenced_forgotten: 0;
  };
  listBacklinks: { path: string; title: string }[];
  lintPages: { checked_at: string; findings: FindingView[] };
  getPageStats: {
    pages: number;
    bytes: number;
    unverified: number;
    stale: number;
    last_change_at: string | null;
    last_change_by: string | null;
    needs_review: { unverified: number; machine_confirmed: number; edited_since_review: number; total: number };
  };
  listPageComments: { comments: PageCommentView[] };
  postPageComment: { comment: PageCommentView };
  markPageComment: { comment: PageCommentView };
  deletePageComment: undefined;
};

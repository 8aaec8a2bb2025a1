// Calls and views of artifacts (rest-api.md 11), for both sides.
import type { CallSpec } from "./api.ts";
import type { JsonObject } from "./json.ts";

export const artifactKinds = ["html", "markdown"] as const;
export type ArtifactKind = (typeof artifactKinds)[number];

/** Whether a version is being written now (rest-api.md 11). */
export type LiveState = "live" | "idle" | "sealed";

const one = "/api/v1/artifacts/:id";
const comment = `${one}/comments/:comment_id`;
const read = { method: "GET", auth: "operator", status: 200, body: "none" } as const;

export const artifactCalls = {
  listArtifacts: {
    ...read,
    path: "/api/v1/projects/:id/artifacts",
    query: { session: "text", session_id: "text" },
  },
  listSessionArtifacts: { ...read, path: "/api/v1/artifacts", query: { session: "text" } },
  getArtifact: { ...read, path: one, query: { version: "integer" } },
  deleteArtifact: { ...read, method: "DELETE", path: one },
  listArtifactVersions: { ...read, path: `${one}/versions` },
  getArtifactRaw: { ...read, path: `${one}/raw`, query: { version: "integer" }, answersText: true },
  getArtifactLive: { ...read, path: `${one}/live` },
  getViewerPass: { ...read, path: `${one}/viewer-pass` },
  getShare: { ...read, path: `${one}/share` },
  createShare: { ...read, method: "POST", path: `${one}/share`, body: "optional" },
  revokeShare: { ...read, method: "DELETE", path: `${one}/share`, status: 204 },
  listArtifactComments: { ...read, path: `${one}/comments` },
  postArtifactComment: { ...read, method: "POST", path: `${one}/comments`, body: "json" },
  resolveArtifactComment: { ...read, method: "PATCH", path: comment, body: "json" },
  deleteArtifactComment: { ...read, method: "DELETE", path: comment },
} as const satisfies Record<string, CallSpec>;

export type Anchor = { mode: "point"; x: number; y: number } | { mode: "text"; quote: string };

export type ArtifactView = {
  id: string;
  project_id: string;
  session_id: string | null;
  actor: string | null;
  title: string;
  description: string;
  label: string | null;
  kind: ArtifactKind;
  version: number;
  protected: boolean;
  envelope: JsonObject | null;
  size_bytes: number;
  created_at: string;
  updated_at: string;
  live_version: number | null;
  live_rev: number;
  live_session: string | null;
  comments_count: number;
  comments_open: number;
};

export type ListedArtifactView = ArtifactView & {
  /** The opening words; of plain markdown only. */
  excerpt?: string;
};

export type ArtifactContentView = ArtifactView & {
  content: string;
  /** The version returned is the live one. */
  live: boolean;
};

export type ArtifactVersionView = {
  version: number;
  title: string;
  description: string;
  kind: ArtifactKind;
  label: string | null;
  protected: boolean;
  envelope: JsonObject | null;
  size_bytes: number;
  live: boolean;
  actor: string | null;
  created_at: string;
};

export type ArtifactCommentView = {
  id: string;
  artifact_id: string;
  author: string;
  body: string;
  anchor: Anchor | null;
  anchor_version: number;
  done: boolean;
  created_at: string;
};

export type ShareView = { token: string; url: string; version: number; created_at: string };

export type ArtifactAnswers = {
  listArtifacts: { artifacts: ListedArtifactView[] };
  listSessionArtifacts: { artifacts: ListedArtifactView[] };
  getArtifact: ArtifactContentView;
  deleteArtifact: { ok: true };
  listArtifactVersions: { versions: ArtifactVersionView[] };
  /** The bytes of a plain version, or what opens a protected one. */
  getArtifactRaw: Uint8Array | { envelope: JsonObject; ciphertext: string };
  getArtifactLive: {
    state: LiveState;
    version: number | null;
    live_rev: number;
    session_id: string | null;
    actor: string | null;
  };
  getViewerPass: { pass: string };
  getShare: ShareView;
  createShare: ShareView;
  revokeShare: undefined;
  listArtifactComments: { comments: ArtifactCommentView[] };
  postArtifactComment: ArtifactCommentView;
  resolveArtifactComment: ArtifactCommentView;
  deleteArtifactComment: { ok: true };
};

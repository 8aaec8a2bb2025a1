// How artifacts, versions, comments and share links are shown, to agents and to the operator alike.
import { timestamp } from "../../kernel/clock.ts";
import type {
  ArtifactCommentView,
  ArtifactContentView,
  ArtifactVersionView,
  ArtifactView,
  ListedArtifactView,
} from "../../shared/artifacts.ts";
import type { ArtifactComment } from "./comment-store.ts";
import type { ReadVersion, VersionList } from "./reading.ts";
import type { ArtifactRecord } from "./store.ts";
import type { Content } from "./text.ts";

export function viewArtifact(artifact: ArtifactRecord, version = artifact.current): ArtifactView {
  return {
    id: artifact.id,
    project_id: artifact.projectId,
    session_id: artifact.sessionId,
    actor: artifact.actor,
    title: artifact.title,
    description: artifact.description,
    label: version.label,
    kind: artifact.kind,
    version: version.version,
    protected: version.envelope !== null,
    envelope: version.envelope,
    size_bytes: version.size,
    created_at: timestamp(artifact.createdAt),
    updated_at: timestamp(artifact.updatedAt),
    live_version: artifact.live?.version ?? null,
    live_rev: artifact.live?.rev ?? 0,
    live_session: artifact.live?.sessionId ?? null,
    comments_count: artifact.comments,
    comments_open: artifact.commentsOpen,
  };
}

/** As a list shows it to the operator. */
export function viewListed(artifact: ArtifactRecord): ListedArtifactView {
  const { excerpt } = artifact.current;
  const hasExcerpt = artifact.kind === "markdown" && excerpt !== null && excerpt !== "";
  return { ...viewArtifact(artifact), ...(hasExcerpt ? { excerpt } : {}) };
}

export function viewVersions({ artifact, versions }: VersionList): ArtifactVersionView[] {
  return versions.map((version) => ({
    version: version.version,
    title: artifact.title,
    description: artifact.description,
    kind: artifact.kind,
    label: version.label,
    protected: version.envelope !== null,
    envelope: version.envelope,
    size_bytes: version.size,
    live: artifact.live?.version === version.version,
    actor: version.actor,
    created_at: timestamp(version.createdAt),
  }));
}

/** One version with its content. A version that was named shows its own times; counts and publisher are the artifact's. */
export function viewContent({
  artifact,
  version,
  isNamed,
  content,
}: ReadVersion & { isNamed: boolean; content: Content }): ArtifactContentView {
  return {
    ...viewArtifact(artifact, version),
    ...(isNamed ? { created_at: timestamp(version.createdAt) } : {}),
    content: onWire(content),
    live: artifact.live?.version === version.version,
  };
}

/** Content as the views name it. */
export function onWire(content: Content): string {
  // A large text is a string once it is JSON, and the surfaces write it so.
  return content as string;
}

export function viewComment(comment: ArtifactComment): ArtifactCommentView {
  return {
    id: comment.id,
    artifact_id: comment.artifactId,
    author: comment.author,
    body: comment.body,
    anchor: comment.anchor,
    anchor_version: comment.anchorVersion,
    done: comment.isDone,
    created_at: timestamp(comment.createdAt),
  };
}

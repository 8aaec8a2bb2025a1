// What is said of artifacts: to the feed, to the operator's stream, and to whoever collects bytes.
import type { Ctx, Tx } from "../../kernel/ctx.ts";
import { defineFact } from "../../kernel/facts.ts";
import { sessionOfWrite } from "../connections/index.ts";
import { appendEvent } from "../events/index.ts";
import type { ArtifactRecord } from "./store.ts";

/** Versions that named these blobs are gone or name others; said in that job. Something else may name them still. */
export const contentReleased = defineFact<{ blobs: readonly string[] }>("content_released");

type Told = Pick<ArtifactRecord, "id" | "projectId" | "title" | "kind" | "current">;

/** Appends the event of a publish, an update or a delete, and wakes who looks at the artifact or its list. */
export function announce(tx: Tx, ctx: Ctx, action: "published" | "updated" | "deleted", artifact: Told): void {
  const isDeleted = action === "deleted";
  const { current } = artifact;
  appendEvent(tx, {
    projectId: artifact.projectId,
    kind: "artifact",
    actor: ctx.principal.actor,
    summary: `${action} ${artifact.title}`,
    payload: {
      action,
      artifact_id: artifact.id,
      title: artifact.title,
      kind: artifact.kind,
      version: current.version,
      protected: current.envelope !== null,
      label: current.label,
    },
    sessionId: isDeleted ? null : sessionOfWrite(tx, ctx, artifact.projectId),
    ceiling: isDeleted ? "exempt" : "held",
  });
  tx.wake(`artifacts:${artifact.projectId}`, `artifact:${artifact.id}`);
}

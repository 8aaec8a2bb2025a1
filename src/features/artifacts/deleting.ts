// Deleting an artifact with everything that hangs off it (artifacts.md 9). There is no way back.
import { writeOperation } from "../../kernel/operation.ts";
import { dropReplayKeys } from "../events/index.ts";
import { requireArtifact, writesArtifact } from "./access.ts";
import { dropFromIndex } from "./document.ts";
import { announce, contentReleased } from "./events.ts";
import { ArtifactRef } from "./schema.ts";
import { deleteArtifactRow } from "./store.ts";

export const deleteArtifact = writeOperation({
  name: "deleteArtifact",
  input: ArtifactRef,
  access: writesArtifact,
  run(tx, ctx, input) {
    const artifact = requireArtifact({ ...ctx, db: tx.db }, "write", input.artifact_id);
    tx.emit(contentReleased, { blobs: deleteArtifactRow(tx.db, artifact.id) });
    dropReplayKeys(tx.db, {
      scope: artifact.projectId,
      targeted: { operations: ["artifact:update", "comment"], target: artifact.id },
      resulted: { operation: "artifact:publish", member: "artifactId", value: artifact.id },
    });
    dropFromIndex(tx.db, artifact);
    announce(tx, ctx, "deleted", artifact);
    tx.wake("storage");
    return { artifactId: artifact.id };
  },
});

// Which artifact a call means and whether the caller may use it so: missing and denied read the same to an agent.
import type { Access, Who } from "../../kernel/operation.ts";
import { can, missing } from "../projects/index.ts";
import { type ArtifactRecord, findArtifact } from "./store.ts";

type Ref = { artifact_id: string };

/** @throws HubError the shared denial for an agent, `not_found` for the operator */
export function requireArtifact(
  who: Pick<Who, "db" | "principal">,
  permission: "read" | "write",
  id: string,
): ArtifactRecord {
  const artifact = findArtifact(who.db, id);
  if (artifact === undefined || !can(who, permission, artifact.projectId)) {
    throw missing(who.principal, `artifact ${JSON.stringify(id)}`);
  }
  return artifact;
}

export const readsArtifact: Access<Ref> = (who, input) => {
  requireArtifact(who, "read", input.artifact_id);
};
export const writesArtifact: Access<Ref> = (who, input) => {
  requireArtifact(who, "write", input.artifact_id);
};

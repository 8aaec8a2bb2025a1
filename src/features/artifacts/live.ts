// Who holds a version live (artifacts.md 3): a session that runs and was at work lately. One that no longer does holds
// nothing, even before the sweep has cleared its pointer.
import type { Ctx, Services } from "../../kernel/ctx.ts";
import { readOperation } from "../../kernel/operation.ts";
import type { LiveState } from "../../shared/artifacts.ts";
import { HubError } from "../../shared/errors.ts";
import { activeSession } from "../connections/index.ts";
import { operatorOnly } from "../projects/index.ts";
import { readsArtifact, requireArtifact } from "./access.ts";
import { ArtifactRef } from "./schema.ts";
import { type ArtifactRecord, clearLive, findHolder, type Holder, listAbandoned } from "./store.ts";

function activeSince(config: Services["config"], now: number): number {
  return now - config.activeWindowSecs * 1000;
}

/** The session that holds the artifact's live version; undefined when none does. */
export function holderOf(ctx: Pick<Ctx, "db" | "config">, artifact: ArtifactRecord, now: number): Holder | undefined {
  const holder = findHolder(ctx.db, artifact);
  return holder?.isRunning && holder.lastActivity >= activeSince(ctx.config, now) ? holder : undefined;
}

/** @throws HubError `conflict` `{live_session, agent}` when another session holds the live version */
export function holdLive(ctx: Ctx, artifact: ArtifactRecord, now: number): void {
  const holder = holderOf(ctx, artifact, now);
  const own = activeSession(ctx, ctx.db);
  if (holder === undefined || own?.projectId !== artifact.projectId || own.id === holder.sessionId) return;
  throw new HubError(
    "conflict",
    `${holder.agent} is writing version ${artifact.live?.version} now; wait, or send force; live_session=${holder.sessionId}`,
    { live_session: holder.sessionId, agent: holder.agent },
  );
}

export type LiveReading = { artifact: ArtifactRecord; state: LiveState; agent: string | null };

export const readLive = readOperation({
  name: "readLive",
  input: ArtifactRef,
  access: (who, input) => {
    operatorOnly(who, input);
    readsArtifact(who, input);
  },
  run(ctx, input): LiveReading {
    const artifact = requireArtifact(ctx, "read", input.artifact_id);
    const agent = findHolder(ctx.db, artifact)?.agent ?? artifact.actor;
    return { artifact, state: liveState(ctx, artifact, ctx.now()), agent };
  },
});

/** Whether a version of the artifact is being written. */
function liveState(ctx: Pick<Ctx, "db" | "config">, artifact: ArtifactRecord, now: number): LiveState {
  if (artifact.live === null) return "sealed";
  return holderOf(ctx, artifact, now) === undefined ? "idle" : "live";
}

/** Clears the pointers of sessions that hold no more; what they wrote stays, as never published. */
export async function sweepAbandoned(services: Services): Promise<void> {
  const since = activeSince(services.config, services.now());
  if (listAbandoned(services.db, since).length === 0) return;
  await services.write((tx) => {
    for (const { id, project_id } of listAbandoned(tx.db, activeSince(tx.config, tx.now))) {
      clearLive(tx.db, id);
      tx.wake(`artifact:${id}`, `artifacts:${project_id}`);
    }
  });
}

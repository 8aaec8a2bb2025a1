// Opening, finding and ending connections. They are rows, so they survive a restart of the hub.
import type { ConnectionRef, Ctx, Services, Tx } from "../../kernel/ctx.ts";
import { connectionIdleMs } from "../../shared/limits.ts";
import type { Db } from "../../storage/database.ts";
import {
  deleteConnection,
  deleteIdleConnection,
  deleteIdleConnections,
  findActiveSession,
  findConnection,
  markConnectionUsed,
  upsertConnection,
} from "./store.ts";

const usedEveryMs = 60_000;

/** Opens a connection, or notes what its client said when it is there already. */
export async function openConnection(
  services: Services,
  ref: ConnectionRef,
  client: { name: string | null; protocol: string | null },
): Promise<void> {
  await services.write((tx) =>
    upsertConnection(tx.db, ref, { client: client.name, protocol: client.protocol, now: tx.now }),
  );
}

/** True when the connection is there for this identity and not idle for 7 days; notes its use now and then. */
export function useConnection(services: Services, ref: ConnectionRef): boolean {
  const found = findConnection(services.db, ref);
  const now = services.now();
  if (found === undefined || found.lastUsedAt < now - connectionIdleMs) return false;
  if (now - found.lastUsedAt >= usedEveryMs) {
    services.touches.touch(`connection:${ref.identity}:${ref.id}`, (db) => markConnectionUsed(db, ref, now));
  }
  return true;
}

/** Finds or opens the connection a client named itself. One idle for 7 days starts afresh, without a session. */
export async function useNamedConnection(services: Services, ref: ConnectionRef): Promise<void> {
  if (useConnection(services, ref)) return;
  // One job, so that of two first calls none removes what the other opened.
  await services.write((tx) => {
    deleteIdleConnection(tx.db, ref, tx.now - connectionIdleMs);
    upsertConnection(tx.db, ref, { client: null, protocol: null, now: tx.now });
  });
}

/** True when there was one. Its active session stays active in the store. */
export async function endConnection(services: Services, ref: ConnectionRef): Promise<boolean> {
  return services.write((tx) => deleteConnection(tx.db, ref));
}

/** The caller's active session, if it has a connection that holds one. */
export function activeSession(caller: Pick<Ctx, "connection">, db: Db): { id: string; projectId: string } | undefined {
  return caller.connection === null ? undefined : findActiveSession(db, caller.connection);
}

/** The session an event written now belongs to: the active one, when it is in the same project (mcp-tools.md 8.3). */
export function sessionOfWrite(tx: Tx, ctx: Ctx, projectId: string): string | null {
  const active = activeSession(ctx, tx.db);
  return active?.projectId === projectId ? active.id : null;
}

export async function sweepIdleConnections(services: Services): Promise<void> {
  const removed = await services.write((tx) => deleteIdleConnections(tx.db, tx.now - connectionIdleMs));
  if (removed > 0) services.log.info("idle connections removed", { count: removed });
}

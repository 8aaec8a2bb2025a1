// From a bearer token to a principal (rest-api.md 0.2). Pending, revoked and unknown tokens all resolve to nothing.
import { timingSafeEqual } from "node:crypto";
import type { Principal, Services } from "../../kernel/ctx.ts";
import { operatorActor } from "../../shared/ids.ts";
import { findTokenHolder, markFirstCall, markRefused, markTokenUsed, type TokenHolder } from "./store.ts";

const usedEveryMs = 300_000;

const operatorPrincipal: Principal = { kind: "operator", actor: operatorActor, tokenId: null };

export type Authenticator = {
  /**
   * Who a token is; undefined when it lets nobody in.
   * @throws when the store fails, which is answered as 503 and never as 401
   */
  resolve(token: string): Principal | undefined;
  /** The same for one that asked to join: a stranger under its agent's id while it is pending, the agent after that. */
  resolveEnrolling(token: string): Principal | undefined;
  /** Notes an agent's first tool call, once. */
  noteCall(principal: Principal): void;
};

export function tokenHash(token: string): string {
  return Bun.SHA256.hash(token, "hex");
}

/** @param adminToken null when the hub has no listener and so no operator token */
export function createAuthenticator(services: Services, adminToken: string | null): Authenticator {
  const adminDigest = adminToken === null ? null : Buffer.from(tokenHash(adminToken));
  const called = new Set<string>();

  function noteUse(holder: TokenHolder): void {
    const now = services.now();
    if (holder.last_used_at !== null && Math.abs(now - holder.last_used_at) < usedEveryMs) return;
    services.touches.touch(`token:${holder.token_id}`, (db) =>
      markTokenUsed(db, holder.token_id, holder.agent_id, now),
    );
  }

  const authenticator: Authenticator = {
    resolveEnrolling(token) {
      const holder = findTokenHolder(services.db, tokenHash(token));
      if (holder?.state !== "pending" || holder.revoked_at !== null) return authenticator.resolve(token);
      return { kind: "stranger", actor: holder.agent_id, tokenId: holder.token_id };
    },
    resolve(token) {
      const hash = tokenHash(token);
      // Digests are compared, so neither content nor length of the operator's token leaks through time.
      if (adminDigest !== null && timingSafeEqual(Buffer.from(hash), adminDigest)) return operatorPrincipal;
      const holder = findTokenHolder(services.db, hash);
      if (holder === undefined || holder.state !== "active") return undefined;
      if (holder.revoked_at !== null) {
        const now = services.now();
        services.touches.touch(`refused:${holder.agent_id}`, (db) => markRefused(db, holder.agent_id, now));
        return undefined;
      }
      noteUse(holder);
      if (holder.first_call_at !== null) called.add(holder.agent_id);
      return { kind: "agent", actor: holder.agent_id, tokenId: holder.token_id };
    },
    noteCall(principal) {
      if (principal.kind !== "agent" || called.has(principal.actor)) return;
      called.add(principal.actor);
      const now = services.now();
      services.touches.touch(`first_call:${principal.actor}`, (db) => markFirstCall(db, principal.actor, now));
    },
  };
  return authenticator;
}

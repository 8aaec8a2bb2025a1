// Asking in, admitting, refusing (rest-api.md 10). Who is admitted is read from the request's event and its place, never
// from its payload, so no agent can forge an admission.
import { randomBytes } from "node:crypto";
import type { Ctx, Services, Tx } from "../../kernel/ctx.ts";
import { invalid } from "../../kernel/input.ts";
import { readOperation, writeOperation } from "../../kernel/operation.ts";
import { waitFor } from "../../kernel/wait.ts";
import { HubError } from "../../shared/errors.ts";
import { waitMsLongest, waitSecondsDefault } from "../../shared/limits.ts";
import { appendAudit, appendEvent } from "../events/index.ts";
import { addAgent, addToken, type ListedAgent, newAgentId, readListedAgent, removeAgent } from "../identity/index.ts";
import { enterItem, findItem, type ItemSubject, resolveItem } from "../items/index.ts";
import { findProject, operatorOnly, setGrant } from "../projects/index.ts";
import { Admit, AskIn, Refuse, WaitForDecision } from "./schema.ts";
import {
  countPending,
  type Enrolment,
  findByToken,
  findEnrolment,
  findRequestEvent,
  hasPendingFrom,
  listAbandoned,
  setAdmitted,
  setEnrolNote,
} from "./store.ts";

const slugIdBytes = 4;

/** Source of requests whose peer is not known: they share one identity. */
const unknownSource = "unknown";

export const askIn = writeOperation({
  name: "askIn",
  input: AskIn,
  access: () => undefined,
  run(tx, ctx, input) {
    if (!ctx.config.enrol) {
      throw new HubError("forbidden", "this hub takes no requests to join; its operator makes agents by hand");
    }
    const id = chooseId(input);
    const source = ctx.peer ?? unknownSource;
    holdPending(tx, ctx, source);
    if (findEnrolment(tx.db, id) !== undefined) {
      throw new HubError("conflict", `agent ${JSON.stringify(id)} exists already; choose another suggested_id`);
    }
    const agent = addAgent(tx, { id, displayName: input.display_name, state: "pending" });
    setEnrolNote(tx.db, id, input.why, source);
    const { token } = addToken(tx, id);
    const request = appendEvent(tx, {
      projectId: agent.personalProjectId,
      kind: "approval",
      actor: id,
      summary: `${input.display_name} wants to join`,
      payload: { action: "enrol_request", agent_id: id, display_name: input.display_name, source, why: input.why },
      ceiling: "exempt",
    });
    enterItem(tx, request, { kind: "approval", subjectKind: "enrolment", subjectId: id, deadline: null });
    tx.wake("agents", "projects");
    return { token, agentId: id };
  },
});

function chooseId(input: AskIn): string {
  const suggested = input.suggested_id?.trim() ?? "";
  const slug = input.display_name
    .replace(/[\s_-]+/g, "-")
    .replace(/[^A-Za-z0-9-]/g, "")
    .toLowerCase()
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
  const chosen = suggested !== "" ? suggested : slug || `agent-${randomBytes(slugIdBytes).toString("hex")}`;
  const checked = newAgentId.safeParse(chosen);
  if (!checked.success) throw invalid("suggested_id", chosen, checked.error.issues[0]?.message ?? "an agent id");
  return checked.data;
}

function holdPending(tx: Tx, ctx: Ctx, source: string): void {
  if (hasPendingFrom(tx.db, source)) {
    throw new HubError("rate_limited", "a request from this address is waiting for the operator already");
  }
  const open = countPending(tx.db);
  const cap = ctx.config.enrolPendingMax;
  if (open >= cap) {
    throw new HubError("rate_limited", `${open} requests to join are waiting, the cap of ${cap}; try again later`, {
      open,
      cap,
      setting: "HUB_ENROL_PENDING_MAX",
    });
  }
}

/** The bus topic of one request's decision. */
function decisionTopic(agentId: string): string {
  return `enrolment:${agentId}`;
}

export type EnrolStatus = { isPending: true } | { isPending: false; agentId: string; shares: boolean };

// The caller is the agent whose token was sent, pending or active; the surface resolved it.
export const readEnrolStatus = readOperation({
  name: "readEnrolStatus",
  input: WaitForDecision,
  access: () => undefined,
  async run(ctx, input): Promise<EnrolStatus> {
    const { actor, tokenId } = ctx.principal;
    const ms = Math.min((input.wait ?? waitSecondsDefault) * 1000, waitMsLongest);
    const decided = await waitFor(ctx, { topics: [decisionTopic(actor)], ms }, async () => {
      // By the token and not by the id, which is free again after a refusal: another may have asked under it since.
      const enrolment = tokenId === null ? undefined : findByToken(ctx.db, tokenId);
      // Refused, expired and unknown all read alike.
      if (enrolment === undefined) throw new HubError("unauthenticated", "a valid bearer token is needed");
      return enrolment.state === "pending" ? undefined : enrolment;
    });
    if (decided === undefined) return { isPending: true };
    return { isPending: false, agentId: decided.agentId, shares: decided.shares ?? true };
  },
});

export const admitAgent = writeOperation({
  name: "admitAgent",
  input: Admit,
  access: operatorOnly,
  run(tx, ctx, input): ListedAgent {
    const enrolment = requirePending(tx, input.agent_id);
    admit(tx, ctx, enrolment, {
      displayName: input.display_name ?? enrolment.displayName,
      shares: input.share ?? true,
      note: null,
    });
    for (const projectId of new Set(input.projects)) {
      if (findProject(tx.db, projectId) !== undefined) setGrant(tx, { agentId: enrolment.agentId, projectId });
    }
    return readListedAgent(tx, enrolment.agentId);
  },
});

export const refuseAgent = writeOperation({
  name: "refuseAgent",
  input: Refuse,
  access: operatorOnly,
  run(tx, ctx, input) {
    remove(tx, ctx, requirePending(tx, input.agent_id), "enrolment refused");
  },
});

/** Deciding a request in the inbox admits or refuses in the same transaction. */
export const enrolmentSubject: ItemSubject = {
  // A request has no deadline; it is abandoned by its age (sweepAbandoned).
  expire: () => undefined,
  decide(tx, ctx, { item, event, decision, note }) {
    const enrolment = findEnrolment(tx.db, event.actor);
    if (enrolment?.state !== "pending" || event.projectId !== enrolment.personalProjectId) {
      throw invalid("approval_id", event.id, "a request to join of an agent that is pending");
    }
    if (decision === "declined") {
      remove(tx, ctx, enrolment, "enrolment refused");
      return { eventId: item.eventId };
    }
    return { eventId: admit(tx, ctx, enrolment, { displayName: enrolment.displayName, shares: true, note }) };
  },
};

function requirePending(tx: Tx, agentId: string): Enrolment {
  const enrolment = findEnrolment(tx.db, agentId);
  if (enrolment === undefined) throw new HubError("not_found", `there is no agent ${JSON.stringify(agentId)}`);
  if (enrolment.state !== "pending") throw new HubError("conflict", `agent ${JSON.stringify(agentId)} is not pending`);
  return enrolment;
}

/** Returns the id of the answer to the request. */
function admit(
  tx: Tx,
  ctx: Ctx,
  enrolment: Enrolment,
  as: { displayName: string; shares: boolean; note: string | null },
): string {
  setAdmitted(tx.db, enrolment.agentId, as.displayName, as.shares);
  appendAudit(tx, enrolment.personalProjectId, { action: "enrol_approved", agent_id: enrolment.agentId });
  const requestId = findRequestEvent(tx.db, enrolment.agentId);
  const item = requestId === undefined ? undefined : findItem(tx.db, requestId);
  if (item === undefined) throw new Error(`pending agent ${enrolment.agentId} has no request`);
  const answer = appendEvent(tx, {
    projectId: enrolment.personalProjectId,
    kind: "answer",
    actor: ctx.principal.actor,
    summary: `re: ${enrolment.displayName} wants to join`,
    payload: {
      body: as.note === null ? "Approved" : `Approved: ${as.note}`,
      decision: "approved",
      ...(as.note === null ? {} : { note: as.note }),
    },
    threadId: item.eventId,
    ceiling: "exempt",
  });
  resolveItem(tx, item, answer.id);
  tx.wake("agents", "projects", decisionTopic(enrolment.agentId));
  return answer.id;
}

// Token, identity, personal space with its events, inbox row and search row: the id is free again.
function remove(tx: Tx, services: Pick<Services, "log">, enrolment: Enrolment, why: string): void {
  removeAgent(tx, enrolment.agentId, enrolment.personalProjectId);
  tx.wake("agents", "projects", "inbox", decisionTopic(enrolment.agentId));
  tx.afterCommit(() => services.log.info(why, { agent: enrolment.agentId }));
}

/** Requests older than `enrol_pending_ttl_secs` are abandoned. */
export async function sweepAbandoned(services: Services): Promise<void> {
  const before = services.now() - services.config.enrolPendingTtlSecs * 1000;
  for (const agentId of listAbandoned(services.db, before)) {
    try {
      await services.write((tx) => {
        const enrolment = findEnrolment(tx.db, agentId);
        // Refused meanwhile, and perhaps asked for anew.
        if (enrolment?.state !== "pending" || enrolment.createdAt > before) return;
        remove(tx, services, enrolment, "enrolment expired");
      });
    } catch (error) {
      services.log.warn("an abandoned enrolment could not be removed and will be tried again", {
        agent: agentId,
        cause: String(error),
      });
    }
  }
}

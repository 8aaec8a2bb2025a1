// Waiting for the operator's decision, through lost connections and restarts of the hub (cli.md 7, step 6; 7.1).
import { isObject } from "../../shared/json.ts";
import { endpointOf, type Hub, request, statusFailure } from "../connection.ts";
import { HubFailure, unreachable } from "../hub-failure.ts";
import { notHub, parseJson } from "../rest.ts";

const waitSeconds = 30;
/** Of one poll: what the hub may take to answer, and more. */
const pollTimeoutMs = 65_000;
const pausesMs: readonly number[] = [1000, 2000, 4000, 8000, 16_000, 30_000];
const giveUpMs = 300_000;
/** A hub that does not wait, because it drains, is not asked more often than this. */
const shortestPollMs = 1000;

export type Approval = { agentId: string; shares: boolean };

/** Time as the wait sees it. */
export type Clock = { now(): number; sleep(ms: number, signal: AbortSignal): Promise<void> };

const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const timer = setTimeout(resolve, ms);
      signal.addEventListener(
        "abort",
        () => {
          clearTimeout(timer);
          reject(signal.reason);
        },
        { once: true },
      );
    }),
};

/**
 * Polls until the request is granted. `hub` carries the pending token.
 * @throws HubFailure `unauthenticated` when it was refused or expired, `unreachable` after 300 s without an answer, the
 * reason of `signal` when that is aborted
 */
export async function waitForDecision(hub: Hub, signal: AbortSignal, clock: Clock = realClock): Promise<Approval> {
  let answeredAt = clock.now();
  let failures = 0;
  // Ends with a decision, with the time for an answer, or with the signal.
  for (;;) {
    const askedAt = clock.now();
    const outcome = await poll(hub, signal);
    signal.throwIfAborted();
    if (outcome.kind === "approved") return outcome.approval;
    const now = clock.now();
    if (outcome.kind === "pending") {
      answeredAt = now;
      failures = 0;
      if (now - askedAt < shortestPollMs) await clock.sleep(shortestPollMs, signal);
      continue;
    }
    const leftMs = giveUpMs - (now - answeredAt);
    if (leftMs <= 0) throw outcome.failure;
    const pauseMs = pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0;
    failures += 1;
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
  }
}

type Outcome =
  | { kind: "pending" }
  | { kind: "approved"; approval: Approval }
  /** Passes, perhaps. */
  | { kind: "failed"; failure: HubFailure };

async function poll(hub: Hub, signal: AbortSignal): Promise<Outcome> {
  const endpoint = endpointOf(hub.url, `/api/v1/enrol/status?wait=${waitSeconds}`);
  try {
    return await request(
      { ...hub, timeoutMs: pollTimeoutMs },
      endpoint,
      { method: "GET", headers: {}, signal },
      (response) => readOutcome(hub, endpoint, response),
    );
  } catch (error) {
    if (error instanceof HubFailure && error.reason === "unreachable") return { kind: "failed", failure: error };
    throw error;
  }
}

async function readOutcome(hub: Hub, endpoint: string, response: Response): Promise<Outcome> {
  const body = parseJson(await response.text());
  if (response.status >= 500 || response.status === 429) {
    return { kind: "failed", failure: unreachable(endpoint, new Error(`it answers ${response.status}`)) };
  }
  if (!response.ok) throw statusFailure(endpoint, response.status, body);
  if (isObject(body) && body["status"] === "pending") return { kind: "pending" };
  if (isObject(body) && body["status"] === "approved" && typeof body["agent_id"] === "string") {
    return { kind: "approved", approval: { agentId: body["agent_id"], shares: body["share"] === true } };
  }
  throw notHub(hub, "without a status");
}

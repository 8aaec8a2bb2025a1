// Why a call did not succeed, in one class for all of them (rest-api.md 0.4).
import type { Problem } from "../../shared/api.ts";
import { isObject } from "../../shared/json.ts";

export type Failure = Pick<Problem, "status" | "code" | "detail" | "retryable" | "details"> & {
  /** `network`: no answer came. `aborted`: nobody waits for it any more. `problem`: the hub said no. */
  kind: "network" | "aborted" | "problem";
};

export class CallFailed extends Error implements Failure {
  readonly kind: Failure["kind"];
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly retryable: boolean;
  readonly details: Failure["details"];

  constructor(failure: Failure, cause?: unknown) {
    super(`${failure.status} ${failure.code}: ${failure.detail}`, { cause });
    this.kind = failure.kind;
    this.status = failure.status;
    this.code = failure.code;
    this.detail = failure.detail;
    this.retryable = failure.retryable;
    this.details = failure.details;
  }

  /** Refused at the door: the hub does not know the address it was called at. */
  get isAtEdge(): boolean {
    return this.status === 403 && this.detail.includes("public_url");
  }
}

const nothing = { status: 0, code: "", detail: "", retryable: true, details: {} };

export function noAnswer(cause: unknown): CallFailed {
  const isAborted = cause instanceof DOMException && cause.name === "AbortError";
  return new CallFailed({ kind: isAborted ? "aborted" : "network", ...nothing }, cause);
}

/** For a list that answers without the one thing it was asked for. */
export function notFound(): CallFailed {
  return new CallFailed({ kind: "problem", ...nothing, status: 404, code: "not_found", retryable: false });
}

/** The problem of an answer; a proxy's own page counts as one without a code. */
export async function refusal(response: Response): Promise<CallFailed> {
  const body: unknown = await response.json().catch(() => undefined); // not the hub's own words
  const told = isObject(body) ? body : {};
  const { code, detail, retryable, details } = told;
  return new CallFailed({
    kind: "problem",
    status: response.status,
    code: typeof code === "string" ? code : "",
    detail: typeof detail === "string" ? detail : "",
    retryable: retryable === true,
    // Facts are JSON, since they were parsed from it.
    details: isObject(details) ? (details as Failure["details"]) : {},
  });
}

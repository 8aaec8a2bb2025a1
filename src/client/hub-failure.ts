// How a request to a hub fails, in the shape a command prints (cli.md 2.4).
import type { ErrorDetails, ErrorObject } from "../shared/errors.ts";

/** The hub's error object as it came: a newer hub may use a code this client does not know. */
export type WireError = Omit<ErrorObject, "code"> & { code: string };

/** `unreachable`: no answer. `unauthenticated`: the token itself was refused. `refused`: any other answer. */
export type FailureReason = "unreachable" | "unauthenticated" | "refused";

export class HubFailure extends Error {
  readonly reason: FailureReason;
  readonly error: WireError;

  constructor(reason: FailureReason, error: WireError, options?: ErrorOptions) {
    super(error.message, options);
    this.name = "HubFailure";
    this.reason = reason;
    this.error = error;
  }
}

/** A refusal by the hub; the code alone says whether it was the token. */
export function refused(error: WireError): HubFailure {
  return new HubFailure(error.code === "unauthenticated" ? "unauthenticated" : "refused", error);
}

/** No answer from `endpoint`, because of whatever `fetch` threw. */
export function unreachable(endpoint: string, cause: unknown): HubFailure {
  const message = `${endpoint} is unreachable: ${shortCause(cause)}`;
  return new HubFailure("unreachable", wireError("unavailable", message), { cause });
}

export function wireError(code: string, message: string, details: ErrorDetails = {}): WireError {
  return { code, message, retryable: code === "unavailable", details };
}

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ETIMEDOUT: "timed out",
  ENOTFOUND: "name not found",
  EAI_AGAIN: "name not found",
  EHOSTUNREACH: "could not connect",
  ENETUNREACH: "could not connect",
  EADDRNOTAVAIL: "could not connect",
  ECONNRESET: "connection lost",
  EPIPE: "connection lost",
};
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/;

/** A few words for a person; never a stack or a type name. */
export function shortCause(cause: unknown): string {
  if (!(cause instanceof Error)) return firstLine(String(cause));
  if (cause.name === "TimeoutError") return "timed out";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  if (certificateCode.test(code)) return "certificate not trusted";
  return causes[code] ?? firstLine(cause.message);
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split(/[\r\n]/);
  return line === "" ? "could not connect" : line;
}

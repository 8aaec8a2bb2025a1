// The one error a caller may see. Codes and what they mean are the closed list of mcp-tools.md 4.2;
// each surface translates them once, in its own folder.
import { isObject, type Json } from "./json.ts";

export const errorCodes = [
  "invalid_argument",
  "unauthenticated",
  "forbidden",
  "not_found",
  "conflict",
  "payload_too_large",
  "rate_limited",
  "unavailable",
  "internal",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

export type ErrorDetails = { [fact: string]: Json };
/** The error as it travels: over MCP, in problem documents and on stderr of a command (mcp-tools.md 4.1). */
export type ErrorObject = { code: ErrorCode; message: string; retryable: boolean; details: ErrorDetails };

/** Only `unavailable` may be sent again unchanged (mcp-tools.md 4.2). */
export function isRetryable(code: ErrorCode): boolean {
  return code === "unavailable";
}

/** A refusal with a code of the closed list. `message` names the value, the limit and the next step. */
export class HubError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = "HubError";
    this.code = code;
    this.details = details;
  }

  toObject(): ErrorObject {
    return { code: this.code, message: this.message, retryable: isRetryable(this.code), details: this.details };
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return errorCodes.some((code) => code === value);
}

/** Reads an error object out of JSON that came over the wire; undefined when it is none. */
export function parseErrorObject(value: unknown): ErrorObject | undefined {
  if (!isObject(value) || !isErrorCode(value["code"]) || typeof value["message"] !== "string") return undefined;
  const details = isObject(value["details"]) ? value["details"] : {};
  return {
    code: value["code"],
    message: value["message"],
    retryable: value["retryable"] === true,
    // Parsed JSON holds nothing but Json.
    details: details as ErrorDetails,
  };
}

// Finds the hub's error object wherever an answer carries it, and makes one up where there is none (cli.md 2.4).
import type { ErrorDetails } from "../shared/errors.ts";
import { isObject } from "../shared/json.ts";
import { type WireError, wireError } from "./hub-failure.ts";

/** `{code, message, retryable, details}`, whatever the code. */
function readError(value: unknown): WireError | undefined {
  if (!isObject(value)) return undefined;
  const { code, message, retryable, details } = value;
  if (typeof code !== "string" || typeof message !== "string") return undefined;
  const isRetryable = typeof retryable === "boolean" ? retryable : code === "unavailable";
  return { code, message, retryable: isRetryable, details: readDetails(details) };
}

function readDetails(value: unknown): ErrorDetails {
  // Parsed JSON holds nothing but Json.
  return isObject(value) ? (value as ErrorDetails) : {};
}

/** The error of a problem document; undefined when the body is none. */
export function problemError(body: unknown): WireError | undefined {
  if (!isObject(body)) return undefined;
  return readError({ ...body, message: body["detail"] });
}

/** The error of a JSON-RPC `error` member. `method` is what was asked: only a call can name an unknown tool. */
export function rpcError(error: Record<string, unknown>, method: string): WireError {
  const data = isObject(error["data"]) ? error["data"]["error"] : undefined;
  const message = typeof error["message"] === "string" ? error["message"] : "the hub gave no message";
  return readError(data) ?? wireError(codeOfRpc(error["code"], message, method), message);
}

function codeOfRpc(code: unknown, message: string, method: string): string {
  if (code === -32002) return "not_found";
  if (code !== -32602) return "internal";
  return method === "tools/call" && unknownTool.test(message) ? "not_found" : "invalid_argument";
}

// Servers without an error object of their own say it in these words.
const unknownTool = /unknown tool|no tool named|tool .* not found/i;

/** The error of a tool result with `isError: true`. */
export function resultError(result: Record<string, unknown>): WireError {
  const structured = isObject(result["structuredContent"]) ? result["structuredContent"]["error"] : undefined;
  return readError(structured) ?? wireError("invalid_argument", textOf(result) || "the tool failed without a message");
}

/** The text blocks of a tool result, one after the other. */
export function textOf(result: Record<string, unknown>): string {
  const content = Array.isArray(result["content"]) ? result["content"] : [];
  const texts: string[] = [];
  for (const block of content) {
    if (isObject(block) && block["type"] === "text" && typeof block["text"] === "string") texts.push(block["text"]);
  }
  return texts.join("\n");
}

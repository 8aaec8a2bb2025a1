// The answers that say a call failed on its way to the hub or back (cli.md 4.2).
import { type ErrorCode, isErrorCode } from "../../shared/errors.ts";
import type { WireError } from "../hub-failure.ts";
import { type Call, type Era, errorAnswer } from "./call.ts";

/** A failed tool result for a tool, so that the model sees it; a JSON-RPC error for anything else. */
export function failureAnswer(call: Call, error: WireError): string {
  const data = { error };
  if (call.method !== "tools/call") {
    return errorAnswer(call.id, { code: rpcCode(error.code, call.era), message: error.message, data });
  }
  const result = {
    // Every result of the 2026-07-28 revision names its type; the 2025 line has no such member.
    ...(call.era === "modern" ? { resultType: "complete" } : {}),
    isError: true,
    structuredContent: data,
    content: [{ type: "text", text: JSON.stringify(data) }],
  };
  return JSON.stringify({ jsonrpc: "2.0", id: call.id, result });
}

// mcp-tools.md 4.2. A newer hub may have a code that is not in this list.
function rpcCode(code: string, era: Era): number {
  return isErrorCode(code) ? codeOf(code, era) : -32603;
}

function codeOf(code: ErrorCode, era: Era): number {
  switch (code) {
    case "invalid_argument":
    case "conflict":
    case "payload_too_large":
      return -32602;
    case "unauthenticated":
    case "forbidden":
    case "rate_limited":
      return -32600;
    case "not_found":
      return era === "modern" ? -32602 : -32002;
    case "unavailable":
    case "internal":
      return -32603;
  }
}

// What the proxy reads from a JSON-RPC line. It knows no method but `initialize`, whose answer names the session,
// and `notifications/cancelled`, which ends a request; the line itself is forwarded byte for byte.
import { isObject } from "../../shared/json.ts";
import { type Call, errorAnswer, isRequestId, type RequestId } from "./call.ts";

/** What the headers of a 2026-07-28 message say again. */
export type ModernHead = Readonly<{ version: string; method: string; name: string | undefined }>;

export type Message = Readonly<{
  body: Uint8Array;
  /** More than one in a batch only; none in a notification or a response. */
  calls: readonly Call[];
  modern: ModernHead | undefined;
  isInitialize: boolean;
  /** The request this message cancels. */
  cancels: RequestId | undefined;
}>;

export type ReadMessage = { kind: "message"; message: Message } | { kind: "refused"; answer: string };

const versionKey = "io.modelcontextprotocol/protocolVersion";

export function readMessage(body: Uint8Array): ReadMessage {
  const value = parseJson(body);
  if (value === undefined) return refused(null, -32700, "Parse error: the line is not one JSON text in UTF-8");
  if (Array.isArray(value)) return readBatch(body, value);
  if (!isObject(value)) return refused(null, -32600, "Invalid request: a message is a JSON object");
  const { id, method } = value;
  if (id !== undefined && !isRequestId(id)) return refused(null, -32600, "Invalid request: id is a string or a number");
  if (method === undefined && (value["result"] !== undefined || value["error"] !== undefined)) {
    return { kind: "message", message: plain(body, []) };
  }
  if (typeof method !== "string") return refused(id ?? null, -32600, "Invalid request: method is missing");
  return { kind: "message", message: read(body, method, id, value["params"]) };
}

function read(body: Uint8Array, method: string, id: RequestId | undefined, params: unknown): Message {
  const modern = modernHead(method, params);
  const era = modern === undefined ? "legacy" : "modern";
  const requestId = isObject(params) ? params["requestId"] : undefined;
  return {
    body,
    calls: id === undefined ? [] : [{ id, method, era }],
    modern,
    isInitialize: method === "initialize" && id !== undefined,
    cancels: method === "notifications/cancelled" && isRequestId(requestId) ? requestId : undefined,
  };
}

function readBatch(body: Uint8Array, values: unknown[]): ReadMessage {
  if (values.length === 0) return refused(null, -32600, "Invalid request: an empty batch");
  const calls: Call[] = [];
  for (const value of values) {
    if (!isObject(value)) return refused(null, -32600, "Invalid request: a message is a JSON object");
    const { id, method } = value;
    if (typeof method === "string" && isRequestId(id)) calls.push({ id, method, era: "legacy" });
  }
  return { kind: "message", message: plain(body, calls) };
}

function plain(body: Uint8Array, calls: readonly Call[]): Message {
  return { body, calls, modern: undefined, isInitialize: false, cancels: undefined };
}

function modernHead(method: string, params: unknown): ModernHead | undefined {
  if (!isObject(params) || !isObject(params["_meta"])) return undefined;
  const version = params["_meta"][versionKey];
  if (typeof version !== "string") return undefined;
  const name = [params["name"], params["uri"]].find((value) => typeof value === "string");
  return { version, method, name };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined; // `undefined` is no JSON value, so it says exactly this
  }
}

function refused(id: RequestId | null, code: number, message: string): ReadMessage {
  return { kind: "refused", answer: errorAnswer(id, { code, message }) };
}

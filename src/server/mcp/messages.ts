// The messages of one 2025-line POST: a request is answered, a notification or a response is taken with 202, a batch
// (allowed up to revision 2025-03-26) is answered as one. A cancel comes as a request of its own and finds its call by
// connection and typed id (mcp-tools.md 1).
import { isJSONRPCRequest, JSONRPCMessageSchema, type JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { ConnectionRef } from "../../kernel/ctx.ts";
import { isObject } from "../../shared/json.ts";
import { rpcRefusal } from "./refusal.ts";

const maxBatch = 100;

/** Calls under way, by connection and request id. */
export type Inflight = Map<string, AbortController>;
/** `onEnd` is called once the call is over, which for an event stream is after its answer began. */
type Answer = (signal: AbortSignal, onEnd: () => void) => Promise<Response>;
export type AnswerRequest = (message: JSONRPCRequest, ...rest: Parameters<Answer>) => Promise<Response>;

export async function answerMessages(
  body: unknown,
  connection: ConnectionRef | null,
  signal: AbortSignal,
  inflight: Inflight,
  answer: AnswerRequest,
): Promise<Response> {
  if (!Array.isArray(body)) return answerOne(body, connection, signal, inflight, answer);
  if (body.length === 0 || body.length > maxBatch) {
    return rpcRefusal(400, -32600, `a batch holds 1 to ${maxBatch} messages`);
  }
  const responses = await Promise.all(body.map((message) => answerOne(message, connection, signal, inflight, answer)));
  const answers = responses.filter((response) => response.status !== 202);
  if (answers.length === 0) return accepted();
  const texts = await Promise.all(answers.map((response) => response.text()));
  // A call that was cancelled has no answer.
  const given = texts.filter((text) => text !== "");
  if (given.length === 0) return accepted();
  return new Response(`[${given.join(",")}]`, { headers: { "content-type": "application/json" } });
}

async function answerOne(
  body: unknown,
  connection: ConnectionRef | null,
  signal: AbortSignal,
  inflight: Inflight,
  answer: AnswerRequest,
): Promise<Response> {
  const parsed = JSONRPCMessageSchema.safeParse(body);
  if (!parsed.success) return rpcRefusal(400, -32600, "this is no JSON-RPC message");
  const message = parsed.data;
  if (!isJSONRPCRequest(message)) {
    if ("method" in message && message.method === "notifications/cancelled" && connection !== null) {
      const id = isObject(message.params) ? message.params["requestId"] : undefined;
      inflight.get(keyOf(connection, id))?.abort();
    }
    return accepted();
  }
  return answerCancellable(message.id, connection, signal, inflight, (...rest) => answer(message, ...rest));
}

/** Answers one request in a way that a cancel on its connection finds. */
export function answerCancellable(
  id: string | number,
  connection: ConnectionRef | null,
  signal: AbortSignal,
  inflight: Inflight,
  answer: Answer,
): Promise<Response> {
  if (connection === null) return answer(signal, () => undefined);
  const key = keyOf(connection, id);
  const abort = new AbortController();
  const forward = (): void => abort.abort();
  signal.addEventListener("abort", forward, { once: true });
  if (signal.aborted) forward();
  inflight.set(key, abort);
  return answer(abort.signal, () => {
    signal.removeEventListener("abort", forward);
    if (inflight.get(key) === abort) inflight.delete(key);
  });
}

function keyOf(connection: ConnectionRef, id: unknown): string {
  return JSON.stringify([connection.identity, connection.id, typeof id, id]);
}

function accepted(): Response {
  return new Response(null, { status: 202 });
}

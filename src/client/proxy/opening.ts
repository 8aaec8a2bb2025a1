// The first word with the hub, before stdin is served: is it there, and does it take the token (cli.md 4.2).
import { isObject } from "../../shared/json.ts";
import { refused } from "../hub-failure.ts";
import { rpcError } from "../wire-error.ts";
import { readAnswer } from "./answer.ts";
import type { Message } from "./message.ts";
import type { Upstream } from "./upstream.ts";

/** Throws `HubFailure` when the hub is not there, refuses the token or is no hub. */
export async function openUpstream(upstream: Upstream, signal: AbortSignal): Promise<void> {
  const ping = pingMessage();
  const reply = await upstream.post(ping.body, {}, signal);
  if (reply.kind === "refused") throw reply.failure;
  const { answer } = await readAnswer(reply.messages, ping);
  if (answer === undefined) throw reply.missing;
  if (!isObject(answer["error"])) return;
  // Any other error is the hub's word on `ping`: it is there, and it took the token.
  const failure = refused(rpcError(answer["error"], "ping"));
  if (failure.reason === "unauthenticated") throw failure;
}

function pingMessage(): Message {
  const call = { id: crypto.randomUUID(), method: "ping", era: "legacy" } as const;
  const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id: call.id, method: call.method }));
  return { body, calls: [call], modern: undefined, isInitialize: false, cancels: undefined };
}

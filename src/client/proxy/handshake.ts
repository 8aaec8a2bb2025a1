// The 2025-line session of the harness with the hub: what `initialize` settled, and how it is made again when the hub
// no longer knows it (cli.md 4.2). The 2026-07-28 revision has no session and passes straight through.
import { isObject } from "../../shared/json.ts";
import { refused } from "../hub-failure.ts";
import { rpcError } from "../wire-error.ts";
import { readAnswer } from "./answer.ts";
import { legacyHeaders, modernHeaders } from "./headers.ts";
import type { Message } from "./message.ts";
import type { Reply, Upstream } from "./upstream.ts";

type Session = Readonly<{
  id: string | undefined;
  protocolVersion: string | undefined;
  serverVersion: string | undefined;
}>;

const noSession: Session = { id: undefined, protocolVersion: undefined, serverVersion: undefined };

export type Handshake = {
  /**
   * Sends a message upstream in the form of its revision; a lost session is made again once. Throws `HubFailure` when
   * the hub does not answer, or not to the replay.
   */
  send(message: Message, signal: AbortSignal): Promise<Reply>;
  /** True once the harness sent an `initialize`, so speaks the 2025 line. */
  hasBegun(): boolean;
};

export type HandshakeOptions = Readonly<{
  upstream: Upstream;
  /** Bound of a replayed `initialize`. */
  timeoutMs: number;
  /** Called after each replay. */
  onReplayed(change: { serverVersionChanged: boolean }): void;
}>;

export function createHandshake({ upstream, timeoutMs, onReplayed }: HandshakeOptions): Handshake {
  let initialize: Message | undefined;
  let session = noSession;
  let opening: Promise<void> = Promise.resolve();
  let replaying: Promise<void> | undefined;

  async function open(message: Message, signal: AbortSignal): Promise<Reply> {
    const reply = await upstream.post(message.body, {}, signal);
    if (reply.kind === "refused") return reply;
    const { read, answer } = await readAnswer(reply.messages, message);
    if (isObject(answer?.["result"])) session = readSession(reply.sessionId, answer["result"]);
    return { ...reply, messages: read };
  }

  // Throws what went wrong, for the calls that needed it.
  async function replay(message: Message): Promise<void> {
    const reply = await upstream.post(message.body, {}, AbortSignal.timeout(timeoutMs));
    if (reply.kind === "refused") throw reply.failure;
    const { answer } = await readAnswer(reply.messages, message);
    if (isObject(answer?.["error"])) throw refused(rpcError(answer["error"], "initialize"));
    if (!isObject(answer?.["result"])) throw reply.missing;
    const before = session.serverVersion;
    session = readSession(reply.sessionId, answer["result"]);
    onReplayed({ serverVersionChanged: session.serverVersion !== before });
  }

  return {
    async send(message, signal) {
      if (message.modern !== undefined) return upstream.post(message.body, modernHeaders(message.modern), signal);
      if (message.isInitialize) {
        initialize = message;
        const opened = open(message, signal);
        const settle = (): void => undefined;
        opening = opened.then(settle, settle);
        return opened;
      }
      // Lines that a harness sends ahead of the answer to `initialize` go out under what it settles.
      await opening;
      const used = session;
      const reply = await upstream.post(message.body, legacyHeaders(used), signal);
      if (reply.kind !== "refused" || reply.status !== 404 || used.id === undefined) return reply;
      if (initialize === undefined) return reply;
      // Calls that lose the same session share one replay.
      if (session === used) {
        replaying ??= replay(initialize).finally(() => {
          replaying = undefined;
        });
        await replaying;
      }
      return upstream.post(message.body, legacyHeaders(session), signal);
    },
    hasBegun: () => initialize !== undefined,
  };
}

function readSession(id: string | undefined, result: Record<string, unknown>): Session {
  const { protocolVersion, serverInfo } = result;
  const serverVersion = isObject(serverInfo) ? serverInfo["version"] : undefined;
  return {
    id,
    protocolVersion: typeof protocolVersion === "string" ? protocolVersion : undefined,
    serverVersion: typeof serverVersion === "string" ? serverVersion : undefined,
  };
}

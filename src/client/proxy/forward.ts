// Carries one message to the hub and what it brings back to stdout. Each of its calls is answered exactly once, by the
// hub or by an error object, unless it was cancelled.
import { HubFailure, refused, wireError } from "../hub-failure.ts";
import { takeLines, type Waiting, waitingFor } from "./answer.ts";
import { failureAnswer } from "./failure-answer.ts";
import type { Handshake } from "./handshake.ts";
import type { LineWriter } from "./line-writer.ts";
import type { Message } from "./message.ts";

export type Forward = (message: Message, signal: AbortSignal) => Promise<void>;

export function createForward(parts: {
  handshake: Handshake;
  writer: LineWriter;
  /** Takes what can only be a fault of the proxy. */
  onFault(error: unknown): void;
}): Forward {
  const { handshake, writer, onFault } = parts;

  async function relay(message: Message, waiting: Waiting, signal: AbortSignal): Promise<HubFailure | undefined> {
    const reply = await handshake.send(message, signal);
    if (reply.kind === "refused") return reply.failure;
    for await (const incoming of reply.messages) {
      for (const line of takeLines(incoming, waiting)) {
        if (signal.aborted) return undefined;
        // Awaited, so that a harness that reads slowly slows the hub down.
        await writer.write(line);
      }
      if (waiting.size === 0) return undefined;
    }
    return reply.missing;
  }

  return async (message, signal) => {
    const waiting = waitingFor(message);
    let failure: HubFailure | undefined;
    try {
      failure = await relay(message, waiting, signal);
    } catch (error) {
      if (!(error instanceof HubFailure)) onFault(error);
      failure = error instanceof HubFailure ? error : fault();
    }
    // A cancelled call gets no answer.
    if (failure === undefined || signal.aborted) return;
    for (const call of waiting.values()) await writer.write(failureAnswer(call, failure.error));
  };
}

function fault(): HubFailure {
  return refused(wireError("internal", "agent-hub mcp failed to forward this call; its stderr says why"));
}

// Which of the hub's messages answers which call.
import { isObject } from "../../shared/json.ts";
import { type Call, errorAnswer, idKey, isRequestId } from "./call.ts";
import type { Message } from "./message.ts";
import type { Incoming } from "./upstream.ts";

/** Calls that nothing has answered so far, by `idKey`. */
export type Waiting = Map<string, Call>;

export function waitingFor(message: Message): Waiting {
  return new Map(message.calls.map((call) => [idKey(call.id), call]));
}

/** The lines to write for a message of the hub. A call answered by it is taken out of `waiting`. */
export function takeLines({ json, value }: Incoming, waiting: Waiting): string[] {
  if (Array.isArray(value)) {
    for (const part of value) if (isAnswer(part) && isRequestId(part["id"])) waiting.delete(idKey(part["id"]));
    return [json];
  }
  if (!isAnswer(value)) return [json];
  if (isRequestId(value["id"])) return waiting.delete(idKey(value["id"])) ? [json] : [];
  if (!isObject(value["error"])) return [];
  // The hub could not read an id; over HTTP the call is known all the same.
  const lines = [...waiting.values()].map((call) => errorAnswer(call.id, value["error"]));
  waiting.clear();
  return lines;
}

/** Reads up to the answer of the one call in `message`: all that was read, and that answer. */
export async function readAnswer(
  messages: AsyncIterable<Incoming> | Iterable<Incoming>,
  message: Message,
): Promise<{ read: Incoming[]; answer: Record<string, unknown> | undefined }> {
  const waiting = waitingFor(message);
  const read: Incoming[] = [];
  for await (const incoming of messages) {
    read.push(incoming);
    takeLines(incoming, waiting);
    if (waiting.size === 0) return { read, answer: isObject(incoming.value) ? incoming.value : undefined };
  }
  return { read, answer: undefined };
}

function isAnswer(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !("method" in value);
}

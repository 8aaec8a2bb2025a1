// Sends one decision or answer under its own key, three times at most when no answer comes, and says in words what
// became of it.

import { codePoints } from "../../shared/json.ts";
import { decisionNoteChars } from "../../shared/limits.ts";
import type { InboxItemView } from "../../shared/views.ts";
import { outcomeWords, problemWords } from "../../shared/words.ts";
import { call } from "../data/call.ts";
import { CallFailed, noAnswer } from "../data/call-failed.ts";
import { hubNow } from "../data/clock.ts";
import { openDraft } from "../data/drafts.ts";
import { note } from "../parts/toasts.ts";
import { itemText } from "../text/en-items.ts";
import { clockTime } from "../text/time.ts";
import { nameOfActor } from "./agents.ts";
import { tellDeparture } from "./departures.ts";
import { loadItem, patchItem } from "./inbox-lists.ts";

export type Act = {
  verb: "approve" | "decline" | "answer";
  /** The note of a decision, or the answer itself. */
  words?: string | undefined;
};

/** `unsent`: nothing reached the hub, as far as anybody can tell; `refused`: it said no. */
export type Outcome = { kind: "sent" } | { kind: "unsent" | "refused"; words: string };

const pausesMs = [500, 2000, 6000];

export async function sendAct(item: InboxItemView, act: Act, key: string, isLast: boolean): Promise<Outcome> {
  try {
    await sendKeyed(item, act, key, isLast);
  } catch (error) {
    return refused(item, act, error instanceof CallFailed ? error : noAnswer(error));
  }
  settle(item, act);
  return { kind: "sent" };
}

async function sendKeyed(item: InboxItemView, act: Act, key: string, isLast: boolean): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await post(item.event_id, act, key, isLast);
      return;
    } catch (error) {
      const pauseMs = pausesMs[attempt];
      const isLost = error instanceof CallFailed && error.kind === "network";
      if (!isLost || isLast || pauseMs === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function post(id: string, { verb, words }: Act, key: string, isLast: boolean): Promise<unknown> {
  if (verb === "answer") {
    return call("answerQuestion", { params: { id }, body: { body: words ?? "", idempotency_key: key }, isLast });
  }
  const noted = words === undefined || words.trim() === "" ? {} : { note: words };
  return call("decideApproval", {
    params: { id },
    body: { decision: verb, ...noted, idempotency_key: key },
    isLast,
  });
}

/** The item as it now is, before the hub's own answer to the next read. */
function settle(item: InboxItemView, { verb, words }: Act): void {
  const at = new Date(hubNow()).toISOString();
  const by = { actor: "human", event_id: item.event_id };
  patchItem(item.event_id, (shown) => {
    const { snoozed_until: _, ...rest } = shown;
    if (verb === "answer") {
      return { ...rest, status: "resolved", updated_at: at, answer: { body: words ?? "", answered_at: at, ...by } };
    }
    const noted = words === undefined || words.trim() === "" ? null : words;
    const decision = verb === "approve" ? ("approved" as const) : ("declined" as const);
    return { ...rest, status: "resolved", updated_at: at, decision: { decision, note: noted, decided_at: at, ...by } };
  });
  forgetWords(item, { verb, words });
  note(sentWords[verb](nameOfActor(item.actor)));
  tellDeparture({ id: item.event_id, to: "resolved" });
}

// What was sent is no draft any more; words beside a picked answer were not sent, and stay.
function forgetWords(item: InboxItemView, { verb, words }: Act): void {
  const draft = openDraft(`${verb === "answer" ? "answer" : "note"} ${item.event_id}`);
  if (draft.text.value.trim() === (words ?? "").trim()) draft.drop();
}

const sentWords = { approve: itemText.approved, decline: itemText.declined, answer: itemText.answered } as const;

async function refused(item: InboxItemView, act: Act, failed: CallFailed): Promise<Outcome> {
  if (failed.kind !== "problem") return { kind: "unsent", words: itemText.notSent };
  if (failed.code === "conflict") return { kind: "refused", words: await wonWords(item) };
  if (failed.code === "payload_too_large" && act.verb !== "answer") {
    const over = codePoints((act.words ?? "").trim()) - decisionNoteChars;
    if (over > 0) return { kind: "refused", words: itemText.tooLong(over) };
  }
  if (failed.status === 401) return { kind: "unsent", words: itemText.signInAgain };
  const kind = failed.retryable ? "unsent" : "refused";
  return {
    kind,
    words: problemWords({ ...failed, code: failed.code, detail: failed.detail, details: failed.details }),
  };
}

/** Who was faster: read back from the item itself. */
async function wonWords(item: InboxItemView): Promise<string> {
  const latest = await loadItem(item.event_id).catch(() => undefined); // the sentence is then the general one
  if (latest === undefined) return itemText.tooLate(problemWords({ code: "not_found", detail: "", details: {} }));
  patchItem(item.event_id, () => latest);
  const outcome = outcomeWords(latest);
  const at = latest.decision?.decided_at ?? latest.answer?.answered_at;
  if (outcome === undefined || at === undefined) return itemText.tooLate(itemText.closedBeforeSent);
  return settledAt(latest, clockTime(at));
}

/** "Too late: the hub declined this at 14:05." or "Already approved at 14:01." */
function settledAt(item: InboxItemView, time: string): string {
  if (item.decision !== undefined) {
    const { decision, expired } = item.decision;
    return expired === true
      ? itemText.tooLate(`the hub ${decision} this at ${time}.`)
      : itemText.already(`${decision} at ${time}.`);
  }
  if (item.answer?.expired === true) return itemText.tooLate(`this closed with no answer at ${time}.`);
  return itemText.already(`answered at ${time}: ${item.answer?.body ?? ""}`);
}

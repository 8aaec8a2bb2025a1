// How a brief is shown: pointers with short texts, and one note in full (mcp-tools.md 17.4).
import { timestamp } from "../../kernel/clock.ts";
import { isObject } from "../../shared/json.ts";
import { briefTextChars } from "../../shared/limits.ts";
import { recoveryPath } from "../sessions/index.ts";
import type { Section, SessionBrief } from "./brief.ts";
import type { ToldBrief } from "./operations.ts";
import type { Answer, EventEntry, PreviousSession, StalePage } from "./store.ts";

export function viewBrief({ brief, notifications }: ToldBrief): object {
  const { since, previousSession } = brief;
  return {
    project_id: brief.projectId,
    agent: brief.agent,
    since: { event_id: since.eventId, basis: since.basis },
    answers: viewSection(brief.answers, viewAnswer),
    previous_session: previousSession === undefined ? null : viewSession(previousSession),
    events: viewSection(brief.events, viewEvent),
    stale_pages: viewSection(brief.stalePages, viewStale),
    ...(notifications === undefined ? {} : { notifications }),
  };
}

function viewSection<T>(section: Section<T>, view: (item: T) => object): object {
  return {
    items: section.items.map(view),
    more: section.more,
    ...(section.isMoreCapped ? { more_capped: true } : {}),
  };
}

function viewAnswer(answer: Answer): object {
  const said: unknown = answer.payload === null ? null : JSON.parse(answer.payload);
  const payload = isObject(said) ? said : {};
  const isExpired = payload["expired"] === true;
  const reply = payload[answer.kind === "question" ? "body" : "note"];
  return cutTexts(
    {
      id: answer.id,
      answer_id: answer.answer_id,
      kind: answer.kind,
      outcome: outcomeOf(answer.kind, payload["decision"], isExpired),
    },
    { summary: answer.summary, ...(typeof reply === "string" ? { text: reply } : {}) },
    { by: answer.actor, at: timestamp(answer.created_at), ...(isExpired ? { expired: true } : {}) },
  );
}

function outcomeOf(kind: Answer["kind"], decision: unknown, isExpired: boolean): string {
  if (kind === "question") return isExpired ? "expired" : "answered";
  return decision === "approved" ? "approved" : "declined";
}

function viewSession(session: PreviousSession): object {
  return {
    session_id: session.id,
    session_name: session.name,
    status: session.status,
    last_activity: timestamp(session.last_activity),
    handoff: session.handoff,
    recovery_path: recoveryPath,
  };
}

function viewEvent(event: SessionBrief["events"]["items"][number]): object {
  return cutTexts(
    { id: event.id, kind: event.kind, actor: event.actor, at: timestamp(event.created_at) },
    { summary: event.summary },
    {
      ...threadOf(event),
      ...(event.isOpen ? { open: true } : {}),
    },
  );
}

// Its own root's id says nothing more.
function threadOf({ id, thread_id }: EventEntry): object {
  return thread_id === null || thread_id === id ? {} : { thread_id };
}

function viewStale({ path, title, stale_after }: StalePage): object {
  return cutTexts({ path }, { title, stale_after }, {});
}

/** An entry whose texts are cut to length; it says when one was. */
function cutTexts(before: object, texts: Record<string, string | null>, after: object): object {
  const cut = Object.entries(texts).map(([name, text]) => [name, text === null ? null : cutText(text)] as const);
  const isCut = cut.some(([name, text]) => text !== texts[name]);
  return { ...before, ...Object.fromEntries(cut), ...after, ...(isCut ? { truncated: true } : {}) };
}

function cutText(text: string): string {
  // A character takes two units at most.
  return text.length <= briefTextChars
    ? text
    : [...text.slice(0, 2 * briefTextChars)].slice(0, briefTextChars).join("");
}

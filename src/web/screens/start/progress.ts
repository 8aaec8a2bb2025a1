// How far an agent has come on its first day, from facts the hub keeps: nothing here is by timer (web-app.md 7).
import type { AgentView, EventView, InboxItemView } from "../../../shared/views.ts";
import { call } from "../../data/call.ts";
import type { ResourceSpec } from "../../data/resource.ts";

const firstEvents = 50;
/** What the hub writes by itself as an agent works. */
const quiet = new Set<EventView["kind"]>(["session", "system"]);

export type FirstWords = { said: EventView | undefined; question: EventView | undefined };

export type Progress = {
  isConnected: boolean;
  isIntroduced: boolean;
  hasSpoken: boolean;
  hasAsked: boolean;
  isAnswered: boolean;
};

/** What it said first and what it asked last. */
export function firstWordsSpec(agent: string): ResourceSpec<FirstWords> {
  return {
    key: `first words ${agent}`,
    concerns: (topic) => topic === "inbox" || topic.startsWith("feed:"),
    async load(signal) {
      const { events } = await call("listFeed", { query: { actor: agent, limit: firstEvents }, signal });
      const heard = events
        .filter(({ kind }) => !quiet.has(kind))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1));
      return {
        said: heard.find(({ kind }) => kind !== "question"),
        question: heard.findLast(({ kind }) => kind === "question"),
      };
    },
  };
}

export function progressOf(
  agent: AgentView,
  words: FirstWords | undefined,
  question: InboxItemView | undefined,
): Progress {
  const hasAsked = words?.question !== undefined;
  const hasSpoken = hasAsked || words?.said !== undefined;
  // The list of agents may be older than what the agent said: who spoke has called, and who called is connected.
  const isIntroduced = hasSpoken || agent.first_call_at !== null;
  return {
    isConnected: isIntroduced || agent.first_seen_at !== null,
    isIntroduced,
    hasSpoken,
    hasAsked,
    isAnswered: question?.answer !== undefined && question.answer.expired !== true,
  };
}

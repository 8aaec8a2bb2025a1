// What the inbox shows, as its route says it: filters, order, and the words looked for. All of it survives a reload.
import type { InboxItemView } from "../../../shared/views.ts";
import { inboxSort } from "../../data/preferences.ts";
import type { InboxFilter } from "../../items/inbox-lists.ts";
import { routeText } from "../../shell/route.ts";
import { projectName } from "../../text/names.ts";

export type View = {
  isUnreadOnly: boolean;
  project: string | undefined;
  agent: string | undefined;
  kind: "finished" | "question" | "approval" | undefined;
  sort: "deadline" | "agent";
  words: string;
};

const kinds = ["finished", "question", "approval"] as const;
const sorts = ["deadline", "agent"] as const;

export function readView(query: URLSearchParams): View {
  const kind = query.get("kind");
  return {
    isUnreadOnly: query.get("view") === "unread",
    project: query.get("project") ?? undefined,
    agent: query.get("agent") ?? undefined,
    kind: kinds.find((known) => known === kind),
    sort: sorts.find((known) => known === query.get("sort")) ?? inboxSort.value,
    words: query.get("q") ?? "",
  };
}

export function inboxRoute(view: View, eventId?: string): string {
  return routeText(eventId === undefined ? ["inbox"] : ["inbox", eventId], {
    view: view.isUnreadOnly ? "unread" : undefined,
    project: view.project,
    agent: view.agent,
    kind: view.kind,
    sort: view.sort === inboxSort.value ? undefined : view.sort,
    q: view.words,
  });
}

export function filterOf({ project, agent, kind }: View): InboxFilter {
  return { project, actor: agent, kind };
}

export function isFiltered(view: View): boolean {
  return view.project !== undefined || view.agent !== undefined || view.kind !== undefined || view.words !== "";
}

/** Every word somewhere in what the row shows. */
export function matchesWords(item: InboxItemView, words: string): boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return true;
  const text = `${item.summary} ${projectName(item)} ${item.actor} ${JSON.stringify(item.payload)}`.toLowerCase();
  return wanted.every((word) => text.includes(word));
}

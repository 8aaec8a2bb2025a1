// An inbox with nothing in it: what would be here, or what the filter leaves out.
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { inboxText } from "../../text/en-inbox.ts";
import { isFiltered, type View } from "./inbox-filter.ts";
import type { KnownNames } from "./use-known.ts";

type InboxEmptyProps = {
  view: View;
  known: KnownNames;
  onClear: () => void;
  /** Absent when there is nothing earlier, or it is shown. */
  onEarlier: (() => void) | undefined;
};

export function InboxEmpty({ view, known, onClear, onEarlier }: InboxEmptyProps) {
  if (isFiltered(view) || view.isUnreadOnly) {
    const where = placeOf(view, known);
    return (
      <Empty
        glyph="inbox"
        title={view.isUnreadOnly ? inboxText.emptyUnread(where) : inboxText.emptyHere(where)}
        action={<Button onClick={onClear}>{inboxText.clear}</Button>}
      />
    );
  }
  return (
    <Empty
      glyph="inbox"
      title={inboxText.emptyTitle}
      sentence={inboxText.empty}
      action={onEarlier === undefined ? undefined : <Button onClick={onEarlier}>{inboxText.showEarlier}</Button>}
    />
  );
}

function placeOf(view: View, { projects, agents }: KnownNames): string | undefined {
  if (view.words !== "") return undefined;
  if (view.project !== undefined) return projects.find(({ id }) => id === view.project)?.name ?? view.project;
  return view.agent === undefined ? undefined : (agents.find(({ id }) => id === view.agent)?.name ?? view.agent);
}

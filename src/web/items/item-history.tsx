// What came before an item in its project, nearest first (web-app.md 6.4).
import { useEffect, useState } from "preact/hooks";
import type { InboxItemView } from "../../shared/views.ts";
import { call } from "../data/call.ts";
import { resource } from "../data/resource.ts";
import { Problem } from "../parts/problem.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { wordsOf } from "../shell/load-states.tsx";
import { routeText } from "../shell/route.ts";
import { itemText } from "../text/en-items.ts";
import { shellText } from "../text/en-shell.ts";
import { projectName } from "../text/names.ts";
import { EventLines } from "./event-lines.tsx";
import { eventWords } from "./event-words.ts";

const shown = 6;
/** A look in passing goes on to the next item sooner. */
const restMs = 300;

/** Folded under the words of an item; unfolded it is asked for. */
export function FoldedHistory({ item }: { item: InboxItemView }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="item-part" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{itemText.before}</summary>
      {isOpen ? <Before item={item} isWanted /> : null}
    </details>
  );
}

/** Beside an item, for as long as the eye rests on it. */
export function ItemHistory({ item, isPreview }: { item: InboxItemView; isPreview: boolean }) {
  const [isWanted, setWanted] = useState(!isPreview);
  useEffect(() => {
    if (!isPreview) return setWanted(true);
    const timer = setTimeout(setWanted, restMs, true);
    return () => clearTimeout(timer);
  }, [isPreview]);
  return (
    <section class="item-part">
      <h2>{itemText.before}</h2>
      <Before item={item} isWanted={isWanted} />
    </section>
  );
}

function Before({ item, isWanted }: { item: InboxItemView; isWanted: boolean }) {
  const { project_id: project, event_id: id } = item;
  const around = resource({
    key: `before ${project} ${id}`,
    // What came before stays as it is.
    concerns: () => false,
    load: (signal) => call("listProjectFeed", { params: { id: project }, query: { around: id }, signal }),
  });
  useEffect(() => (isWanted ? around.hold() : undefined), [isWanted, around]);
  const events = around.value.value?.events;
  const failed = around.failure.value;
  const hrefOf = (event: string): string => `#${routeText(["p", project, "feed", event])}`;
  if (events === undefined) {
    if (failed === undefined) return <Skeleton shape="row" amount={2} />;
    return (
      <Problem
        words={shellText.couldNotLoad(itemText.beforeWhat)}
        detail={wordsOf(failed)}
        onRetry={() => void around.refresh() /* its state tells */}
      />
    );
  }
  const before = events.filter((event) => event.id < id).slice(0, shown);
  if (before.length === 0) return <p class="note faint">{itemText.nothingBefore(projectName(item))}</p>;
  return (
    <>
      <EventLines events={before} hrefOf={hrefOf} wordsOf={(event) => eventWords(event).object} />
      <p class="note">
        <a href={hrefOf(id)}>{itemText.openInFeed}</a>
      </p>
    </>
  );
}

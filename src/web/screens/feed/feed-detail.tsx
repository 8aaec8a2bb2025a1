// An open event: an item of the inbox with its own view, anything else whole, and under both the conversation it is of.
import { useEffect } from "preact/hooks";
import { isObject } from "../../../shared/json.ts";
import type { EventView } from "../../../shared/views.ts";
import { kindWords } from "../../../shared/words.ts";
import { call } from "../../data/call.ts";
import { minuteClock } from "../../data/clock.ts";
import { useResource } from "../../data/resource.ts";
import { Glyph } from "../../glyphs/glyph.tsx";
import { nameOfActor } from "../../items/agents.ts";
import { EventLines } from "../../items/event-lines.tsx";
import { eventWords } from "../../items/event-words.ts";
import { heldItem, inboxItem } from "../../items/inbox-lists.ts";
import { ItemView, ItemWords } from "../../items/item-view.tsx";
import { readPayload } from "../../items/payload.ts";
import { Button } from "../../parts/button.tsx";
import { copyText } from "../../parts/clipboard.ts";
import { Empty } from "../../parts/empty.tsx";
import { Prose } from "../../parts/prose.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Time } from "../../parts/time.tsx";
import { note } from "../../parts/toasts.ts";
import { LoadedContent } from "../../shell/load-states.tsx";
import { feedText } from "../../text/en-feed.ts";
import { itemText } from "../../text/en-items.ts";
import { shellText } from "../../text/en-shell.ts";
import { feedRoute } from "./feed-filter.ts";
import { splitSummary } from "./split-summary.ts";
import type { FeedModel } from "./use-feed.ts";

const itemKinds = new Set(["question", "approval", "finished"]);

export function FeedDetail({ id, model }: { id: string; model: FeedModel }) {
  const around = useResource<{ events: readonly EventView[] }>({
    key: `event ${model.projectId} ${id}`,
    // The event stays as it is; what was answered to it comes later.
    concerns: (topic) => topic === `feed:${model.projectId}`,
    load: (signal) =>
      call("listProjectFeed", { params: { id: model.projectId }, query: { around: id, kinds: allKinds }, signal }),
  });
  const events = around.value.value?.events;
  const event = loadedEvent(model, id) ?? events?.find((one) => one.id === id);
  return (
    <div class="inbox-detail feed-detail">
      <div class="detail-bar">
        <Button look="quiet" glyph="back" data-close onClick={model.close}>
          {feedText.backTo}
        </Button>
        <Button look="quiet" glyph="link" data-copy-link onClick={() => void copyLink() /* tells itself */}>
          {feedText.copyLink}
        </Button>
      </div>
      <LoadedContent
        resource={around}
        what={feedText.event}
        skeleton={<Skeleton shape="prose" />}
        parent={{ words: feedText.backTo, to: feedRoute(model.projectId, model.filter) }}
        meanwhile={event === undefined ? undefined : { value: { events: [] }, asOfMs: model.resource.asOfMs.value }}
      >
        {({ events: near }) =>
          event === undefined ? (
            <Empty glyph="cross" title={shellText.notHere} />
          ) : (
            <>
              {itemKinds.has(event.kind) ? <ItemOf event={event} /> : <EventWhole event={event} />}
              <Thread event={event} model={model} around={near} />
            </>
          )
        }
      </LoadedContent>
    </div>
  );
}

const allKinds = ["signal", "finished", "question", "answer", "approval", "artifact", "session", "idea", "system"];

function ItemOf({ event }: { event: EventView }) {
  const own = inboxItem(event.id);
  useEffect(() => own.hold(), [own]);
  const item = own.value.value ?? heldItem(event.id);
  if (item !== undefined) {
    return <ItemView item={item} isPreview={false} onPassed={() => void own.refresh() /* its state tells */} />;
  }
  return own.state.value === "loading" || own.state.value === "idle" ? (
    <Skeleton shape="prose" />
  ) : (
    <EventWhole event={event} />
  );
}

function EventWhole({ event }: { event: EventView }) {
  const { title, rest } = splitSummary(eventWords(event).object || event.summary);
  const body = readPayload(event);
  // A record's own words are its facts; nothing of it is left out.
  const isPlain = body.body === undefined && rest === undefined;
  return (
    <article class="item-view" data-id={event.id} data-kind={event.kind}>
      <header>
        <p class="item-kind note">
          <Glyph name={event.kind} size={18} />
          {kindWords[event.kind]}
        </p>
        <h2 class="theirs" dir="auto" tabIndex={-1} data-item-title>
          {title}
        </h2>
        <p class="item-from note">
          <span class="theirs" dir="auto">
            {nameOfActor(event.actor)}
          </span>
          <span class="event-verb">{eventWords(event).verb.replace(/:$/, "")}</span>
          <span aria-hidden="true">·</span>
          <Time at={event.created_at} nowMs={minuteClock.value} />
        </p>
      </header>
      {rest === undefined ? null : <Prose text={rest} />}
      <ItemWords body={body} item={event} isOpen={isPlain} />
    </article>
  );
}

/** What was said to and about the same thing, oldest first. */
function Thread({ event, model, around }: { event: EventView; model: FeedModel; around: readonly EventView[] }) {
  const root = event.thread_id ?? event.id;
  const found = new Map<string, EventView>();
  for (const one of [...around, ...model.loaded]) {
    if (one.id === root || one.thread_id === root) found.set(one.id, one);
  }
  if (found.size < 2) return null;
  const thread = [...found.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return (
    <section class="thread">
      <h3>{feedText.thread}</h3>
      <EventLines
        events={thread}
        current={event.id}
        hrefOf={model.hrefOf}
        wordsOf={wordsIn}
        onOpen={(id, press) => model.open(id, press)}
      />
    </section>
  );
}

/** An answer by its own words, anything else by its summary. */
function wordsIn(event: EventView): string {
  const said = isObject(event.payload) ? event.payload : {};
  if (event.kind !== "answer") return event.summary;
  const words = said["decision"] === undefined ? said["body"] : said["note"];
  return typeof words === "string" ? words : "";
}

function loadedEvent({ loaded }: FeedModel, id: string): EventView | undefined {
  return loaded.find((event) => event.id === id);
}

async function copyLink(): Promise<void> {
  note((await copyText(location.href)) ? itemText.linkCopied : itemText.linkNotCopied);
}

// An open item, whole: what it says, what it is about, what happens by itself, what was answered, and its controls in
// reach of the thumb (web-app.md 6.4).
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { InboxItemView } from "../../shared/views.ts";
import { kindWords, outcomeWords } from "../../shared/words.ts";
import { minuteClock } from "../data/clock.ts";
import { useDraft } from "../data/drafts.ts";
import type { GlyphName } from "../glyphs/drawings.ts";
import { Glyph } from "../glyphs/glyph.tsx";
import { Button } from "../parts/button.tsx";
import { LinkChip } from "../parts/chip.tsx";
import { CodeBlock, CopyField } from "../parts/copy-field.tsx";
import { Prose } from "../parts/prose.tsx";
import { Time } from "../parts/time.tsx";
import { announce } from "../shell/announcer.tsx";
import { PlaceLink, useReach } from "../shell/reach.tsx";
import { routeText } from "../shell/route.ts";
import { itemText } from "../text/en-items.ts";
import { middleCut, projectName } from "../text/names.ts";
import { fullStamp, whenComing } from "../text/time.ts";
import { joinClaimOf, nameOfActor } from "./agents.ts";
import { isOpen } from "./deadline.ts";
import { DeadlineSentence } from "./deadline-line.tsx";
import { ItemActions } from "./item-actions.tsx";
import { stateOf } from "./item-row.tsx";
import { JoinCard } from "./join-card.tsx";
import { markOpened, wake } from "./marks.ts";
import { type About, type ItemBody, readPayload } from "./payload.ts";

type ItemViewProps = {
  item: InboxItemView;
  /** A look in passing leaves it unread. */
  isPreview: boolean;
  /** Its deadline has passed: the hub is asked. */
  onPassed: () => void;
  /** Between its words and its controls. */
  children?: ComponentChildren;
};

export function ItemView({ item, isPreview, onPassed, children }: ItemViewProps) {
  const nowMs = minuteClock.value;
  const body = readPayload(item);
  const state = stateOf(item, nowMs);
  const claim = joinClaimOf(item, body.claimsToJoin);
  const id = item.event_id;
  useEffect(() => {
    if (!isPreview) markOpened(item);
  }, [id, isPreview]);
  const article = useRef<HTMLElement>(null);
  const hadFocus = article.current?.contains(document.activeElement) === true;
  // What settles an item takes away the field or the button that was used; the focus stays with the item.
  useLayoutEffect(() => {
    if (!hadFocus || article.current?.contains(document.activeElement) === true) return;
    article.current?.querySelector<HTMLElement>("[data-item-title]")?.focus({ preventScroll: true });
  }, [isOpen(item)]);
  return (
    <article ref={article} class="item-view" data-id={id} data-kind={item.kind} data-item-state={state}>
      <header>
        <p class="item-kind note">
          <Glyph name={item.kind} size={18} />
          {kindWords[item.kind]}
          <span class={`state ${stateTones[state]}`}>{stateWords[state]}</span>
        </p>
        <h2 class="theirs" dir="auto" tabIndex={-1} data-item-title>
          {claim.kind === "true" ? itemText.newAgent : item.summary}
        </h2>
        <p class="item-from note">
          <PlaceLink look="theirs" to={routeText(["p", item.project_id, "feed"])}>
            {projectName(item)}
          </PlaceLink>
          <span aria-hidden="true">·</span>
          <PlaceLink look="theirs" to={routeText(["agents", item.actor])}>
            {nameOfActor(item.actor)}
          </PlaceLink>
          <span aria-hidden="true">·</span>
          <Time at={item.created_at} nowMs={nowMs} />
        </p>
      </header>
      {claim.kind === "true" ? <JoinCard item={item} agent={claim.agent} /> : <ItemWords body={body} item={item} />}
      {claim.kind === "false" ? <p class="notice">{itemText.lookAlike}</p> : null}
      <Outcome item={item} />
      {children}
      <footer class="item-foot">
        {item.snoozed_until !== undefined && state === "snoozed" ? (
          <div class="snooze-line">
            <p class="state hold">{itemText.backAt(whenComing(item.snoozed_until, nowMs))}</p>
            <Button look="quiet" glyph="wake" data-act="wake" onClick={() => void wake(item) /* tells itself */}>
              {itemText.wake}
            </Button>
          </div>
        ) : null}
        {isOpen(item) ? <DeadlineSentence item={item} announce={announce} onPassed={onPassed} /> : null}
        {isOpen(item) ? <ItemActions item={item} place="pane" /> : <LeftoverWords item={item} />}
      </footer>
    </article>
  );
}

const stateWords = {
  waiting: itemText.waiting,
  snoozed: itemText.snoozed,
  held: itemText.held,
  unread: itemText.unread,
  read: itemText.read,
  resolved: itemText.resolved,
} as const;
const stateTones = { waiting: "lamp", snoozed: "hold", held: "hold", unread: "new", read: "", resolved: "" } as const;

type ItemWordsProps = {
  body: ItemBody;
  item: { project_id: string };
  /** The rest of the payload is all there is to read, and stands open. */
  isOpen?: boolean;
};

/** What was written, with what it is about and the rest of its payload. */
export function ItemWords({ body, item, isOpen = false }: ItemWordsProps) {
  return (
    <>
      {body.body === undefined ? null : <Prose text={body.body} />}
      {body.context === undefined ? null : (
        <section class="item-part">
          <h3>{itemText.context}</h3>
          <Prose text={body.context} />
        </section>
      )}
      {body.effects.length === 0 && body.command === undefined && body.reversible === undefined ? null : (
        <Effects body={body} />
      )}
      {body.about.length === 0 ? null : (
        <section class="item-part">
          <h3>{itemText.about}</h3>
          <p class="chips">
            {body.about.map((about) => (
              <AboutChip key={`${about.kind} ${about.id}`} about={about} projectId={item.project_id} />
            ))}
          </p>
        </section>
      )}
      {body.details.length === 0 ? null : (
        <details class="item-part" open={isOpen}>
          <summary>{itemText.details}</summary>
          <dl class="facts">
            {body.details.map(({ key, text, isCode }) => (
              <div key={key}>
                <dt class="data theirs">{key}</dt>
                <dd class="theirs" dir="auto">
                  {isCode ? <CodeBlock text={text} label={key} /> : text}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

function Effects({ body }: { body: ItemBody }) {
  return (
    <section class="item-part effects">
      <h3>{itemText.effects}</h3>
      <ul dir="auto">
        {body.effects.map((effect) => (
          <li key={effect} class="theirs">
            {effect}
          </li>
        ))}
        {body.reversible === undefined ? null : (
          <li>{body.reversible ? itemText.reversible : itemText.irreversible}</li>
        )}
      </ul>
      {body.command === undefined ? null : <CodeBlock text={body.command} label={itemText.command} />}
    </section>
  );
}

/** Leads there where this app has a screen for it. */
function AboutChip({ about, projectId }: { about: About; projectId: string }) {
  const canReach = useReach();
  const { to, glyph, words } = aboutOf(about, projectId);
  if (canReach(to)) {
    return (
      <LinkChip href={`#${to}`} glyph={glyph}>
        {words}
      </LinkChip>
    );
  }
  return (
    <span class="chip">
      <Glyph name={glyph} size={16} />
      <span class="theirs" dir="auto">
        {words}
      </span>
    </span>
  );
}

function aboutOf({ kind, id }: About, project: string): { to: string; glyph: GlyphName; words: string } {
  switch (kind) {
    case "artifact":
      return { to: routeText(["a", id]), glyph: kind, words: `${itemText.aboutArtifact} ${middleCut(id)}` };
    case "session":
      return {
        to: routeText(["p", project, "sessions", id]),
        glyph: kind,
        words: `${itemText.aboutSession} ${middleCut(id)}`,
      };
    case "page":
      return { to: routeText(["p", project, "kb", ...id.split("/")]), glyph: kind, words: itemText.aboutPage(id) };
    case "thread":
      return { to: routeText(["p", project, "feed", id]), glyph: "comment", words: itemText.aboutThread };
  }
}

/** How it ended: by whom, when, and the words that went with it. */
function Outcome({ item }: { item: InboxItemView }) {
  const outcome = outcomeWords(item);
  if (outcome === undefined) return null;
  const at = item.decision?.decided_at ?? item.answer?.answered_at;
  const note = item.decision?.note ?? undefined;
  const answer = item.answer?.body ?? undefined;
  return (
    <section class="outcome" aria-live="polite">
      <p class="outcome-words">
        <Glyph name={item.decision?.decision === "declined" ? "cross" : "check"} size={18} />
        <strong class="theirs" dir="auto">
          {outcome}
        </strong>
        {at === undefined ? null : <time dateTime={at}>{fullStamp(at)}</time>}
      </p>
      {note === undefined ? null : <Prose text={note} />}
      {answer === undefined || !answer.includes("\n") ? null : <Prose text={answer} />}
    </section>
  );
}

/** Words that were typed for an item that closed before they were sent: kept, to take along or to drop by name. */
function LeftoverWords({ item }: { item: InboxItemView }) {
  const draft = useDraft(`${item.kind === "question" ? "answer" : "note"} ${item.event_id}`);
  const words = draft.text.value;
  if (item.kind === "finished" || words === "") return null;
  return (
    <div class="leftover">
      <p>{itemText.closedBeforeSent}</p>
      <CopyField label={itemText.closedBeforeSent} value={words} />
      <Button look="quiet" onClick={() => draft.drop()}>
        {itemText.discard}
      </Button>
    </div>
  );
}

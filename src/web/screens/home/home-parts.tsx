// The parts of Home in their order; one without content is not there.
import type { ComponentChildren } from "preact";
import type { HomeView } from "../../../shared/views.ts";
import { minuteClock } from "../../data/clock.ts";
import { finishedStart } from "../../data/preferences.ts";
import { Glyph } from "../../glyphs/glyph.tsx";
import { nameOfActor } from "../../items/agents.ts";
import { EventRow } from "../../items/event-row.tsx";
import { eventSentence } from "../../items/event-words.ts";
import { ItemRow } from "../../items/item-row.tsx";
import { Avatar } from "../../parts/avatar.tsx";
import { IconButton } from "../../parts/button.tsx";
import { Row } from "../../parts/row.tsx";
import { Time } from "../../parts/time.tsx";
import { UsageBar } from "../../parts/usage-bar.tsx";
import { PlaceLink } from "../../shell/reach.tsx";
import { routeText } from "../../shell/route.ts";
import { homeText } from "../../text/en-home.ts";
import { projectName } from "../../text/names.ts";
import { rowTime } from "../../text/time.ts";
import type { HomeModel, RecentEvent, WorkingSession } from "./use-home.ts";

/** Without a word for so long, a session is said to be quiet. */
const quietMs = 5 * 60_000;

export function Waiting({ model, waiting }: { model: HomeModel; waiting: number }) {
  const rest = waiting - model.waiting.length;
  if (model.waiting.length === 0) return null;
  return (
    <Part name="waiting" title={homeText.waiting}>
      <div class="rows">
        {model.waiting.map((item) => (
          <ItemRow
            key={item.event_id}
            item={item}
            href={`#${routeText(["inbox", item.event_id])}`}
            isStop={model.stopId === item.event_id}
            onReply={() => model.reply(item)}
          />
        ))}
      </div>
      {rest <= 0 ? null : (
        <a class="part-more" href="#/inbox">
          {homeText.moreWaiting(rest)}
          <Glyph name="forward" size={16} />
        </a>
      )}
    </Part>
  );
}

export function AtWork({ model }: { model: HomeModel }) {
  if (model.sessions.length === 0) return null;
  return (
    <Part name="at-work" title={homeText.atWork}>
      <div class="rows">
        {model.sessions.map((session) => (
          <SessionRow key={session.session_id} session={session} isStop={model.stopId === session.session_id} />
        ))}
      </div>
    </Part>
  );
}

function SessionRow({ session, isStop }: { session: WorkingSession; isStop: boolean }) {
  const nowMs = minuteClock.value;
  const isQuiet = nowMs - Date.parse(session.last_activity) >= quietMs;
  const name = nameOfActor(session.agent);
  return (
    <Row
      id={session.session_id}
      kind="session"
      itemState={isQuiet ? "idle" : "live"}
      href={`#${routeText(["p", session.project_id, "feed"], { session: session.session_id })}`}
      leading={<Avatar name={name} state={isQuiet ? "idle" : "live"} />}
      title={
        <>
          <bdi class="event-actor">{name}</bdi>
          {" · "}
          <bdi>{session.session_name}</bdi>
        </>
      }
      time={<Time at={session.since} nowMs={nowMs} />}
      isStop={isStop}
    >
      {session.last_event === null ? null : (
        <p class="row-preview one theirs" dir="auto">
          {session.last_event}
        </p>
      )}
      <div class="row-meta">
        <span class="theirs" dir="auto">
          {projectName(session)}
        </span>
        {isQuiet ? (
          <>
            <span aria-hidden="true">·</span>
            <span>{homeText.quietFor(rowTime(session.last_activity, nowMs))}</span>
          </>
        ) : null}
      </div>
    </Row>
  );
}

export function Unseen({ model, recent }: { model: HomeModel; recent: readonly RecentEvent[] }) {
  if (model.unseen.length === 0) return null;
  return (
    <Part name="unseen" title={homeText.unseen}>
      <div class="rows">
        {model.unseen.map((project) => {
          const newest = recent.find((event) => event.project_id === project.project_id);
          return (
            <Row
              key={project.project_id}
              id={project.project_id}
              kind="project"
              itemState="unseen"
              tone="new"
              href={`#${routeText(["p", project.project_id, "feed"])}`}
              leading={<Glyph name="projects" />}
              title={<bdi>{projectName(project)}</bdi>}
              isStrong
              time={<span class="count-word num">{homeText.newEvents(project.events)}</span>}
              isStop={model.stopId === project.project_id}
            >
              {newest === undefined ? null : (
                <p class="row-preview one theirs" dir="auto">
                  {eventSentence(newest, nameOfActor(newest.actor))}
                </p>
              )}
            </Row>
          );
        })}
      </div>
    </Part>
  );
}

export function Recent({ model }: { model: HomeModel }) {
  if (model.recent.length === 0) return null;
  return (
    <Part name="recent" title={homeText.recent}>
      <div class="rows">
        {model.recent.map((event) => (
          <EventRow
            key={event.id}
            event={event}
            href={`#${routeText(["p", event.project_id, "feed", event.id])}`}
            isStop={model.stopId === event.id}
            meta={
              <span class="theirs" dir="auto">
                {projectName(event)}
              </span>
            }
          />
        ))}
      </div>
    </Part>
  );
}

export function Housekeeping({ home }: { home: HomeView }) {
  const { used_bytes: used, capacity_bytes: capacity } = home.storage;
  const words = capacity === null ? homeText.used(used) : homeText.usedOf(used, capacity);
  return (
    <section class="housekeeping note faint num" aria-label={homeText.housekeeping}>
      {capacity === null ? null : <UsageBar whole={capacity} parts={[{ name: "used", amount: used }]} label={words} />}
      <p>
        <PlaceLink to="/storage">{words}</PlaceLink>
        {home.prunable.bytes === 0 ? null : <span>{homeText.prunable(home.prunable.bytes)}</span>}
        {home.needs_review > 0 ? <span>{homeText.review(home.needs_review)}</span> : null}
      </p>
    </section>
  );
}

/** First run is over: what it offers still, until that is dismissed. */
export function FinishedStart() {
  const to = finishedStart.value;
  if (to === "" || to === "dismissed") return null;
  return (
    <Part name="start" title={homeText.finished}>
      <div class="rows">
        <div class="finished-start">
          <Glyph name="check" />
          <div>
            <a href={`#${to}`}>{homeText.finishedTitle}</a>
            <p class="note faint">{homeText.finishedMore}</p>
          </div>
          <IconButton
            glyph="close"
            label={homeText.dismiss}
            onClick={() => {
              finishedStart.value = "dismissed";
              // What was pressed is gone.
              document.querySelector<HTMLElement>("main h1")?.focus();
            }}
          />
        </div>
      </div>
    </Part>
  );
}

function Part({ name, title, children }: { name: string; title: string; children: ComponentChildren }) {
  return (
    <section class="part" data-part={name}>
      <h2 tabIndex={-1}>{title}</h2>
      {children}
    </section>
  );
}

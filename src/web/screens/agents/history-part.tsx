// What an agent did: its sessions and its last events.
import { kindWords } from "../../../shared/words.ts";
import { call } from "../../data/call.ts";
import { minuteClock } from "../../data/clock.ts";
import { useResource } from "../../data/resource.ts";
import { Glyph } from "../../glyphs/glyph.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Time } from "../../parts/time.tsx";
import { LoadedContent } from "../../shell/load-states.tsx";
import { PlaceLink } from "../../shell/reach.tsx";
import { routeText } from "../../shell/route.ts";
import { agentsText } from "../../text/en-agents.ts";

const shownSessions = 5;
const shownEvents = 5;

export function SessionsPart({ agent }: { agent: string }) {
  const sessions = useResource({
    key: `sessions of ${agent}`,
    concerns: (topic) => topic.startsWith("sessions:"),
    load: (signal) => call("listSessions", { query: { agent }, signal }),
  });
  const nowMs = minuteClock.value;
  return (
    <LoadedContent resource={sessions} what={agentsText.sessionsWhat} skeleton={<Skeleton shape="prose" amount={1} />}>
      {({ sessions: all }) => (
        <>
          {all.length === 0 ? <p class="faint">{agentsText.noSessions}</p> : null}
          <ul class="plain-list">
            {all.slice(0, shownSessions).map((session) => (
              <li key={session.id}>
                <PlaceLink to={routeText(["p", session.project_id, "sessions", session.id])} look="theirs">
                  {session.session_name}
                </PlaceLink>
                <span class="row-meta">
                  <span>{session.status === "active" ? agentsText.active : agentsText.ended}</span>
                  <Time at={session.last_activity} nowMs={nowMs} />
                </span>
              </li>
            ))}
          </ul>
          {all.length > shownSessions ? <p class="note faint">{agentsText.firstOf(shownSessions)}</p> : null}
        </>
      )}
    </LoadedContent>
  );
}

export function EventsPart({ agent }: { agent: string }) {
  const feed = useResource({
    key: `feed of ${agent}`,
    concerns: (topic) => topic.startsWith("feed:"),
    load: (signal) => call("listFeed", { query: { actor: agent, limit: shownEvents }, signal }),
  });
  const nowMs = minuteClock.value;
  return (
    <LoadedContent resource={feed} what={agentsText.eventsWhat} skeleton={<Skeleton shape="prose" amount={1} />}>
      {({ events }) => (
        <>
          {events.length === 0 ? <p class="faint">{agentsText.noEvents}</p> : null}
          <ul class="plain-list">
            {events.map((event) => (
              <li key={event.id}>
                <Glyph name={event.kind} label={kindWords[event.kind]} size={18} />
                <PlaceLink to={routeText(["p", event.project_id, "feed", event.id])} look="theirs grow">
                  {event.summary}
                </PlaceLink>
                <Time at={event.created_at} nowMs={nowMs} />
              </li>
            ))}
          </ul>
        </>
      )}
    </LoadedContent>
  );
}

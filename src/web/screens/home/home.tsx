// Home: what needs the operator, who is at work, what is new; one call paints all of it (web-app.md 6.2).
import { useRef } from "preact/hooks";
import type { HomeView } from "../../../shared/views.ts";
import { minuteClock } from "../../data/clock.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { LoadedContent } from "../../shell/load-states.tsx";
import { useReach } from "../../shell/reach.tsx";
import { PlainScreen } from "../../shell/screen.tsx";
import { homeText } from "../../text/en-home.ts";
import { ago } from "../../text/time.ts";
import { AtWork, FinishedStart, Housekeeping, Recent, Unseen, Waiting } from "./home-parts.tsx";
import { useHome } from "./use-home.ts";

export function Home() {
  const screen = useRef<HTMLDivElement>(null);
  const model = useHome(screen);
  const home = model.resource.value.value;
  return (
    <PlainScreen
      title={homeText.title}
      heading={home === undefined ? homeText.title : headline(home)}
      state={model.resource.state.value}
      head={
        home === undefined || isSilent(home) ? null : <p class="home-summary">{summary(home, minuteClock.value)}</p>
      }
    >
      <LoadedContent resource={model.resource} what={homeText.what} skeleton={<Skeleton shape="row" amount={6} />}>
        {(shown) => (
          <div ref={screen} onFocusIn={model.noteFocus}>
            {model.fresh === 0 ? null : (
              <div class="fresh-line">
                <Button glyph="up" data-fresh onClick={model.showFresh}>
                  {homeText.fresh(model.fresh)}
                </Button>
              </div>
            )}
            {isSilent(shown) ? <FirstWords /> : <Parts model={model} home={shown} />}
          </div>
        )}
      </LoadedContent>
    </PlainScreen>
  );
}

function Parts({ model, home }: { model: ReturnType<typeof useHome>; home: HomeView }) {
  return (
    <div class="home">
      <div class="home-main">
        <Waiting model={model} waiting={home.waiting} />
      </div>
      <div class="home-side">
        <AtWork model={model} />
        <Unseen model={model} recent={home.recent} />
      </div>
      <div class="home-rest">
        <FinishedStart />
        <Recent model={model} />
        <Housekeeping home={home} />
      </div>
    </div>
  );
}

function FirstWords() {
  const canReach = useReach();
  const action = canReach("/start") ? (
    <a class="button solid" href="#/start?step=agent">
      {homeText.connect}
    </a>
  ) : undefined;
  return (
    <Empty
      glyph="agent"
      title={homeText.emptyTitle}
      sentence={homeText.emptySentence}
      {...(action === undefined ? {} : { action })}
    />
  );
}

function headline(home: HomeView): string {
  return isSilent(home) ? homeText.ready : homeText.headline(home.waiting);
}

/** Nothing ever happened here. */
function isSilent(home: HomeView): boolean {
  return home.last_event_at === null && home.waiting === 0 && home.active_sessions.length === 0;
}

function summary({ agents_active: atWork, unread, last_event_at: last }: HomeView, nowMs: number): string {
  return [
    ...(atWork === 0 ? [] : [homeText.atWorkCount(atWork)]),
    ...(unread === 0 ? [] : [homeText.unreadCount(unread)]),
    last === null ? homeText.silent : homeText.lastWord(ago(last, nowMs)),
  ].join(" · ");
}

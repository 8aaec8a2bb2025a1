// The live card: one line a fact, ticked as the facts arrive, the agent's question on it, green at the end
// (web-app.md 7). A screen reader hears each once.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { AgentView } from "../../../shared/views.ts";
import { hubNow, minuteClock, secondClock } from "../../data/clock.ts";
import { Glyph } from "../../glyphs/glyph.tsx";
import { ItemActions } from "../../items/item-actions.tsx";
import { Dot } from "../../parts/badge.tsx";
import { announce } from "../../shell/announcer.tsx";
import { startText } from "../../text/en-start.ts";
import { ago } from "../../text/time.ts";
import { Ending } from "./ending.tsx";
import { LiveHelp } from "./live-help.tsx";
import type { Progress } from "./progress.ts";
import type { Watched } from "./use-start.ts";

type LiveCardProps = { agent: AgentView; watched: Watched };

export function LiveCard({ agent, watched }: LiveCardProps) {
  const { progress, words, question } = watched;
  const card = useRef<HTMLElement>(null);
  useTold(agent, progress);
  const { isAnswered } = progress;
  useEffect(() => {
    // What was pressed is gone with the question.
    if (isAnswered && document.activeElement === document.body) card.current?.querySelector("h2")?.focus();
  }, [isAnswered]);
  return (
    <section ref={card} class={`live-card${isAnswered ? " green" : ""}`} aria-labelledby="live-card-title">
      <h2 id="live-card-title" class="live-title" tabIndex={-1}>
        {isAnswered ? <Glyph name="check" /> : null}
        {isAnswered ? startText.working : startText.card}
      </h2>
      <ul class="live-facts">
        {progress.isConnected ? (
          <Fact name="connected" isTrue mark={<Dot tone="live" />}>
            {startText.connected(agent.display_name, ago(agent.first_seen_at ?? agent.created_at, minuteClock.value))}
          </Fact>
        ) : (
          <Waiting />
        )}
        <Fact name="introduced" isTrue={progress.isIntroduced}>
          {progress.isIntroduced ? startText.introduced : startText.notIntroduced}
        </Fact>
        <Fact name="spoke" isTrue={progress.hasSpoken}>
          {progress.hasSpoken ? startText.spoke : startText.notSpoke}
          {words?.said === undefined ? null : (
            <span class="said theirs" dir="auto">
              {words.said.summary}
            </span>
          )}
        </Fact>
        <Fact
          name="asked"
          isTrue={progress.isAnswered}
          mark={progress.hasAsked && !isAnswered ? <Dot tone="lamp" /> : undefined}
        >
          {askedWords(progress)}
        </Fact>
      </ul>
      {question === undefined || isAnswered ? null : (
        <div class="live-question" data-question={question.event_id}>
          <p class="theirs" dir="auto">
            {question.summary}
          </p>
          <ItemActions item={question} place="row" />
        </div>
      )}
      {isAnswered ? <Ending /> : <LiveHelp agent={agent} progress={progress} />}
    </section>
  );
}

function askedWords({ hasAsked, isAnswered }: Progress): string {
  if (isAnswered) return startText.answered;
  return hasAsked ? startText.asked : startText.notAsked;
}

type FactProps = { name: string; isTrue: boolean; mark?: ComponentChildren; children: ComponentChildren };

function Fact({ name, isTrue, mark, children }: FactProps) {
  return (
    <li class={`live-fact${isTrue ? " true" : ""}`} data-fact={name} data-true={isTrue}>
      <span class="fact-mark" aria-hidden="true">
        {mark ?? (isTrue ? <Glyph name="check" size={16} /> : <span class="ring" />)}
      </span>
      <span class="fact-words">{children}</span>
    </li>
  );
}

function Waiting() {
  const since = useRef(hubNow()).current;
  const seconds = Math.max(0, Math.floor((secondClock.value - since) / 1000));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return (
    <Fact name="connected" isTrue={false}>
      {startText.waiting}{" "}
      <span class="faint num" aria-hidden="true">
        {startText.waitingFor(time)}
      </span>
    </Fact>
  );
}

/** What was so when the page opened is not news. */
function useTold(agent: AgentView, progress: Progress): void {
  const told = useRef<Progress>(progress);
  useEffect(() => {
    const before = told.current;
    told.current = progress;
    const news = [
      progress.isConnected && !before.isConnected ? startText.connectedSaid(agent.display_name) : "",
      progress.isIntroduced && !before.isIntroduced ? startText.introducedSaid : "",
      progress.hasSpoken && !before.hasSpoken ? startText.spokeSaid : "",
      progress.hasAsked && !before.hasAsked ? startText.askedSaid : "",
      progress.isAnswered && !before.isAnswered ? startText.working : "",
    ].filter(Boolean);
    if (news.length > 0) announce(news.join(" "));
  }, [...Object.values(progress)]);
}

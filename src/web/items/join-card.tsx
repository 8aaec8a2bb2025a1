// A new agent asks to join: what is known of it, what admitting means, and the two ways out. Both ask first; neither is
// ever held, swiped or done in bulk.
import { signal } from "@preact/signals";
import type { AgentView, InboxItemView } from "../../shared/views.ts";
import { call } from "../data/call.ts";
import { minuteClock } from "../data/clock.ts";
import { useResource } from "../data/resource.ts";
import { Button } from "../parts/button.tsx";
import { itemText } from "../text/en-items.ts";
import { ago, countdown, fullStamp } from "../text/time.ts";

export function JoinCard({ item, agent }: { item: InboxItemView; agent: AgentView }) {
  const nowMs = minuteClock.value;
  const hub = useResource({
    key: "hub",
    concerns: (topic: string) => topic === "hub",
    load: (signal: AbortSignal) => call("getHub", { signal }),
  }).value.value;
  const dropsMs = hub === undefined ? undefined : Date.parse(item.created_at) + hub.enrol_ttl_secs * 1000 - nowMs;
  return (
    <div class="join-card">
      <dl class="facts">
        <dt>{itemText.joinId}</dt>
        <dd class="data theirs">{agent.id}</dd>
        <dt>{itemText.joinReason}</dt>
        <dd class="theirs" dir="auto">
          {agent.enrol_note === undefined ? itemText.joinUnknown : itemText.noted(agent.enrol_note)}
        </dd>
        <dt>{itemText.joinFrom}</dt>
        <dd class="data theirs">{agent.enrol_source ?? itemText.joinUnknown}</dd>
        <dt>{itemText.joinWhen}</dt>
        <dd title={fullStamp(item.created_at)}>{ago(item.created_at, nowMs)}</dd>
        {dropsMs === undefined ? null : (
          <>
            <dt>{itemText.joinDrops}</dt>
            <dd class="num">{`in ${countdown(dropsMs)}`}</dd>
          </>
        )}
      </dl>
      <p>{itemText.joinMeans}</p>
    </div>
  );
}

type Asked = { kind: "admit" | "refuse"; item: InboxItemView; agent: AgentView };

export const askedToJoin = signal<Asked | undefined>(undefined);

type JoinActionsProps = { item: InboxItemView; agent: AgentView; place: "row" | "pane"; tabIndex?: number };

export function JoinActions({ item, agent, place, tabIndex = 0 }: JoinActionsProps) {
  const ask = (kind: Asked["kind"]) => () => {
    askedToJoin.value = { kind, item, agent };
  };
  return (
    <>
      <Button
        look={place === "pane" ? "solid" : "outline"}
        glyph="key"
        tabIndex={tabIndex}
        aria-haspopup="dialog"
        data-act="admit"
        onClick={ask("admit")}
      >
        {itemText.admit}
      </Button>
      <Button tabIndex={tabIndex} aria-haspopup="dialog" data-act="refuse" onClick={ask("refuse")}>
        {itemText.refuse}
      </Button>
    </>
  );
}

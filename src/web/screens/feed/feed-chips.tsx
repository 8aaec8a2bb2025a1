// The kinds of a feed as chips with their amounts; kinds it does not hold are absent.
import type { EventKind } from "../../../shared/views.ts";
import { nameOfActor } from "../../items/agents.ts";
import { ChipRow, FilterChip } from "../../parts/chip.tsx";
import { count } from "../../text/count.ts";
import { feedText } from "../../text/en-feed.ts";
import { middleCut } from "../../text/names.ts";
import type { FeedFilter } from "./feed-filter.ts";
import type { FeedModel } from "./use-feed.ts";

const kinds = ["question", "approval", "finished", "signal", "idea", "answer", "artifact", "session"] as const;

export function FeedChips({ model }: { model: FeedModel }) {
  const { filter, change } = model;
  const stats = model.stats.value.value;
  const choose = (kind: FeedFilter["kind"]) => change({ ...filter, kind: filter.kind === kind ? undefined : kind });
  const kindChip = (kind: EventKind | "waiting", amount: number | undefined) => (
    <FilterChip key={kind} isOn={filter.kind === kind} onPress={() => choose(kind)}>
      {feedText.chips[kind]}
      {amount === undefined ? null : <span class="chip-amount num"> {count(amount)}</span>}
    </FilterChip>
  );
  const waiting = stats?.waiting ?? 0;
  return (
    <div class="feed-chips">
      <ChipRow label={feedText.filters}>
        <FilterChip isOn={filter.kind === undefined} onPress={() => change({ ...filter, kind: undefined })}>
          {feedText.chips.all}
        </FilterChip>
        {filter.agent === undefined ? null : (
          <FilterChip isOn onPress={() => change({ ...filter, agent: undefined })}>
            {feedText.agentIs(nameOfActor(filter.agent))}
          </FilterChip>
        )}
        {filter.session === undefined ? null : (
          <FilterChip isOn onPress={() => change({ ...filter, session: undefined })}>
            {feedText.sessionIs(middleCut(filter.session))}
          </FilterChip>
        )}
        {waiting === 0 && filter.kind !== "waiting" ? null : kindChip("waiting", waiting)}
        {kinds.map((kind) => {
          const amount = stats?.events_by_kind[kind];
          return (amount === undefined || amount === 0) && filter.kind !== kind ? null : kindChip(kind, amount);
        })}
        {kindChip("system", undefined)}
      </ChipRow>
    </div>
  );
}

// A project's feed: what happened, in order, beside what is open of it (web-app.md 6.7).
import { useEffect, useMemo } from "preact/hooks";
import { itemKeysOf, moveKeys } from "../../items/item-keys.ts";
import { ItemRow } from "../../items/item-row.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useKeys } from "../../shell/keys.ts";
import { LoadedContent } from "../../shell/load-states.tsx";
import { Panes } from "../../shell/panes.tsx";
import { useReach } from "../../shell/reach.tsx";
import { PlainScreen } from "../../shell/screen.tsx";
import type { ScreenProps } from "../../shell/screens.ts";
import { feedText } from "../../text/en-feed.ts";
import { projectsText } from "../../text/en-projects.ts";
import { moveFocus, rowElement } from "../inbox/row-focus.ts";
import { ProjectHead } from "../projects/project-head.tsx";
import { FeedChips } from "./feed-chips.tsx";
import { FeedDays } from "./feed-days.tsx";
import { FeedDetail } from "./feed-detail.tsx";
import { isFiltered } from "./feed-filter.ts";
import { ProjectAside } from "./project-aside.tsx";
import { ProjectContext } from "./project-context.tsx";
import { type FeedModel, useFeed } from "./use-feed.ts";

export function Feed(props: ScreenProps) {
  const id = props.params["project"] ?? "";
  return <FeedOf key={id} id={id} {...props} />;
}

function FeedOf({ id, ...props }: ScreenProps & { id: string }) {
  const model = useFeed(id, props);
  const { project, openId } = model;
  const shown = project.value.value;
  const isGone = project.state.value === "gone";
  const name = shown?.display_name ?? id;
  useFeedKeys(model);
  return (
    <PlainScreen
      title={name}
      shape={isGone ? "column" : "wide"}
      state={isGone ? "gone" : model.resource.state.value}
      head={shown === undefined || isGone ? null : <ProjectHead project={shown} current="feed" />}
    >
      {isGone ? (
        <Empty glyph="cross" title={feedText.projectGone} action={<a href="#/projects">{projectsText.title}</a>} />
      ) : (
        <Panes
          label={feedText.pane}
          list={<FeedList model={model} />}
          rest={<ProjectAside model={model} />}
          contextLabel={feedText.contextPane}
          context={<ProjectContext id={id} />}
          detail={openId === undefined ? undefined : <FeedDetail key={openId} id={openId} model={model} />}
        />
      )}
    </PlainScreen>
  );
}

function FeedList({ model }: { model: FeedModel }) {
  return (
    <div ref={model.list} class="feed" onFocusIn={model.noteFocus}>
      <FeedChips model={model} />
      {model.filter.kind === "waiting" ? (
        <WaitingRows model={model} />
      ) : (
        <LoadedContent
          resource={model.resource}
          what={feedText.what}
          skeleton={<Skeleton shape="row" amount={6} />}
          parent={{ words: projectsText.title, to: "/projects" }}
        >
          {() => <FeedBody model={model} />}
        </LoadedContent>
      )}
    </div>
  );
}

function FeedBody({ model }: { model: FeedModel }) {
  const { anchor, list } = model;
  // Entered deep: the event that was asked for is in the middle of the screen, and has the focus.
  useEffect(() => {
    if (anchor === undefined) return;
    const row = rowElement(list.current, anchor);
    row?.closest("article")?.scrollIntoView({ block: "center" });
    row?.focus({ preventScroll: true });
  }, [anchor]);
  return (
    <>
      {model.fresh === 0 && !model.hasNewer ? null : (
        <div class="fresh-line">
          {model.hasNewer ? (
            <Button glyph="up" data-newest onClick={model.toNewest}>
              {feedText.newest}
            </Button>
          ) : (
            <Button glyph="up" data-fresh onClick={model.showFresh}>
              {feedText.fresh(model.fresh)}
            </Button>
          )}
        </div>
      )}
      {model.isEmpty && !model.hasOlder ? <NothingHere model={model} /> : <FeedDays model={model} />}
    </>
  );
}

function WaitingRows({ model }: { model: FeedModel }) {
  const { items, stopId, openId } = model;
  const first = items.waiting.value.value?.items[0]?.event_id;
  const stop = items.byId.has(stopId ?? "") ? stopId : first;
  return (
    <LoadedContent resource={items.waiting} what={feedText.what} skeleton={<Skeleton shape="row" amount={3} />}>
      {({ items: waiting }) =>
        waiting.length === 0 ? (
          <NothingHere model={model} />
        ) : (
          <div class="rows">
            {waiting.map((item) => (
              <ItemRow
                key={item.event_id}
                item={item}
                href={model.hrefOf(item.event_id)}
                isShown={openId === item.event_id}
                isStop={stop === item.event_id}
                onOpen={(event) => model.open(item.event_id, event)}
                onReply={() => model.reply(item)}
              />
            ))}
          </div>
        )
      }
    </LoadedContent>
  );
}

function NothingHere({ model }: { model: FeedModel }) {
  const canReach = useReach();
  const { filter } = model;
  if (isFiltered(filter)) {
    const isPlain = filter.agent === undefined && filter.session === undefined;
    return (
      <Empty
        glyph={filter.kind === undefined || filter.kind === "waiting" ? "inbox" : filter.kind}
        title={feedText.emptyKinds[isPlain && filter.kind !== undefined ? filter.kind : "other"]}
        action={
          <Button onClick={() => model.change({ kind: undefined, agent: undefined, session: undefined })}>
            {feedText.clear}
          </Button>
        }
      />
    );
  }
  const action = canReach("/start") ? (
    <a class="button outline" href="#/start?step=agent">
      {feedText.connect}
    </a>
  ) : undefined;
  return (
    <Empty
      glyph="signal"
      title={feedText.empty}
      sentence={feedText.emptySentence}
      {...(action === undefined ? {} : { action })}
    />
  );
}

function useFeedKeys(model: FeedModel): void {
  const { list, stopId, current, openId } = model;
  const bindings = useMemo(
    () => [
      ...moveKeys((by) => moveFocus(list.current, stopId, by)),
      {
        keys: "o",
        words: feedText.keys.open,
        run: () => {
          if (stopId !== undefined) model.open(stopId);
        },
      },
      { keys: "Shift+J", words: feedText.keys.nextDay, run: () => moveByDay(list.current, 1) },
      { keys: "Shift+K", words: feedText.keys.previousDay, run: () => moveByDay(list.current, -1) },
      ...(openId === undefined
        ? []
        : [
            { keys: "Escape", words: feedText.keys.close, run: model.close, isAlways: true as const },
            { keys: "u", words: feedText.keys.close, run: model.close },
          ]),
      ...(current === undefined
        ? []
        : itemKeysOf(current, {
            write: model.reply,
            snooze: (item) => {
              const holder = [...document.querySelectorAll<HTMLElement>(`[data-id="${CSS.escape(item.event_id)}"]`)];
              const press = holder.map((one) => one.querySelector<HTMLElement>("[data-act=snooze]")).find(Boolean);
              press?.click();
            },
          })),
    ],
    [stopId, current, openId, model.filter.kind],
  );
  useKeys(bindings);
}

/** To the first row of the next day, or of this one and then of the day before it. */
function moveByDay(list: HTMLElement | null, by: 1 | -1): void {
  const days = [...(list?.querySelectorAll<HTMLElement>("[data-day]") ?? [])];
  const here = days.findIndex((day) => day.contains(document.activeElement));
  const to = days[Math.max(0, Math.min(days.length - 1, here < 0 ? 0 : here + by))];
  to?.scrollIntoView({ block: "start" });
  // A day that was put away is drawn once it is near.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => to?.querySelector<HTMLElement>("[data-row-link]")?.focus({ preventScroll: true })),
  );
}

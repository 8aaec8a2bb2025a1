// The Inbox: what waits, sleeps, is unread and is over, beside what is open of it (web-app.md 6.3).
import { useCallback, useRef } from "preact/hooks";
import { openDraft } from "../../data/drafts.ts";
import { heldItem } from "../../items/inbox-lists.ts";
import { WhenMenu } from "../../items/when-menu.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { type KeyBinding, useKeys } from "../../shell/keys.ts";
import { LoadedContent } from "../../shell/load-states.tsx";
import { Panes } from "../../shell/panes.tsx";
import { PlainScreen } from "../../shell/screen.tsx";
import type { ScreenProps } from "../../shell/screens.ts";
import { count } from "../../text/count.ts";
import { inboxText } from "../../text/en-inbox.ts";
import { BatchBar } from "./batch-bar.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { GroupView } from "./group-view.tsx";
import { InboxContext, InboxDetail } from "./inbox-detail.tsx";
import { InboxEmpty } from "./inbox-empty.tsx";
import { InboxHead } from "./inbox-head.tsx";
import { inboxKeys } from "./inbox-keys.ts";
import { moveFocus, rowElement, rowIdOf } from "./row-focus.ts";
import { RowMenu } from "./row-menu.tsx";
import { type InboxModel, itemsOf, useInbox } from "./use-inbox.ts";
import { usePull } from "./use-pull.ts";

export function Inbox(props: ScreenProps) {
  const inbox = useInbox(props);
  const { groups, shownId, acts, picked, menu } = inbox;
  useInboxKeys(inbox);
  return (
    <PlainScreen
      title={inboxText.title}
      shape="wide"
      state={groups.waiting.resource.state.value}
      head={
        <InboxHead
          counts={inbox.counts}
          asOfMs={groups.waiting.resource.asOfMs.value}
          markAll={inbox.markAll}
          onRefresh={() => void inbox.refresh() /* their states tell */}
        />
      }
    >
      <Panes
        label={inboxText.pane}
        list={<InboxList inbox={inbox} />}
        contextLabel={inboxText.history}
        context={
          shownId === undefined ? undefined : <InboxContext key={shownId} id={shownId} isPreview={inbox.isPreview} />
        }
        rest={<Empty glyph="inbox" title={inboxText.chooseOne} sentence={inboxText.chooseHint} />}
        detail={
          shownId === undefined ? undefined : (
            <InboxDetail
              key={shownId}
              id={shownId}
              isPreview={inbox.isPreview}
              onClose={inbox.close}
              onMenu={(item, anchor) => acts.menu(item, anchor)}
            />
          )
        }
      />
      {picked.size === 0 ? null : <BatchBar items={itemsOf(picked)} onClear={inbox.clearPicked} />}
      {menu === undefined ? null : <OpenedMenu inbox={inbox} menu={menu} />}
    </PlainScreen>
  );
}

function InboxList({ inbox }: { inbox: InboxModel }) {
  const { view, known, drawn, counts, isEarlierOpen } = inbox;
  const pulled = usePull(inbox.list, () => void inbox.refresh() /* their states tell */);
  const earlier = counts?.earlier ?? 0;
  return (
    <div ref={inbox.list} class="inbox-list" data-has-open={inbox.openId !== undefined} onFocusIn={inbox.show}>
      {pulled === 0 ? null : (
        <p class="pull-mark note" aria-hidden="true">
          {pulled >= 1 ? inboxText.release : inboxText.pull}
        </p>
      )}
      <FilterBar view={view} {...known} onChange={inbox.change} />
      <LoadedContent
        resource={inbox.groups.waiting.resource}
        what={inboxText.what}
        skeleton={<Skeleton shape="row" amount={6} />}
      >
        {() => (
          <>
            {inbox.isEmpty ? (
              <InboxEmpty
                view={view}
                known={known}
                onClear={inbox.clear}
                onEarlier={earlier === 0 || isEarlierOpen ? undefined : inbox.toggleEarlier}
              />
            ) : null}
            {drawn.map((group) =>
              group.name === "earlier" && !isEarlierOpen ? (
                <EarlierFold key={group.name} amount={earlier} onOpen={inbox.toggleEarlier} />
              ) : (
                <GroupView
                  key={group.name}
                  group={group}
                  total={counts?.[group.name] ?? 0}
                  acts={inbox.acts}
                  stop={inbox.stopId}
                  shown={inbox.shownId}
                  picked={inbox.picked}
                  woken={inbox.woken}
                  unfolded={inbox.unfolded}
                  onUnfold={inbox.unfold}
                  onFold={group.name === "earlier" ? inbox.toggleEarlier : undefined}
                />
              ),
            )}
          </>
        )}
      </LoadedContent>
    </div>
  );
}

function EarlierFold({ amount, onOpen }: { amount: number; onOpen: () => void }) {
  if (amount === 0) return null;
  return (
    <section class="group" data-group="earlier">
      <div class="group-head">
        <h2 tabIndex={-1}>
          {inboxText.groups.earlier}
          <span class="num faint">{count(amount)}</span>
        </h2>
        <Button look="quiet" glyph="down" aria-expanded={false} onClick={onOpen}>
          {inboxText.showEarlier}
        </Button>
      </div>
    </section>
  );
}

function OpenedMenu({ inbox, menu }: { inbox: InboxModel; menu: NonNullable<InboxModel["menu"]> }) {
  const { acts, setMenu } = inbox;
  const { item, anchor } = menu;
  const close = () => setMenu((now) => (now === menu ? undefined : now));
  if (menu.kind !== "row") return <WhenMenu purpose={menu.kind} items={[item]} anchor={anchor} onClose={close} />;
  return (
    <RowMenu
      item={item}
      anchor={anchor}
      isPicked={inbox.picked.has(item.event_id)}
      onOpen={() => acts.open(item)}
      onPick={() => acts.pick(item)}
      onWhen={(kind) => setMenu({ kind, item, anchor })}
      onClose={close}
    />
  );
}

/** Asked at each press: what the keys are about is where the focus is right then, not where it was when this was drawn. */
function useInboxKeys(inbox: InboxModel): void {
  const latest = useRef(inbox);
  latest.current = inbox;
  useKeys(useCallback(() => bindingsOf(latest.current), []));
}

function bindingsOf(inbox: InboxModel): KeyBinding[] {
  const { acts, list, stopId, shownId } = inbox;
  const current = heldItem(rowIdOf(document.activeElement) ?? shownId ?? stopId);
  const anchorOf = (id: string) => rowElement(list.current, id) ?? document.querySelector("h1") ?? document.body;
  return inboxKeys(current, {
    move: (by) => moveFocus(list.current, stopId, by),
    open: acts.open,
    // An item with half-written words stays open.
    close: shownId === undefined || holdsWords(shownId) ? undefined : inbox.close,
    write: acts.reply,
    snooze: (item) => acts.snooze(item, anchorOf(item.event_id)),
    menu: (item) => acts.menu(item, anchorOf(item.event_id)),
    pick: acts.pick,
    markAllRead: inbox.markAll?.run,
  });
}

function holdsWords(id: string): boolean {
  return ["answer", "note"].some((kind) => openDraft(`${kind} ${id}`).text.value !== "");
}

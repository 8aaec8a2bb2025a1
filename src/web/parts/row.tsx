// One thing in a list. The title is the one link, stretched over the whole row; what else can be pressed lies above it.
// Rows of a list share one tab stop, which the list moves (roving tabindex).
import type { ComponentChildren } from "preact";

export type RowTone = "lamp" | "new" | "hold";

type RowProps = {
  id: string;
  /** Kind of the thing, for tests and styles: an event kind, `artifact`, `session`, ... */
  kind: string;
  /** `waiting`, `unread`, `read`, `snoozed`, `resolved`, `held`, ... */
  itemState?: string;
  href: string;
  /** Bar at the leading edge. */
  tone?: RowTone | undefined;
  /** Glyph or avatar in its column of 28 px. */
  leading: ComponentChildren;
  title: ComponentChildren;
  /** The title's weight of something unseen or waiting. */
  isStrong?: boolean;
  /** A word about the state that only a screen reader hears, before the title. */
  hiddenWord?: string | undefined;
  time?: ComponentChildren;
  /** Lines under the title. */
  children?: ComponentChildren;
  /** Controls under the lines, shown always. */
  actions?: ComponentChildren;
  /** Small controls over the end of the row, shown on hover and focus with a fine pointer. */
  quickActions?: ComponentChildren;
  /** The thing the reading pane shows. */
  isOpen?: boolean;
  /** Picked for a batch. */
  isPicked?: boolean | undefined;
  /** Holds the list's tab stop. */
  isStop?: boolean;
  /** Place in a list that is not drawn whole. */
  place?: { position: number; total: number } | undefined;
  onOpen?: (event: MouseEvent) => void;
  onMenu?: (event: MouseEvent) => void;
  onPick?: (() => void) | undefined;
  pickLabel?: string;
};

export function Row(props: RowProps) {
  const { id, kind, itemState, href, tone, leading, title, isStrong = false, hiddenWord, time, children } = props;
  const { actions, quickActions, isOpen = false, isPicked, isStop = true, place, onOpen, onMenu } = props;
  return (
    <article
      class={`row${tone === undefined ? "" : ` ${tone}`}${isOpen ? " open" : ""}${isPicked === true ? " picked" : ""}`}
      data-id={id}
      data-kind={kind}
      data-item-state={itemState}
      aria-setsize={place?.total}
      aria-posinset={place?.position}
      onContextMenu={onMenu}
    >
      <div class="row-leading">{leading}</div>
      <div class="row-body">
        <div class="row-head">
          <a
            class={`row-title theirs${isStrong ? " strong" : ""}`}
            dir="auto"
            href={href}
            tabIndex={isStop ? 0 : -1}
            data-row-link
            aria-current={isOpen ? "true" : undefined}
            onClick={onOpen}
          >
            {hiddenWord === undefined ? null : <span class="unseen-by-eye">{`${hiddenWord}: `}</span>}
            {title}
          </a>
          {time === undefined ? null : <span class="row-time">{time}</span>}
        </div>
        {children}
        {actions === undefined ? null : <div class="row-actions">{actions}</div>}
      </div>
      {quickActions === undefined ? null : <div class="row-quick">{quickActions}</div>}
    </article>
  );
}

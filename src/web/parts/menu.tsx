// A menu beside its opener, or from the bottom edge on a phone. Arrow keys, Home and End, type-ahead; Escape and a press
// elsewhere close it. What a menu holds can be reached elsewhere too.
import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { GlyphName } from "../glyphs/drawings.ts";
import { Glyph } from "../glyphs/glyph.tsx";

export type MenuEntry = {
  words: string;
  glyph?: GlyphName;
  /** Faint, at the end of the line: a time, a key. */
  meta?: string | undefined;
  /** Why it cannot be chosen now; it stays reachable and says so. */
  reason?: string | undefined;
  isChecked?: boolean;
  onChoose: () => void;
};

type MenuProps = {
  /** Names the menu, and stands above the entries on a phone. */
  label: string;
  /** The button it hangs from; a point on the screen for a context menu. */
  anchor: HTMLElement | { x: number; y: number };
  entries: readonly MenuEntry[];
  onClose: () => void;
};

const edgePx = 8;

export function Menu({ label, anchor, entries, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: "", atMs: 0 });
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    element.showPopover();
    place(element, anchor);
    items(element)[0]?.focus();
  }, [anchor]);
  useEffect(() => {
    const opener = anchor instanceof HTMLElement ? anchor : document.activeElement;
    return () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [anchor]);

  function press(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const all = items(event.currentTarget);
    const here = document.activeElement instanceof HTMLElement ? all.indexOf(document.activeElement) : -1;
    const to = target(event.key, here, all, typed.current, event.timeStamp);
    event.stopPropagation();
    if (event.key === "Tab") onClose();
    if (event.key === "Escape") {
      event.preventDefault();
      focusOpener();
      onClose();
    }
    if (to === undefined) return;
    event.preventDefault();
    all[to]?.focus();
  }

  function focusOpener(): void {
    if (anchor instanceof HTMLElement) anchor.focus();
  }

  return (
    <div
      ref={menu}
      class="menu"
      role="menu"
      tabIndex={-1}
      popover="auto"
      aria-label={label}
      onKeyDown={press}
      onToggle={(event) => {
        if (event.newState === "closed") onClose();
      }}
    >
      <p class="menu-label theirs" aria-hidden="true" dir="auto">
        {label}
      </p>
      {entries.map((entry) => (
        <MenuItem
          key={entry.words}
          entry={entry}
          onChoose={() => {
            focusOpener();
            entry.onChoose();
            onClose();
          }}
        />
      ))}
    </div>
  );
}

function MenuItem({ entry, onChoose }: { entry: MenuEntry; onChoose: () => void }): ComponentChildren {
  const { words, glyph, meta, reason, isChecked } = entry;
  const checked = isChecked === undefined ? {} : { "aria-checked": isChecked };
  return (
    <button
      type="button"
      role={isChecked === undefined ? "menuitem" : "menuitemradio"}
      {...checked}
      tabIndex={-1}
      aria-disabled={reason === undefined ? undefined : true}
      onClick={reason === undefined ? onChoose : undefined}
    >
      {glyph === undefined && isChecked === undefined ? null : (
        <span class="menu-glyph">{glyphOf(glyph, isChecked)}</span>
      )}
      <span class="menu-words">
        <span class="theirs" dir="auto">
          {words}
        </span>
        {reason === undefined ? null : <small>{reason}</small>}
      </span>
      {meta === undefined ? null : <span class="menu-meta num">{meta}</span>}
    </button>
  );
}

function glyphOf(glyph: GlyphName | undefined, isChecked: boolean | undefined): ComponentChildren {
  if (isChecked === true) return <Glyph name="check" size={18} />;
  return glyph === undefined ? null : <Glyph name={glyph} size={18} />;
}

function items(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("button")];
}

const typingMs = 600;

/** Index of the entry a key leads to; undefined for a key that leads nowhere. */
function target(
  key: string,
  here: number,
  all: readonly HTMLElement[],
  typed: { text: string; atMs: number },
  atMs: number,
): number | undefined {
  const last = all.length - 1;
  if (key === "ArrowDown") return here >= last ? 0 : here + 1;
  if (key === "ArrowUp") return here <= 0 ? last : here - 1;
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key.length !== 1 || key === " ") return undefined;
  typed.text = atMs - typed.atMs > typingMs ? key.toLowerCase() : typed.text + key.toLowerCase();
  typed.atMs = atMs;
  const found = all.findIndex((item) => (item.textContent ?? "").trim().toLowerCase().startsWith(typed.text));
  return found < 0 ? undefined : found;
}

/** Under its opener where there is room, above it where there is not; a phone's style sheet pins it to the bottom. */
function place(menu: HTMLElement, anchor: HTMLElement | { x: number; y: number }): void {
  const box = anchor instanceof HTMLElement ? anchor.getBoundingClientRect() : new DOMRect(anchor.x, anchor.y, 0, 0);
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isRtl = getComputedStyle(menu).direction === "rtl";
  const wished = isRtl ? innerWidth - box.right : box.left;
  const start = Math.max(edgePx, Math.min(wished, innerWidth - width - edgePx));
  const below = box.bottom + 4;
  const top = below + height > innerHeight - edgePx ? Math.max(edgePx, box.top - height - 4) : below;
  menu.style.setProperty("--menu-x", `${start}px`);
  menu.style.setProperty("--menu-y", `${top}px`);
}

// Chips: a filter that is on or off, a value that stands there, or a link to what is spoken of.
import type { ComponentChildren } from "preact";
import type { GlyphName } from "../glyphs/drawings.ts";
import { Glyph } from "../glyphs/glyph.tsx";

type FilterChipProps = { isOn: boolean; onPress: () => void; children: ComponentChildren };

export function FilterChip({ isOn, onPress, children }: FilterChipProps) {
  return (
    <button type="button" class="chip filter" aria-pressed={isOn} onClick={onPress}>
      {isOn ? <Glyph name="check" size={14} /> : null}
      <span class="theirs" dir="auto">
        {children}
      </span>
    </button>
  );
}

type LinkChipProps = { href: string; glyph: GlyphName; children: ComponentChildren };

export function LinkChip({ href, glyph, children }: LinkChipProps) {
  return (
    <a class="chip" href={href}>
      <Glyph name={glyph} size={16} />
      <span class="theirs" dir="auto">
        {children}
      </span>
    </a>
  );
}

/** Filters in one line that scrolls sideways; the cut at its end shows that there is more. */
export function ChipRow({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <fieldset class="chip-row" aria-label={label} onFocusIn={showWhole}>
      {children}
    </fieldset>
  );
}

// A browser leaves alone what it can see a part of; its ring would be cut.
function showWhole({ target }: FocusEvent): void {
  if (target instanceof Element) target.scrollIntoView({ block: "nearest", inline: "center" });
}

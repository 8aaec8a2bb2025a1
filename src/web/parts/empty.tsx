// Nothing here: what would be, and at most one thing to do about it.
import type { ComponentChildren } from "preact";
import type { GlyphName } from "../glyphs/drawings.ts";
import { Glyph } from "../glyphs/glyph.tsx";

type EmptyProps = { glyph: GlyphName; title: string; sentence?: string; action?: ComponentChildren };

export function Empty({ glyph, title, sentence, action }: EmptyProps) {
  return (
    <div class="empty" tabIndex={-1} data-empty>
      <Glyph name={glyph} size={40} />
      <p class="empty-title">{title}</p>
      {sentence === undefined ? null : <p>{sentence}</p>}
      {action}
    </div>
  );
}

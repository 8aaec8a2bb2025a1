// What happens by itself, and in how long: lamp while it waits, hold while it sleeps, plain once it is past. The line
// under it shortens with each tick.
import { Glyph } from "../glyphs/glyph.tsx";

type DeadlineChipProps = {
  /** "Declines itself in 14 min". */
  words: string;
  tone: "lamp" | "hold" | "plain";
  /** Share of the time that is left, 0 to 1; absent when the beginning is not known. */
  left?: number | undefined;
};

export function DeadlineChip({ words, tone, left }: DeadlineChipProps) {
  return (
    <span class={`deadline ${tone}`}>
      <Glyph name="clock" size={14} />
      <span class="num">{words}</span>
      {left === undefined ? null : (
        <i aria-hidden="true" style={{ inlineSize: `${Math.round(100 * Math.min(1, Math.max(0, left)))}%` }} />
      )}
    </span>
  );
}

// Draws one glyph. Beside a word it says nothing; alone it carries the label that names its object.
import { drawings, type GlyphName } from "./drawings.ts";

type GlyphProps = {
  name: GlyphName;
  /** Set when no word stands beside it, and then it names the object: "Snooze: Ship release 2.4?". */
  label?: string;
  /** Side in CSS pixels. */
  size?: number;
};

export function Glyph({ name, label, size = 20 }: GlyphProps) {
  const isFilled = name === "more";
  return (
    <svg
      role={label === undefined ? undefined : "img"}
      aria-label={label}
      aria-hidden={label === undefined ? true : undefined}
      data-glyph={name}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill={isFilled ? "currentColor" : "none"}
      stroke={isFilled ? "none" : "currentColor"}
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d={drawings[name]} />
    </svg>
  );
}

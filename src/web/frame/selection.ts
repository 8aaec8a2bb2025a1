// Tells the page what the reader has selected, so that it can offer to comment on it.
import { prefixChars, quoteChars } from "./messages.ts";
import { say } from "./say.ts";

export function reportSelection(): void {
  for (const end of ["pointerup", "keyup"]) addEventListener(end, () => setTimeout(report, 0));
}

function report(): void {
  const selection = getSelection();
  const quote = selection?.toString().trim() ?? "";
  if (selection === null || quote === "" || selection.rangeCount === 0) return;
  const range = selection.getRangeAt(0);
  const { left, bottom } = range.getBoundingClientRect();
  const { scrollWidth, scrollHeight } = document.documentElement;
  const before = document.createRange();
  before.setStart(document.body, 0);
  before.setEnd(range.startContainer, range.startOffset);
  say({
    type: "select",
    quote: quote.slice(0, quoteChars),
    prefix: before.toString().slice(-prefixChars),
    x: (left + scrollX) / scrollWidth,
    y: (bottom + scrollY) / scrollHeight,
  });
}

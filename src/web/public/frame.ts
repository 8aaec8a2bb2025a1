// The frame of a public page: made in the page's theme, as tall as its document, and asked about before a link opens.
import { type Embedded, embed } from "../frame/embed.ts";
import type { ToFrame } from "../frame/messages.ts";
import { askToOpen } from "./ask-link.ts";
import { currentTheme } from "./theme.ts";

/** @param source address of the frame, without its theme @param first what it is told once it is there */
export function openFrame(slot: HTMLElement, source: string, first: readonly ToFrame[]): Embedded {
  const frame = document.createElement("iframe");
  frame.title = slot.dataset["title"] ?? "";
  frame.setAttribute("sandbox", "allow-scripts");
  const embedded = embed(frame, {
    height: ({ px }) => frame.style.setProperty("block-size", `${px}px`),
    link: ({ href }) => askToOpen(href),
  });
  // Only the document the hub served is spoken to: what comes after it in the same frame is none of ours.
  frame.addEventListener("load", () => first.forEach(embedded.send), { once: true });
  const address = new URL(source, document.baseURI);
  address.searchParams.set("theme", currentTheme());
  frame.src = address.href;
  slot.replaceChildren(frame);
  return embedded;
}

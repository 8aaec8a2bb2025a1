// Links are inert: a press is told, and the page around the frame asks before it opens anything. Fragments stay inside.
import { say } from "./say.ts";

export function reportLinks(): void {
  for (const press of ["click", "auxclick"]) addEventListener(press, onPress, { capture: true });
}

function onPress(event: Event): void {
  const link = event.composedPath().find(isLink);
  const href = link?.getAttribute("href") ?? null;
  if (href === null) return;
  if (href.startsWith("#")) {
    // The frame is as tall as the document, so the page around it has to move.
    targetOf(href.slice(1))?.scrollIntoView({ block: "start" });
    return;
  }
  event.preventDefault();
  say({ type: "link", href });
}

function isLink(target: EventTarget): target is Element {
  return target instanceof Element && (target.localName === "a" || target.localName === "area");
}

function targetOf(fragment: string): Element | null {
  if (fragment === "") return document.documentElement;
  return document.getElementById(fragment) ?? document.getElementById(decoded(fragment));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not encoded, so it is what it says
  }
}

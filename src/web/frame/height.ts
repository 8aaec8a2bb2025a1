// Tells how tall the document is, at most ten times a second.
import { say } from "./say.ts";

const pauseMs = 100;

export function reportHeight(): void {
  let last = 0;
  let isDue = false;

  function measure(): void {
    isDue = false;
    const root = document.documentElement;
    // Only what the document needs: the scrolled height would never be less than the frame's.
    const body = document.body?.scrollHeight ?? 0;
    const px = Math.ceil(Math.max(root.getBoundingClientRect().height, body));
    if (px === last) return;
    last = px;
    say({ type: "height", px });
  }

  function note(): void {
    if (isDue) return;
    isDue = true;
    setTimeout(measure, pauseMs);
  }

  const observer = new ResizeObserver(note);
  observer.observe(document.documentElement);
  whenParsed(() => {
    if (document.body !== null) observer.observe(document.body);
    measure();
  });
  addEventListener("load", note);
}

export function whenParsed(act: () => void): void {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", act, { once: true });
  else act();
}

// Walks a screen by Tab and tells what is wrong on the way: focus that is lost, cannot be seen, lies under a bar or goes
// against the order of reading (web-app.md 9.1).
import type { Page } from "@playwright/test";

const mostStops = 150;
const firstStops = "a[href], button, input:not([tabindex='-1'])";

export type Walk = {
  /** Names of the stops, in order. */
  stops: string[];
  faults: string[];
};

export async function walkByTab(page: Page): Promise<Walk> {
  const walk: Walk = { stops: [], faults: [] };
  for (let stop = 0; stop < mostStops; stop += 1) {
    // From the first one: where a page was just moved by its address, Tab begins at its heading.
    if (stop === 0) await page.locator(firstStops).filter({ visible: true }).first().focus();
    else await page.keyboard.press("Tab");
    const seen = await page.evaluate(lookAt, stop === 0);
    if (seen.isOver) break;
    walk.stops.push(seen.name);
    walk.faults.push(...seen.faults.map((fault) => `${fault}: ${seen.name}`));
  }
  return walk;
}

type Seen = { name: string; faults: string[]; isOver: boolean };

/** Runs in the page. */
async function lookAt(isFirst: boolean): Promise<Seen> {
  const faults: string[] = [];
  const here = document.activeElement;
  const left: unknown = isFirst ? null : Reflect.get(window, "stopBefore");
  const before = left instanceof Element ? left : null;
  Reflect.set(window, "stopBefore", here);
  if (here === null || here === document.body) {
    // After the last stop a browser goes to its own bars, of which the page sees the body.
    return { name: "body", faults: [], isOver: true };
  }
  const words = (here.getAttribute("aria-label") ?? here.textContent ?? "").trim().slice(0, 40);
  const name = `${here.tagName.toLowerCase()}.${here.getAttribute("class") ?? ""} "${words}"`;
  // A document in the page has stops of its own.
  if (here.matches("iframe")) return { name: "document", faults, isOver: true };
  if (before !== null && !(before.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING)) {
    return { name, faults, isOver: true };
  }
  await Promise.allSettled(here.getAnimations().map(({ finished }) => finished));
  // It went away while it was looked at, as a button that loads the rest does.
  if (!here.isConnected) return { name, faults, isOver: false };

  const ring = [
    getComputedStyle(here),
    getComputedStyle(here, "::after"),
    getComputedStyle(here, "::before"),
    ...(here.nextElementSibling === null || !here.matches("input") ? [] : [getComputedStyle(here.nextElementSibling)]),
  ].find(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2);
  if (ring === undefined) faults.push("no ring");

  // Where the words of a radio button are what one sees of it.
  const drawn = here.matches("input[type=radio]") ? (here.closest("label") ?? here) : here;
  const box = drawn.getBoundingClientRect();
  const isInside =
    box.bottom > 0 &&
    box.top < innerHeight &&
    box.right > 0 &&
    box.left < innerWidth &&
    box.width > 0 &&
    box.height > 0;
  if (!isInside) faults.push("out of sight");
  else {
    const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
    const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
    const top = document.elementFromPoint(x, y);
    const isOnTop = top !== null && (drawn.contains(top) || top.contains(drawn));
    if (!isOnTop) faults.push(`under ${top?.tagName.toLowerCase()}.${top?.getAttribute("class") ?? ""}`);
  }

  // The order of reading, within one part of the page.
  const part = (element: Element) =>
    element.closest("nav, header.top, .pane-list, .pane-detail, aside, dialog, main, body");
  if (before?.isConnected === true && part(before) === part(here) && before.checkVisibility()) {
    const last = before.getBoundingClientRect();
    // What scrolled into sight, or out of it, is measured where it now is.
    if (last.height > 0 && box.bottom <= last.top) faults.push("above what came before it");
    const isSameLine =
      Math.min(box.bottom, last.bottom) - Math.max(box.top, last.top) > Math.min(box.height, last.height) / 2;
    const isRtl = getComputedStyle(here.parentElement ?? here).direction === "rtl";
    const isBack = isRtl ? box.left >= last.right : box.right <= last.left;
    if (isSameLine && isBack) faults.push("before what came before it");
  }
  return { name, faults, isOver: false };
}

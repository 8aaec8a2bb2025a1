// The Inbox as an operator finds it on the page: rows by their words, groups by name, controls by what they do.
import { expect, type Locator, type Page } from "@playwright/test";
import { request } from "../support/operator.ts";
import type { WebHub } from "./support/hub.ts";

export function rowOf(page: Page, words: string): Locator {
  return page.locator("article.row").filter({ has: page.getByRole("link", { name: words }) });
}

export function group(page: Page, name: "waiting" | "snoozed" | "unread" | "earlier"): Locator {
  return page.locator(`[data-group=${name}]`);
}

export async function titles(place: Locator): Promise<string[]> {
  return place
    .locator("[data-row-link]")
    .evaluateAll((links) => links.map((link) => (link.lastChild?.textContent ?? "").trim()));
}

export function act(place: Locator, name: string): Locator {
  return place.locator(`[data-act="${name}"]`);
}

export function pane(page: Page): Locator {
  return page.locator(".item-view");
}

/** The toast's way back. */
export function undo(page: Page): Locator {
  return page.locator("[data-toast=undo]").getByRole("button", { name: "Undo" });
}

/** Decisions leave at once, as chosen in Settings. */
export function sendAtOnce(page: Page): Promise<void> {
  return hold(page, 0);
}

/** How long a decision is held, as chosen in Settings. */
export async function hold(page: Page, seconds: 0 | 20): Promise<void> {
  await page.addInitScript((chosen) => localStorage.setItem("hub:/:hold", chosen), String(seconds));
}

export type Stored = { status: string; decision?: object; answer?: object; snoozed_until?: string };

/** The item as the hub has it. */
export async function stored(hub: WebHub, id: string): Promise<Stored> {
  const { body } = await request(hub.url, hub.adminToken, "listInbox", { query: { event_id: id } });
  const items = body["items"];
  // The answer of a call of the shared table.
  return (Array.isArray(items) ? items[0] : undefined) as unknown as Stored;
}

export async function expectStored(hub: WebHub, id: string, wanted: Record<string, unknown>): Promise<void> {
  await expect.poll(() => stored(hub, id)).toMatchObject(wanted);
}

const restMs = 150;

/**
 * One finger down at the first place, over the others, and up at the last, after a rest there. All of the way is sent at
 * once: a browser that is waited for between two steps sees a finger that stays, which is another gesture.
 */
export async function drag(page: Page, places: readonly { x: number; y: number }[]): Promise<void> {
  const touch = await page.context().newCDPSession(page);
  const [first, ...rest] = places.map((place) => [place]);
  if (first === undefined) throw new Error("a finger must be somewhere");
  await Promise.all([
    touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: first }),
    ...rest.map((touchPoints) => touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints })),
  ]);
  // A flick would go on, and the browser takes the next tap to stop it.
  await page.waitForTimeout(restMs);
  const last = (rest.at(-1) ?? first).map(({ x, y }) => ({ x: x + 1, y }));
  await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: last });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await touch.detach();
}

/** Requests of one kind that left the page, as they leave. */
export function sent(page: Page, pattern: RegExp): string[] {
  const lines: string[] = [];
  page.on("request", (asked) => {
    if (asked.method() !== "GET" && pattern.test(asked.url()))
      lines.push(`${asked.method()} ${asked.postData() ?? ""}`);
  });
  return lines;
}

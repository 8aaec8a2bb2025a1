// The notifications that are on the screen: raised and taken away through the worker's registration, one tag an item.
// What each is about is in its data, since the browser keeps them longer than any tab lives.
import { isObject } from "../../shared/json.ts";
import type { InboxItemView } from "../../shared/views.ts";
import { notificationText } from "../data/preferences.ts";
import { addressOf, keyOf } from "../data/scope.ts";
import { joinClaimOf, nameOfActor } from "../items/agents.ts";
import { readPayload } from "../items/payload.ts";
import { hubName } from "../shell/lamp.ts";
import { routeText } from "../shell/route.ts";
import { notifyText } from "../text/en-notifications.ts";
import { projectName } from "../text/names.ts";

const mostWords = 200;
const minuteMs = 60_000;

type Told = { kind: "item" | "reminder" | "many" | "test"; ids: readonly string[]; amount?: number };
export type Notice = Told & { close(): void };

export async function shownNotices(): Promise<Notice[]> {
  const worker = await workerHere();
  const shown = (await worker?.getNotifications()) ?? [];
  return shown.flatMap((notification) => {
    const told = toldOf(notification.data);
    return told === undefined ? [] : [{ ...told, close: () => notification.close() }];
  });
}

export async function showItem(item: InboxItemView): Promise<void> {
  await show(titleOf(item), bodyOf(item), item.event_id, itemRoute(item), { kind: "item", ids: [item.event_id] });
}

/** In place of the item's own, if that is there: closed first, since a replaced one is not heard. */
export async function showReminder(item: InboxItemView, leftMs: number): Promise<void> {
  const { event_id: id } = item;
  for (const notice of await shownNotices()) if (notice.kind === "item" && notice.ids.includes(id)) notice.close();
  const what = notificationText.value === "on" ? wordsOf(item) : whatOf(item);
  const body = notifyText.approvesItself(Math.ceil(leftMs / minuteMs), what);
  await show(titleOf(item), body, id, itemRoute(item), { kind: "reminder", ids: [id] });
}

/** @param amount of all that wait */
export async function showMany(ids: readonly string[], amount: number, isSilent = false): Promise<void> {
  const told: Told = { kind: "many", ids, amount };
  await show(notifyText.many(amount), notifyText.inbox(hubName()), "many", "/inbox", told, isSilent);
}

/** False when the browser shows none. */
export function showTest(): Promise<boolean> {
  const told: Told = { kind: "test", ids: [] };
  return show(notifyText.testTitle, notifyText.testBody(hubName()), "test", "/settings", told);
}

async function show(
  title: string,
  body: string,
  tag: string,
  route: string,
  told: Told,
  isSilent = false,
): Promise<boolean> {
  const worker = await workerHere();
  if (worker === undefined) return false;
  try {
    await worker.showNotification(title, {
      body,
      // Tags are the origin's, and two hubs may share one.
      tag: keyOf(tag),
      icon: addressOf("icon-192.png"),
      badge: addressOf("icon-512-monochrome.png"),
      silent: isSilent,
      data: { ...told, route },
    });
    return true;
  } catch {
    return false; // no longer allowed: the settings say so
  }
}

/** This hub's own; another one may hold the origin's root. */
async function workerHere(): Promise<ServiceWorkerRegistration | undefined> {
  const scope = addressOf("");
  const found = await navigator.serviceWorker.getRegistration(scope);
  return found?.scope === scope && found.active !== null ? found : undefined;
}

function toldOf(data: unknown): Told | undefined {
  if (!isObject(data) || !Array.isArray(data["ids"])) return undefined;
  const { kind, amount } = data;
  if (kind !== "item" && kind !== "reminder" && kind !== "many" && kind !== "test") return undefined;
  return { kind, ids: data["ids"].map(String), ...(typeof amount === "number" ? { amount } : {}) };
}

function itemRoute(item: InboxItemView): string {
  return routeText(["inbox", item.event_id]);
}

function isJoining(item: InboxItemView): boolean {
  return joinClaimOf(item, readPayload(item).claimsToJoin).kind === "true";
}

// Who asks to join has no project yet.
function titleOf(item: InboxItemView): string {
  return notifyText.needsYou(isJoining(item) ? hubName() : projectName(item));
}

function bodyOf(item: InboxItemView): string {
  return notificationText.value === "on" ? notifyText.withWords(whatOf(item), wordsOf(item)) : whatOf(item);
}

function whatOf(item: InboxItemView): string {
  const agent = nameOfActor(item.actor);
  return isJoining(item) ? notifyText.joins(agent) : notifyText.asks[item.kind](agent);
}

function wordsOf({ summary }: InboxItemView): string {
  const letters = [...summary];
  return letters.length <= mostWords ? summary : `${letters.slice(0, mostWords).join("")}…`;
}

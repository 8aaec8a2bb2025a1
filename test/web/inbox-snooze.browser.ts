// Setting aside and waking: kept by the hub, the same on every device, unseen by agents (web-app.md 6.5).

import { openFakeClock } from "../support/faketime.ts";
import { hour, request } from "./fixtures/inbox.ts";
import { act, expectStored, group, rowOf, stored, titles, undo } from "./inbox-page.ts";
import { expect, live, openApp, test } from "./support/app.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test("SNZ-01 SNZ-02 a snooze on a phone hides on the desktop; agents see no difference", async ({
  page,
  hub,
  browser,
}) => {
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const id = await request(ann, "lab", "Ship it?");
  const seenBefore = JSON.stringify(await ann.call("inbox_read"));
  await openApp(page, hub, "/inbox");
  await live(page);
  const context = await browser.newContext({ ...phone, locale: "en-GB", timezoneId: "UTC" });
  const handheld = await context.newPage();
  await openApp(handheld, hub, "/inbox");
  await act(rowOf(handheld, "Ship it?"), "snooze").tap();
  await handheld.getByRole("menuitem", { name: "Tomorrow" }).tap();
  await expect(handheld.locator("[data-toast=undo]")).toContainText("Snoozed until tomorrow 08:00.");
  await expect(group(page, "waiting")).toHaveCount(0);
  await expect(group(page, "snoozed")).toContainText("Back at tomorrow 08:00");
  expect(await page.title()).not.toContain("(1)");
  expect(JSON.stringify(await ann.call("inbox_read"))).toBe(seenBefore);
  await undo(handheld).tap();
  await expect(group(page, "waiting")).toContainText("Ship it?");
  expect((await stored(hub, id)).snoozed_until).toBeUndefined();
  await context.close();
});

test("SNZ-03 it wakes by its control, and undo puts it back to sleep", async ({ page, hub }) => {
  await hub.project("lab");
  const id = await request(await hub.agent("ann"), "lab", "Ship it?");
  const until = new Date(Date.now() + 5 * 3600_000).toISOString();
  await hub.operate("snoozeItem", { params: { event_id: id }, body: { until } });
  await openApp(page, hub, "/inbox");
  await rowOf(page, "Ship it?").hover();
  await act(rowOf(page, "Ship it?"), "wake").click();
  await expect(group(page, "waiting")).toContainText("Ship it?");
  await undo(page).click();
  await expect(group(page, "snoozed")).toContainText("Ship it?");
  await expectStored(hub, id, { snoozed_until: until });
});

test("SNZ-03 SNZ-04 it wakes by time and says so; one whose deadline passed in its sleep is over", async ({
  page,
  anotherHub,
}) => {
  await using clock = await openFakeClock();
  const hub = await anotherHub({ ...clock.env, HUB_SWEEP_INTERVAL_SECS: "1" });
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const at = (hours: number) => new Date(clock.now() + hours * hour * 1000).toISOString();
  const sleeper = await request(ann, "lab", "Ship it?");
  const late = await request(ann, "lab", "Order more seeds?", { expires_in_seconds: 2 * hour, on_expiry: "decline" });
  await hub.operate("snoozeItem", { params: { event_id: sleeper }, body: { until: at(1) } });
  await openApp(page, hub, "/inbox");
  await live(page);
  await expect(group(page, "snoozed")).toContainText("Ship it?");
  await act(rowOf(page, "Order more seeds?"), "snooze").click();
  await page.getByRole("menuitem", { name: "1 hour" }).click();
  await expect.poll(() => titles(group(page, "snoozed"))).toEqual(["Ship it?", "Order more seeds?"]);
  // No hand on the list: what happens by itself is shown at once.
  await page.mouse.move(700, 5);
  await page.getByRole("heading", { level: 1 }).focus();

  // Both were set aside for an hour; the deadline of the second is an hour further.
  await clock.move(1.1 * hour * 1000);
  const back = rowOf(page, "Ship it?");
  await expect(back).toHaveAttribute("data-item-state", "waiting");
  await expect(back).toContainText("Back from snooze");
  await expect(rowOf(page, "Order more seeds?")).toContainText("Back from snooze");
  expect(await page.title()).toContain("(2)");

  // One that was woken by hand is back because the operator wanted it so.
  await act(back, "snooze").click();
  await page.getByRole("menuitem", { name: "Pick a time" }).click();
  await page.getByLabel("Date and time").fill(at(30).slice(0, 16));
  await page.getByRole("dialog").getByRole("button", { name: "Snooze until then" }).click();
  await expect(group(page, "snoozed")).toContainText("Ship it?");
  await undo(page).click();
  await expect(rowOf(page, "Ship it?")).toContainText("Waiting");

  await hub.operate("snoozeItem", { params: { event_id: late }, body: { until: at(20) } });
  await expect(group(page, "snoozed")).toContainText("Order more seeds?");
  await clock.move(hour * 1000);
  await expectStored(hub, late, { status: "resolved" });
  await expect(group(page, "snoozed")).toHaveCount(0);
  await page.getByRole("button", { name: "Show earlier" }).click();
  await expect(group(page, "earlier")).toContainText("Order more seeds?");
  await expect(group(page, "earlier")).toContainText("Declined at the deadline by the hub");
});

test("SNZ-04 times past the item's own deadline are off and say why", async ({ page, hub }) => {
  await hub.project("lab");
  await request(await hub.agent("ann"), "lab", "Ship it?", { expires_in_seconds: 600 });
  await openApp(page, hub, "/inbox");
  await act(rowOf(page, "Ship it?"), "snooze").click();
  const tomorrow = page.getByRole("menuitem", { name: "Tomorrow" });
  await expect(tomorrow).toHaveAttribute("aria-disabled", "true");
  await expect(tomorrow).toContainText("It declines itself before then.");
  await page.getByRole("menuitem", { name: "Pick a time" }).click();
  await expect(page.getByRole("dialog")).toContainText("It declines itself before then.");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => titles(group(page, "waiting"))).toEqual(["Ship it?"]);
});

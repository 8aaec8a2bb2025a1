// Home (web-app.md 6.2): one call paints it, the headline counts, what waits is decided in place.
import type { Page } from "@playwright/test";
import { fillSessions, say } from "./fixtures/feed.ts";
import { ask, fillTypical, fillZoo, finish, request } from "./fixtures/inbox.ts";
import { act, expectStored, rowOf, sendAtOnce, undo } from "./inbox-page.ts";
import { lampNodes } from "./lamp-nodes.ts";
import { expect, live, openApp, test } from "./support/app.ts";

function part(page: Page, name: "waiting" | "at-work" | "unseen" | "recent") {
  return page.locator(`[data-part="${name}"]`);
}

const headline = (page: Page) => page.getByRole("heading", { level: 1 });

test("HOM-01 one call paints everything", async ({ page, hub }) => {
  await fillSessions(hub, await fillTypical(hub));
  const asked: string[] = [];
  // The first word of the stream asks for all that is shown once more; what paints the screen is what comes before it.
  await page.route(/\/api\/v1\/stream$/, () => undefined);
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/") && pathname !== "/api/v1/stream") asked.push(`${request.method()} ${pathname}`);
  });
  await openApp(page, hub, "/");
  for (const name of ["waiting", "at-work", "unseen", "recent"] as const) await expect(part(page, name)).toBeVisible();
  await expect(page.locator(".housekeeping")).toContainText(/\d/);
  expect(asked).toEqual(["GET /api/v1/home"]);
});

test("HOM-02 the headline in zero, one and more, and a hub where nothing ever happened", async ({ page, hub }) => {
  await openApp(page, hub, "/");
  await live(page);
  await expect(headline(page)).toHaveText("Your hub is ready.");
  await expect(page.locator("main")).toContainText("No agent has spoken yet.");
  await hub.project("lab");
  const agent = await hub.agent("ann");
  await finish(agent, "lab", "The first thing");
  await expect(headline(page)).toHaveText("Nothing waits for you.");
  await expect(part(page, "waiting")).toHaveCount(0);
  await ask(agent, "lab", "One question?");
  await expect(headline(page)).toHaveText("One thing waits for you.");
  await ask(agent, "lab", "Another question?");
  await expect(headline(page)).toHaveText("2 things wait for you.");
  await expect(page).toHaveTitle("(2) Home · testbox");
});

test("HOM-03 of nine that wait three are shown, and where the others are", async ({ page, hub }) => {
  await hub.project("lab");
  const agent = await hub.agent("ann");
  for (let number = 1; number <= 9; number += 1) {
    await request(agent, "lab", `Request ${number}`, { expires_in_seconds: 4000 - number });
  }
  await openApp(page, hub, "/");
  // The soonest deadline first.
  await expect(part(page, "waiting").locator("[data-row-link]")).toHaveText(["Request 9", "Request 8", "Request 7"]);
  await page.getByRole("link", { name: "6 more in the inbox" }).click();
  await expect(page.locator("main")).toHaveAttribute("data-screen", "inbox");
});

test("HOM-04 a capacity nobody measured is no bar and no zero", async ({ page, hub }) => {
  await hub.project("lab");
  await finish(await hub.agent("ann"), "lab", "Done");
  await page.route(/\/api\/v1\/home$/, async (route) => {
    const response = await route.fetch();
    const home: object = await response.json();
    const storage = { used_bytes: 1_300_000_000, capacity_bytes: null, free_bytes: null };
    await route.fulfill({ response, json: { ...home, storage, needs_review: null } });
  });
  await openApp(page, hub, "/");
  await expect(page.locator(".housekeeping")).toHaveText("1.3 GB used");
  await expect(page.locator(".usage-bar")).toHaveCount(0);
  await expect(page.locator("main")).not.toContainText(/undefined|NaN|null|Invalid Date/);
});

test("HOM-05 a decision made here reaches the hub after its hold, and can be undone before", async ({ page, hub }) => {
  await hub.project("lab");
  const agent = await hub.agent("ann");
  const first = await request(agent, "lab", "Ship it?");
  await request(agent, "lab", "Delete it?");
  await openApp(page, hub, "/");
  await live(page);
  await act(rowOf(page, "Delete it?"), "decline").click();
  await rowOf(page, "Delete it?").locator("[data-undo]").click();
  await expect(act(rowOf(page, "Delete it?"), "decline")).toBeVisible();
  await act(rowOf(page, "Ship it?"), "approve").click();
  await expect(rowOf(page, "Ship it?").first()).toHaveAttribute("data-item-state", "held");
  await expectStored(hub, first, { status: "resolved", decision: { decision: "approved" } });
  await expect(headline(page)).toHaveText("One thing waits for you.");
  await act(rowOf(page, "Delete it?"), "snooze").click();
  await page.getByRole("menuitem").first().click();
  await expect(headline(page)).toHaveText("Nothing waits for you.");
  await undo(page).click();
  await expect(headline(page)).toHaveText("One thing waits for you.");
});

test("HOM-06 with nothing waiting the lamp is on nowhere", async ({ page, hub }) => {
  await hub.project("lab");
  const agent = await hub.agent("ann");
  await finish(agent, "lab", "Done");
  await agent.call("session_start", { project_id: "lab", session_name: "one" });
  await say(agent, "lab", "signal", "Still here.");
  await openApp(page, hub, "/");
  expect(await lampNodes(page)).toEqual([]);
  for (const route of ["/projects", "/p/lab/feed", "/p/lab/settings"]) {
    await page.goto(`${hub.url}/#${route}`);
    await expect(page.locator("main[data-state=ready]")).toBeVisible();
    expect(await lampNodes(page)).toEqual([]);
  }
});

test("HOM-07 a project is no news any more once its feed was opened", async ({ page, hub }) => {
  await hub.project("lab", "The lab");
  await hub.project("shed", "The shed");
  const agent = await hub.agent("ann");
  await finish(agent, "lab", "Done in the lab");
  await finish(agent, "shed", "Done in the shed");
  await openApp(page, hub, "/");
  await live(page);
  const seen = page.waitForResponse(/\/feed\/seen$/);
  await part(page, "unseen").getByRole("link", { name: "The lab" }).click();
  await seen;
  await page.goBack();
  await expect(part(page, "unseen").locator("[data-row-link]")).toHaveText(["The shed"]);
});

test("the keys go through all rows and decide the one with the focus", async ({ page, hub }) => {
  await sendAtOnce(page);
  await hub.project("lab");
  const agent = await hub.agent("ann");
  const id = await ask(agent, "lab", "Which one?", { options: ["This", "That"] });
  await finish(agent, "lab", "Done");
  await openApp(page, hub, "/");
  await page.keyboard.press("j");
  await expect(page.locator(":focus")).toHaveText("Which one?");
  await page.keyboard.press("2");
  await expectStored(hub, id, { status: "resolved", answer: { body: "That" } });
  await expect(page.locator(":focus")).toHaveAttribute("data-row-link", "true");
});

test("LAW-04 under the hand nothing moves, and what is new waits", async ({ page, hub }) => {
  await hub.project("lab");
  const agent = await hub.agent("ann");
  await finish(agent, "lab", "The first thing");
  await openApp(page, hub, "/");
  await live(page);
  const row = part(page, "recent").locator("article").first();
  await row.hover();
  const before = await row.boundingBox();
  for (let number = 1; number <= 5; number += 1) await ask(agent, "lab", `Question ${number}?`);
  await expect(page.locator("[data-fresh]")).toHaveText("5 new");
  expect(await row.boundingBox()).toEqual(before);
  await page.locator("[data-fresh]").click();
  await expect(part(page, "waiting").locator("article")).toHaveCount(3);
});

test("Home, projects, feed and settings fit 320 px, double size, and text from the right", async ({ page, hub }) => {
  await fillSessions(hub, await fillTypical(hub));
  await fillZoo(hub);
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await page.setViewportSize({ width: 320, height: 700 });
  await openApp(page, hub, "/");
  for (const route of ["/", "/projects", "/p/zoo/feed", "/p/homelab/feed", "/p/zoo/settings"]) {
    await page.goto(`${hub.url}/#${route}`);
    await expect(page.locator("main[data-state=ready]")).toBeVisible();
    expect(await overflow()).toBe(0);
    await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
    expect(await overflow()).toBe(0);
    await page.evaluate(() => document.documentElement.removeAttribute("dir"));
  }
  await page.setViewportSize({ width: 640, height: 700 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  for (const route of ["/", "/projects", "/p/zoo/feed", "/p/zoo/settings"]) {
    await page.goto(`${hub.url}/#${route}`);
    await expect(page.locator("main[data-state=ready]")).toBeVisible();
    expect(await overflow()).toBe(0);
  }
  expect(await page.locator("main img[src], main script, main b").count()).toBe(0);
});

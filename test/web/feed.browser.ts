// A project's feed (web-app.md 6.7): what is new, what is shown of it, where one lands, and how much of it is drawn.
import type { Page } from "@playwright/test";
import { request as call } from "../support/operator.ts";
import { fillFeed, say } from "./fixtures/feed.ts";
import { ask, fillZoo, finish, request } from "./fixtures/inbox.ts";
import { act, expectStored, sendAtOnce } from "./inbox-page.ts";
import { expect, live, openApp, test } from "./support/app.ts";
import type { WebHub } from "./support/hub.ts";

const rows = (page: Page) => page.locator(".feed article.row");
const event = (page: Page, id: string) => page.locator(`.feed article[data-id="${id}"]`);
const seenPosted = (page: Page) => page.waitForResponse((response) => response.url().endsWith("/feed/seen"));

async function lastSeen(hub: WebHub): Promise<unknown> {
  const { body } = await call(hub.url, hub.adminToken, "listProjectFeed", {
    params: { id: "lab" },
    query: { limit: "1" },
  });
  return body["last_seen"];
}

test("FED-02 what is new is marked for the whole visit, through filters, and not at the next", async ({
  page,
  hub,
}) => {
  await hub.project("lab");
  const agent = await hub.agent("ann");
  const old = await say(agent, "lab", "signal", "Seen before.");
  await hub.operate("markFeedSeen", { params: { id: "lab" }, body: { event_id: old } });
  const news = await say(agent, "lab", "signal", "Not seen yet.");
  await finish(agent, "lab", "Done");
  await openApp(page, hub, "/projects");
  const seen = seenPosted(page);
  await page.goto(`${hub.url}/#/p/lab/feed`);
  await expect(event(page, news)).toHaveAttribute("data-item-state", "unseen");
  await expect(event(page, old)).toHaveAttribute("data-item-state", "seen");
  await expect(page.locator(".seen-line")).toHaveText("New above · 2");
  await seen;
  await page.getByRole("button", { name: /^Updates/ }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(event(page, news)).toHaveAttribute("data-item-state", "unseen");
  await page.getByRole("link", { name: "Home" }).click();
  await page.goBack();
  await expect(event(page, news)).toHaveAttribute("data-item-state", "seen");
});

test("FED-03 FED-04 a hidden page and a filtered one tell nothing about what was seen", async ({ page, hub }) => {
  await hub.project("lab");
  const id = await say(await hub.agent("ann"), "lab", "signal", "Something.");
  await page.clock.install();
  await openApp(page, hub, "/p/lab/feed?kind=signal");
  await expect(event(page, id)).toBeVisible();
  await page.clock.fastForward(5000);
  expect(await lastSeen(hub)).toBeNull();
  // A tab that was opened behind another is ready when somebody comes to it.
  const behind = await page.context().newPage();
  await behind.addInitScript(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  });
  await behind.clock.install();
  await openApp(behind, hub, "/p/lab/feed");
  await expect(event(behind, id)).toBeVisible();
  await behind.clock.fastForward(5000);
  expect(await lastSeen(hub)).toBeNull();
  const seen = seenPosted(behind);
  await behind.evaluate(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => false });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await behind.clock.fastForward(1500);
  await seen;
  expect(await lastSeen(hub)).toBe(id);
});

test("FED-07 what comes while the feed is scrolled waits behind its number and shifts nothing", async ({
  page,
  hub,
}) => {
  await hub.project("lab");
  const agent = await hub.agent("ann");
  await fillFeed([agent], "lab", 40);
  await openApp(page, hub, "/p/lab/feed");
  await live(page);
  await page.locator(".pane-list").evaluate((pane) => {
    pane.scrollTop = 400;
  });
  const row = rows(page).nth(12);
  const before = await row.boundingBox();
  for (let number = 1; number <= 4; number += 1) await say(agent, "lab", "signal", `News ${number}.`);
  await expect(page.locator("[data-fresh]")).toHaveText("4 new");
  expect(await row.boundingBox()).toEqual(before);
  await page.locator("[data-fresh]").click();
  await expect(rows(page).first()).toContainText("News 4.");
  await expect(page.locator(".feed article [data-row-link]").first()).toBeFocused();
});

test("FED-08 every kind has its drawing and its word, and the hub's records come only when asked for", async ({
  page,
  hub,
}) => {
  await hub.project("lab", "The lab");
  const agent = await hub.agent("ann");
  await agent.call("session_start", { project_id: "lab", session_name: "one" });
  await say(agent, "lab", "signal", "An update.");
  await say(agent, "lab", "idea", "A thought.");
  await finish(agent, "lab", "A thing");
  const question = await ask(agent, "lab", "A question?");
  await request(agent, "lab", "A request");
  await hub.operate("answerQuestion", { params: { id: question }, body: { body: "An answer" } });
  await hub.operate("updateProject", { params: { id: "lab" }, body: { confidential: true } });
  await hub.operate("createGrant", { params: { id: "ann" }, body: { project_id: "lab" } });
  await openApp(page, hub, "/p/lab/feed");
  const glyphs = rows(page).locator(".row-leading [role=img]");
  await expect(glyphs).toHaveCount(7);
  const words = await glyphs.evaluateAll((found) => found.map((glyph) => glyph.getAttribute("aria-label")));
  expect(new Set(words)).toEqual(new Set(["Update", "Idea", "Finished", "Question", "Approval", "Answer", "Session"]));
  const shapes = await glyphs.locator("path").evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
  expect(new Set(shapes).size).toBe(7);
  await expect(event(page, question)).toContainText("Answered: An answer");
  await expect(rows(page).filter({ hasText: "you answered: A question?" })).toHaveCount(1);
  await page.getByRole("button", { name: "Hub record" }).click();
  await expect(rows(page).first()).toHaveAttribute("data-kind", "system");
  await page.getByRole("button", { name: /^Questions/ }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(event(page, question)).toContainText("Answered: An answer");
});

test("what waits is decided in the feed, by the Inbox's own controls and keys", async ({ page, hub }) => {
  await sendAtOnce(page);
  await hub.project("lab");
  const agent = await hub.agent("ann");
  const first = await request(agent, "lab", "Ship it?");
  const second = await ask(agent, "lab", "Which one?", { options: ["This", "That"] });
  await openApp(page, hub, "/p/lab/feed");
  await live(page);
  await act(event(page, first), "approve").click();
  await expectStored(hub, first, { status: "resolved", decision: { decision: "approved" } });
  await expect(event(page, first)).toContainText("Approved by you");
  await page.getByRole("button", { name: /^Waiting/ }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press("j");
  await page.keyboard.press("1");
  await expectStored(hub, second, { status: "resolved", answer: { body: "This" } });
});

test("an open event shows its words whole and the conversation it is of", async ({ page, hub }) => {
  await hub.project("lab");
  const agent = await hub.agent("ann");
  const question = await ask(agent, "lab", "Which one?");
  await say(
    agent,
    "lab",
    "signal",
    "The first fits. It is also the cheaper of the two, by a third of its price, or so both of the shops in town say.",
    {
      thread_id: question,
      payload: { body: "Both **were** tried.", price: { first: 4, second: 6 } },
    },
  );
  await openApp(page, hub, "/p/lab/feed");
  await expect(event(page, question)).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.locator("[data-row-link]").first()).toBeFocused();
  await page.keyboard.press("Enter");
  const pane = page.locator(".item-view");
  await expect(pane.getByRole("heading", { level: 2 })).toHaveText("The first fits.");
  await expect(pane.locator("strong").filter({ hasText: "were" })).toBeVisible();
  await expect(page.locator(".thread li")).toHaveCount(2);
  await page
    .locator(".thread")
    .getByRole("link", { name: /ann asked/ })
    .click();
  await expect(pane.getByRole("heading", { level: 2 })).toHaveText("Which one?");
  await page.keyboard.press("Escape");
  expect(new URL(page.url()).hash).toBe("#/p/lab/feed");
  await expect(event(page, question).locator("[data-row-link]")).toBeFocused();
});

test("no word of an agent is anything but a word, and no row leads to a screen that is not there", async ({
  page,
  hub,
}) => {
  await fillZoo(hub);
  for (const route of ["/", "/projects", "/p/zoo/feed"]) {
    await openApp(page, hub, route);
    await expect(page.locator("main [data-row-link]").first()).toBeVisible();
    expect(await page.locator("main img[src], main script, main b").count()).toBe(0);
    const places = await page
      .locator("main a[href^='#/']")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    const patterns = /^#\/(?:|inbox(?:\/\w+)?|projects|p\/[\w-]+\/(?:feed(?:\/\w+)?|settings))(?:\?.*)?$/;
    expect(places.filter((place) => !patterns.test(place ?? ""))).toEqual([]);
  }
});

test.describe("a feed of ten thousand events", () => {
  test.setTimeout(900_000);

  test("FED-01 FED-06 it is paged to its end, entered deep, drawn in parts, and scrolls without a long task", async ({
    page,
    hub,
  }) => {
    await hub.project("lab");
    const agents = await Promise.all(["ann", "bob", "cid"].map((id) => hub.agent(id)));
    const amount = 10_000;
    const ids = await fillFeed(agents, "lab", amount);

    const deep = ids[amount - 9000] ?? "";
    await page.setViewportSize({ width: 1280, height: 800 });
    await openApp(page, hub, `/p/lab/feed/${deep}`);
    await expect(event(page, deep)).toHaveClass(/open/);
    await expect(event(page, deep)).toBeInViewport();
    await expect(event(page, deep).locator("[data-row-link]")).toBeFocused();
    await page.locator("[data-newest]").click();
    await expect(event(page, ids.at(-1) ?? "")).toBeVisible();

    // A screen at a time while pages come, to the end in long strides, and back with all of it in the list.
    const down = await measured(page, 0.8);
    const toEnd = await scroll(page, { screens: 1000, steps: 2000, isTraced: false });
    await expect(page.getByText("The beginning of this feed")).toBeAttached();
    await expect(event(page, ids[0] ?? "")).toBeVisible();
    const back = await measured(page, -0.8);
    const scrolled = [down, toEnd, back].reduce(worse);
    test.info().annotations.push({ type: "measured", description: JSON.stringify(scrolled) });
    expect(scrolled.rowsMax).toBeLessThanOrEqual(300);
    expect(scrolled.nodesMax).toBeLessThanOrEqual(4000);
    expect(scrolled.longestTaskMs).toBeLessThan(50);
    expect(scrolled.shiftMax).toBeLessThanOrEqual(1);
  });
});

type Scrolled = { rowsMax: number; nodesMax: number; longestTaskMs: number; shiftMax: number };

type Stride = { screens: number; steps: number; isTraced: boolean };

/**
 * Four stretches in a row. Of processor time the quickest of them counts: what the feed does at one go it does in each,
 * and a machine that does much else slows down some.
 */
async function measured(page: Page, screens: number): Promise<Scrolled> {
  const stretches: Scrolled[] = [];
  for (let part = 0; part < 4; part += 1) stretches.push(await scroll(page, { screens, steps: 20, isTraced: true }));
  const longestTaskMs = Math.min(...stretches.map((stretch) => stretch.longestTaskMs));
  return { ...stretches.reduce(worse), longestTaskMs };
}

/** So many strides, or until the list ends. */
async function scroll(page: Page, { screens, steps, isTraced }: Stride): Promise<Scrolled> {
  let most: Scrolled = { rowsMax: 0, nodesMax: 0, longestTaskMs: 0, shiftMax: 0 };
  const browser = page.context().browser();
  if (isTraced) await browser?.startTracing(page, { categories: ["toplevel"] });
  for (let step = 0; step < steps; step += 1) {
    const { isAtEnd, ...seen } = await page.locator(".pane-list").evaluate(async (pane, by) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      pane.scrollTop += pane.clientHeight * by;
      await frame();
      const here = document.elementFromPoint(pane.getBoundingClientRect().left + 60, 500)?.closest("article");
      const top = here?.getBoundingClientRect().top ?? 0;
      await frame();
      const isThere = here?.isConnected === true;
      const isAtFoot = pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 2;
      return {
        shiftMax: isThere ? Math.abs(here.getBoundingClientRect().top - top) : 0,
        rowsMax: document.querySelectorAll(".feed article").length,
        nodesMax: document.querySelectorAll("*").length,
        isAtEnd: by > 0 && document.querySelector(".feed-end") !== null && isAtFoot,
      };
    }, screens);
    most = worse(most, { ...seen, longestTaskMs: 0 });
    if (isAtEnd) break;
  }
  if (!isTraced) return most;
  const trace = await browser?.stopTracing();
  return { ...most, longestTaskMs: longestTaskMs(JSON.parse(trace?.toString() ?? "{}")) };
}

function worse(one: Scrolled, other: Scrolled): Scrolled {
  return {
    rowsMax: Math.max(one.rowsMax, other.rowsMax),
    nodesMax: Math.max(one.nodesMax, other.nodesMax),
    longestTaskMs: Math.max(one.longestTaskMs, other.longestTaskMs),
    shiftMax: Math.max(one.shiftMax, other.shiftMax),
  };
}

type Trace = {
  traceEvents: { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }[];
};

/** What the page's own thread did at one go, in time of that thread: other programs of the machine are none of it. */
function longestTaskMs({ traceEvents }: Trace): number {
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith("RunTask") && pages.has(`${pid} ${tid}`));
  expect(tasks.length).toBeGreaterThan(20);
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000;
}

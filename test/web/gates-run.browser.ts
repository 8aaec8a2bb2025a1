// What a long visit costs: requests, memory, and numbers that have grown (web-app.md 9.1).
import type { Page, Request } from "@playwright/test";
import { say } from "./fixtures/feed.ts";
import { test } from "./fixtures/gates.ts";
import { test as alone, expect, live, openApp } from "./support/app.ts";
import { layoutFaults } from "./support/layout.ts";

const routes = ["/", "/inbox", "/projects", "/p/homelab/feed", "/agents", "/settings", "/hub", "/p/homelab/settings"];

async function go(page: Page, route: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, route);
  await expect(page.locator("main[data-state=ready]")).toBeVisible();
}

test("fifty changes of screen leave no nodes and no listeners behind", async ({ page, house }) => {
  await openApp(page, house.hub, "/");
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const measure = async () => {
    // What was put aside for the next idle moment is done when it comes.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await client.send("HeapProfiler.collectGarbage");
    const { metrics } = await client.send("Performance.getMetrics");
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    return { nodes: of("Nodes"), listeners: of("JSEventListeners") };
  };
  const round = async (): Promise<void> => {
    for (let change = 0; change < 25; change += 1) await go(page, routes[change % routes.length] ?? "/");
    await go(page, "/");
    await expect(page.locator("main [data-row-link]").first()).toBeVisible();
  };
  await round();
  const before = await measure();
  await round();
  await round();
  // The same screen may hold a row more: it goes on while this runs.
  await expect
    .poll(async () => {
      const { nodes, listeners } = await measure();
      return nodes < before.nodes + 300 && listeners < before.listeners + 60;
    })
    .toBe(true);
});

alone("one stream, no loop, nothing outside the hub", async ({ page, hub }) => {
  await hub.project("homelab", "Homelab");
  const agent = await hub.agent("deployer");
  await say(agent, "homelab", "signal", "The first word.");
  const asked: { url: string; atMs: number }[] = [];
  const running = new Set<Request>();
  const isStream = (request: Request) => request.url().endsWith("/api/v1/stream");
  page.on("request", (request) => {
    running.add(request);
    asked.push({ url: request.url(), atMs: performance.now() });
  });
  const over = (request: Request): void => void running.delete(request);
  page.on("requestfinished", over);
  page.on("requestfailed", over);
  const quiet = async (): Promise<void> => {
    await expect
      .poll(() => {
        const last = asked.at(-1)?.atMs ?? 0;
        return [...running].every(isStream) && performance.now() - last > 400;
      })
      .toBe(true);
  };
  await openApp(page, hub, "/");
  await live(page);
  for (const [index, route] of routes.entries()) {
    await go(page, route);
    await quiet();
    const from = asked.length;
    const words = `Word ${index}.`;
    await say(agent, "homelab", "signal", words);
    if (/^\/(?:p\/homelab\/feed)?$/.test(route)) await expect(page.locator("main")).toContainText(words);
    await quiet();
    const after = asked.slice(from).map(({ atMs }) => atMs);
    const inOneSecond = after.map((atMs) => after.filter((other) => other >= atMs && other < atMs + 1000).length);
    expect(Math.max(0, ...inOneSecond), route).toBeLessThanOrEqual(6);
    expect([...running].filter(isStream).length, route).toBeLessThanOrEqual(1);
  }
  expect(asked.filter(({ url }) => !url.startsWith(`${hub.url}/`) && !url.startsWith("data:"))).toEqual([]);
});

test("numbers of five digits fit where they stand", async ({ page, house }) => {
  const grown =
    /^(?:waiting|unread|snoozed|earlier|unseen|unseen_events|agents_active|artifacts|sessions|kb_pages|events|threads|live_sessions|open_items|needs_review|question|answer|approval|signal|finished|idea|artifact|session)$/;
  await page.route(/\/api\/v1\/(?!stream)/, async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
    const response = await route.fetch();
    const text = await response.text();
    const body = text.startsWith("{")
      ? JSON.stringify(
          JSON.parse(text, (key, value) => (typeof value === "number" && grown.test(key) ? 99_999 : value)),
        )
      : text;
    await route.fulfill({ response, body });
  });
  await openApp(page, house.hub, "/");
  const faults: string[] = [];
  for (const route of routes) {
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await go(page, route);
      faults.push(...(await layoutFaults(page)).map((fault) => `${route}, ${width} px: ${fault}`));
    }
  }
  await expect(page).toHaveTitle(/^\(99999\)|^\(999\+\)|^\(99,999\)/);
  expect(faults).toEqual([]);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("the page runs from the left, and what is written from the right is on its own side", async ({ page, house }) => {
  await openApp(page, house.hub, "/p/rtl/feed");
  await expect(page.locator(".feed [data-row-link]").first()).toBeVisible();
  const { root, rows } = await page.evaluate(() => ({
    root: getComputedStyle(document.documentElement).direction,
    rows: [...document.querySelectorAll(".feed .row-preview")].map((line) => {
      const style = getComputedStyle(line);
      return `${style.direction} ${style.unicodeBidi} ${style.textAlign}`;
    }),
  }));
  expect(root).toBe("ltr");
  expect(rows.length).toBeGreaterThan(1);
  expect(new Set(rows)).toEqual(new Set(["rtl isolate start"]));
  // Turned round, what stands at the beginning of a line is on the right: the bar, its column, and the wider margin.
  const sides = () =>
    page.evaluate(() => {
      const row = document.querySelector(".feed .row.lamp");
      const leading = row?.querySelector(".row-leading")?.getBoundingClientRect();
      const body = row?.querySelector(".row-body")?.getBoundingClientRect();
      if (row === null || leading === undefined || body === undefined) return "no row";
      const bar = getComputedStyle(row, "::before");
      return `bar ${bar.left === "0px" ? "left" : "right"}, glyph ${leading.left < body.left ? "left" : "right"}`;
    });
  expect(await sides()).toBe("bar left, glyph left");
  await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
  expect(await sides()).toBe("bar right, glyph right");
});

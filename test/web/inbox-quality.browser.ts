// The laws and the gates on the Inbox: one lamp, shapes for kinds, no zeros that were not measured, hostile words inert;
// 320 px, doubled size, right-to-left (web-app.md 1, 9.1). Axe looks at it in matrix.browser.ts and layers.browser.ts.
import type { Page } from "@playwright/test";
import { fillRtl, fillTypical, fillZoo, finish } from "./fixtures/inbox.ts";
import { lampNodes } from "./lamp-nodes.ts";
import { expect, openApp, test } from "./support/app.ts";

function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

test("LAW-01 with nothing waiting the lamp is on nowhere", async ({ page, hub }) => {
  await hub.project("lab");
  const id = await finish(await hub.agent("ann"), "lab", "Done");
  await openApp(page, hub, "/inbox");
  expect(await lampNodes(page)).toEqual([]);
  await openApp(page, hub, `/inbox/${id}`);
  expect(await lampNodes(page)).toEqual([]);
});

test("the list is readable at 320 px, at double size, and from the right", async ({ page, hub }) => {
  await fillTypical(hub);
  await fillZoo(hub);
  await page.setViewportSize({ width: 320, height: 700 });
  await openApp(page, hub, "/inbox");
  expect(await overflow(page)).toBe(0);
  await page.getByRole("link", { name: "Ship release 2.4?" }).click();
  expect(await overflow(page)).toBe(0);
  await page.goto(`${hub.url}/#/inbox`);
  await page.setViewportSize({ width: 640, height: 700 });
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  expect(await overflow(page)).toBe(0);
  await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
  expect(await overflow(page)).toBe(0);
});

test("LAW-02 LAW-10 hostile words stay words, and every kind has its own drawing", async ({ page, hub }) => {
  await fillZoo(hub);
  await fillRtl(hub);
  const title = /^\(\d+\) Inbox · testbox$/;
  await openApp(page, hub, "/inbox");
  await expect(page).toHaveTitle(title);
  for (const row of await page.locator("[data-row-link]").all()) {
    await row.click();
    await expect(page.locator(".item-view h2")).toBeVisible();
  }
  await expect(page).toHaveTitle(title);
  expect(await page.locator("main img[src], main script, main b").count()).toBe(0);
  const shapes = await page
    .locator("article.row [role=img] path")
    .evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
  expect(new Set(shapes).size).toBe(3);
  const colours = await page
    .locator("article.row .row-leading")
    .evaluateAll((glyphs) => glyphs.map((glyph) => getComputedStyle(glyph).color));
  expect(new Set(colours).size).toBe(1);
});

test("LAW-03 LAW-06 nothing unmeasured is shown as a number, and refusing names what goes", async ({ page, hub }) => {
  await fillTypical(hub);
  await openApp(page, hub, "/inbox");
  await page.getByRole("button", { name: "Show earlier" }).click();
  await expect(page.locator("main")).not.toContainText(/undefined|NaN|null|—%|Invalid Date/);
});

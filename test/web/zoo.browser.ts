// Words that are written to harm, to confuse or to burst a screen stay words on every one (LAW-10, SEC-03, LAW-03).
import type { Page } from "@playwright/test";
import { fillZoo } from "./fixtures/inbox.ts";
import { expect, live, openApp, test } from "./support/app.ts";
import { measured, slowMs, visit } from "./support/looks.ts";

test("LAW-10 SEC-03 LAW-03 whatever an agent writes is inert on every screen", async ({ page, hub }) => {
  test.setTimeout(slowMs);
  const { projectId, agentId, eventIds, joinId } = await fillZoo(hub);
  await page.setViewportSize({ width: 390, height: 844 });
  await openApp(page, hub, "/");
  await live(page);
  const routes = [
    "/",
    "/inbox",
    "/projects",
    `/p/${projectId}/feed`,
    `/p/${projectId}/settings`,
    "/agents",
    `/agents/${agentId}`,
    "/settings",
    "/hub",
    "/start?step=agent",
    `/inbox/${joinId}`,
    ...eventIds.flatMap((id) => [`/inbox/${id}`, `/p/${projectId}/feed/${id}`]),
    `/${encodeURIComponent("<img src=x onerror=alert(1)>")}`,
  ];
  for (const route of routes) {
    await test.step(route, async () => {
      await visit(page, route);
      await expect(page.locator("main[aria-busy=false]")).toBeVisible();
      await expect(page.locator("main .skeleton")).toHaveCount(0);
      await inert(page);
      await measured(page);
      if (route === "/inbox") await expect(page.locator("main")).toContainText("{{7*7}}");
    });
  }
});

/** Nothing on the page came from markup in somebody's words, and none of them reach beyond their own place. */
async function inert(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const faults: string[] = [];
    for (const made of document.querySelectorAll(
      "img, iframe, object, embed, body script, [onerror], [onload], main b:not(.skeleton *), a[href^='javascript:' i], a[href^='data:' i]",
    ))
      faults.push(`markup: ${made.outerHTML.slice(0, 200)}`);
    // A name that runs from the right stands apart in it, and that is all.
    const title = document.title.replaceAll(/\u2068[^\u2066-\u2069]*\u2069/g, "");
    if (/[\u202A-\u202E\u2066-\u2069]/.test(title)) faults.push(`title: ${JSON.stringify(document.title)}`);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement: place, nodeValue: words } = node;
      if (place === null || words === null || !/[\u202A-\u202E\u2066-\u2069]/.test(words)) continue;
      // What turns the direction of text around ends with the element that holds it.
      const isKept =
        /isolate|plaintext/.test(getComputedStyle(place).unicodeBidi) || getComputedStyle(place).display !== "inline";
      if (!isKept) faults.push(`direction: ${place.outerHTML.slice(0, 200)}`);
    }
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`${scrollWidth - clientWidth} px too wide`);
    return faults;
  });
  expect(found).toEqual([]);
}

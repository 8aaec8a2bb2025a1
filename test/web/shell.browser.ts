// The frame at every width, its keys, and the states every screen has (web-app.md 5).
import type { Page } from "@playwright/test";
import { accessible, expect, openApp, settled, signIn, test } from "./support/app.ts";
import type { WebHub } from "./support/hub.ts";

const places = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("link");
const widths = [
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true },
  { name: "tablet", viewport: { width: 834, height: 1112 }, hasTouch: true },
  { name: "desktop", viewport: { width: 1440, height: 900 }, hasTouch: false },
];
const fillQuestions = async (hub: WebHub, amount: number): Promise<void> => {
  await hub.project("homelab");
  const agent = await hub.agent("deployer");
  for (let number = 1; number <= amount; number += 1) {
    await agent.call("question_post", { project_id: "homelab", subject: `Question ${number}?` });
  }
};

for (const { name, ...use } of widths) {
  test.describe(name, () => {
    test.use(use);

    test("SHL-01 every destination is reached by press, by Tab and Enter, and by key", async ({ page, hub }) => {
      await openApp(page, hub, "/nowhere");
      const links = await places(page).all();
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) {
        const word = (await link.locator(".place-word").textContent()) ?? "";
        const isThere = async () => {
          await expect(link).toHaveAttribute("aria-current", "page");
          await expect(page).toHaveTitle(new RegExp(`${word} · testbox$`));
          await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
        };
        await link.click();
        await isThere();
        await page.evaluate(() => location.assign("#/nowhere"));
        await expect(link).not.toHaveAttribute("aria-current", "page");
        await link.focus();
        await page.keyboard.press("Enter");
        await isThere();
        await page.evaluate(() => location.assign("#/nowhere"));
        await expect(link).not.toHaveAttribute("aria-current", "page");
        // No key leads to Hub: its letter is Home's.
        if (word === "Hub") continue;
        await page.keyboard.press("g");
        await page.keyboard.press(word.slice(0, 1).toLowerCase());
        await isThere();
      }
    });

    test("SHL-02 nothing is under the bars: the last row can be read whole", async ({ page, hub }) => {
      await fillQuestions(hub, 12);
      await openApp(page, hub, "/inbox");
      const last = page.locator("main article").last();
      await last.scrollIntoViewIfNeeded();
      await page.keyboard.press("End");
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const [row, bar, width] = await Promise.all([
        last.boundingBox(),
        page.getByRole("navigation", { name: "Main" }).boundingBox(),
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ]);
      if (row === null || bar === null) throw new Error("nothing to measure");
      if (name === "phone") expect(row.y + row.height).toBeLessThanOrEqual(bar.y);
      else expect(row.x).toBeGreaterThanOrEqual(bar.x + bar.width);
      expect(width).toBe(0);
      await accessible(page);
    });
  });
}

test.describe("wide", () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test("SHL-03 the width of the list is changed by key and by pointer, and kept", async ({ page, hub }) => {
    await openApp(page, hub, "/inbox");
    const splitter = page.getByRole("separator", { name: "Width of the list" });
    const width = () => splitter.getAttribute("aria-valuenow");
    await splitter.focus();
    await page.keyboard.press("ArrowRight");
    expect(await width()).toBe("396");
    await page.keyboard.press("Shift+ArrowLeft");
    expect(await width()).toBe("332");
    await page.keyboard.press("Shift+ArrowLeft");
    expect(await width()).toBe("320");
    await page.keyboard.press("Enter");
    expect(await width()).toBe("380");
    const box = await splitter.boundingBox();
    if (box === null) throw new Error("no splitter");
    await page.mouse.move(box.x + 4, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 44, box.y + 220, { steps: 4 });
    await page.mouse.up();
    expect(await width()).toBe("420");
    await page.reload();
    await settled(page);
    expect(await width()).toBe("420");
    const moved = await splitter.boundingBox();
    expect(Math.round((moved?.x ?? 0) - box.x)).toBe(40);
  });
});

test("SHL-04 a hub that is slow: a shape first, then words and a way to stop", async ({ page, hub }) => {
  await signIn(page, hub.adminToken);
  await page.clock.install();
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/v1\/inbox/, async (route) => {
    await answered;
    await route.continue().catch(() => undefined); // the page has given it up
  });
  await page.goto(`${hub.url}/#/inbox`);
  const main = page.locator("main");
  await expect(main).toHaveAttribute("data-state", "loading");
  await page.clock.runFor(200);
  await expect(main.locator(".skeleton").first()).toBeVisible();
  await page.clock.runFor(8000);
  await expect(main.getByText("Still waiting for the hub")).toBeVisible();
  await main.getByRole("button", { name: "Stop" }).click();
  await expect(main.getByText("Stopped. Nothing is loading.")).toBeVisible();
  await main.getByRole("button", { name: "Retry" }).click();
  await expect(main.locator(".skeleton").first()).toBeVisible();
  answer();
  await expect(main).toHaveAttribute("data-state", "ready");
});

test("SHL-05 with shortcuts off letters do nothing; Tab and Escape still do", async ({ page, hub }) => {
  await openApp(page, hub, "/settings");
  await page.getByRole("group", { name: "Single-key shortcuts" }).getByText("Off").click();
  await page.evaluate(() => location.assign("#/nowhere"));
  await expect(page.locator("main")).toHaveAttribute("data-screen", "not-found");
  await page.locator("main h1").focus();
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await page.keyboard.press("?");
  await expect(page.locator("main")).toHaveAttribute("data-screen", "not-found");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(page.locator("main h1")).not.toBeFocused();
  await page.evaluate(() => location.assign("#/settings"));
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("KEY-01 no shortcut fires in a field, or with a modifier", async ({ page, hub }) => {
  await fillQuestions(hub, 1);
  await openApp(page, hub, "/inbox");
  await page
    .getByRole("link", { name: /Question 1/ })
    .first()
    .click();
  const words = page.getByRole("textbox", { name: "Your answer" });
  await words.fill("");
  await words.pressSequentially("gi? nasdezx");
  await expect(words).toHaveValue("gi? nasdezx");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.locator("main h1").focus();
  await page.keyboard.press("Alt+?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("KEY-02 the list of keys is that of the keys that work", async ({ page, hub }) => {
  await openApp(page, hub, "/nowhere");
  const listed = async () => {
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keys of this screen" })).toBeVisible();
    await accessible(page);
    const keys = await page
      .locator("[data-key]")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-key")));
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    return keys;
  };
  const here = await listed();
  expect(here).toEqual(expect.arrayContaining(["g i", "z", "Escape", "?"]));
  await places(page).first().click();
  await settled(page);
  const inbox = await listed();
  expect(inbox.length).toBeGreaterThan(here.length);
  expect(new Set(inbox).size).toBe(inbox.length);
});

test("LAW-09 nothing goes on moving but what stands for content that is loading", async ({ page, hub }) => {
  await openApp(page, hub, "/inbox");
  const endless = await page.evaluate(() => {
    const found: string[] = [];
    const walk = (rules: CSSRuleList): void => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule && rule.style.animationIterationCount.includes("infinite"))
          found.push(rule.selectorText);
        if ("cssRules" in rule && rule.cssRules instanceof CSSRuleList) walk(rule.cssRules);
      }
    };
    for (const sheet of document.styleSheets) walk(sheet.cssRules);
    return found;
  });
  expect(endless.filter((selector) => !/skeleton|blank/.test(selector))).toEqual([]);
});

test("FRM-04 the way back ends at the screen before, not at an item that was closed", async ({ page, hub }) => {
  await fillQuestions(hub, 2);
  await openApp(page, hub, "/nowhere");
  await places(page).filter({ hasText: "Inbox" }).click();
  await settled(page);
  await page
    .getByRole("link", { name: /Question 1/ })
    .first()
    .click();
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/inbox\/[0-9A-Z]{26}$/);
  await page.keyboard.press("Escape");
  await expect.poll(() => new URL(page.url()).hash).toBe("#/inbox");
  await page.goBack();
  await expect.poll(() => new URL(page.url()).hash).toBe("#/nowhere");
});

test("FRM-03 a reload brings back the screen, its filters and what is open", async ({ page, hub }) => {
  await fillQuestions(hub, 2);
  await openApp(page, hub, "/inbox?project=homelab");
  await page
    .getByRole("link", { name: /Question 2/ })
    .first()
    .click();
  const address = () => page.url();
  await expect.poll(address).toMatch(/inbox\/[0-9A-Z]{26}\?project=homelab$/);
  const before = address();
  await page.reload();
  await settled(page);
  expect(address()).toBe(before);
  await expect(page.locator("main")).toHaveAttribute("data-screen", "inbox");
  await expect(page.getByRole("heading", { name: "Question 2?" })).toBeVisible();
});

// Settings: choices of this device, applied at once and kept (web-app.md 6.16).
import type { Page } from "@playwright/test";
import { fillTypical } from "./fixtures/inbox.ts";
import { accessible, expect, live, openApp, settled, signIn, test } from "./support/app.ts";

const choose = (page: Page, group: string, choice: string) =>
  page.getByRole("group", { name: group }).getByText(choice, { exact: true }).click();
const shown = (page: Page) =>
  page.evaluate(() => ({
    theme: document.documentElement.dataset["theme"],
    ground: getComputedStyle(document.documentElement).backgroundColor,
    bar: document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.content,
  }));
const light = { theme: "light", ground: "rgb(242, 245, 246)", bar: "#f2f5f6" };
const dark = { theme: "dark", ground: "rgb(12, 20, 24)", bar: "#0c1418" };

test("SET-01 a chosen theme beats the device and is there in the first frame after a reload", async ({ page, hub }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openApp(page, hub, "/settings");
  await expect.poll(() => shown(page)).toEqual(light);
  await choose(page, "Theme", "Dark");
  await expect.poll(() => shown(page)).toEqual(dark);
  await accessible(page);
  // Held back, so that only what comes before it has painted.
  await page.route(/\/a\/main-/, () => undefined);
  await page.reload({ waitUntil: "commit" });
  await expect.poll(async () => (await shown(page)).ground).toBe(dark.ground);
});

test("SET-02 matching the device follows it live, the bar around the app too", async ({ page, hub }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openApp(page, hub, "/settings");
  await choose(page, "Theme", "Dark");
  await choose(page, "Theme", "Match device");
  await expect.poll(() => shown(page)).toEqual(light);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => shown(page)).toEqual(dark);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(() => shown(page)).toEqual(light);
});

test("SET-03 words at 130 % break no screen, and are that large before the app has run", async ({ page, hub }) => {
  await fillTypical(hub);
  await page.setViewportSize({ width: 360, height: 740 });
  await openApp(page, hub, "/settings");
  await page.getByLabel("Text size").selectOption("130");
  for (const route of ["/settings", "/hub", "/agents", "/agents/scout", "/inbox", "/", "/start?step=agent"]) {
    await page.goto(`${hub.url}/#${route}`);
    await settled(page);
    const { wide, size } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      size: getComputedStyle(document.documentElement).fontSize,
    }));
    expect([route, wide, size]).toEqual([route, 360, "20.8px"]);
  }
  await page.route(/\/a\/main-/, () => undefined);
  await page.reload({ waitUntil: "commit" });
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe("20.8px");
});

test("SET-04 signing out leaves storage empty", async ({ page, hub }) => {
  await openApp(page, hub, "/settings");
  await live(page);
  await choose(page, "Theme", "Dark");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("dialog")).toContainText("This device forgets the token, its snapshot");
  await expect(page.getByRole("button", { name: "Stay signed in" })).toBeFocused();
  await accessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Connect to the hub" })).toBeVisible();
  const left = await page.evaluate(async () => ({
    kept: Object.keys(localStorage),
    tab: Object.keys(sessionStorage).filter((key) => !key.startsWith("test:")),
    databases: await indexedDB.databases(),
  }));
  expect(left).toEqual({ kept: [], tab: [], databases: [] });
});

test("each choice acts where it belongs and survives a reload", async ({ page, hub }) => {
  await fillTypical(hub);
  await openApp(page, hub, "/settings");
  await choose(page, "Rows", "Compact");
  await choose(page, "Undo messages", "Stay");
  await choose(page, "Inbox order", "By agent");
  await page.getByLabel("Decisions").selectOption({ label: "Ask each time" });
  await page.getByLabel("Keep me connected on this device").uncheck();
  const kept = () =>
    page.evaluate(() => ({ lasting: localStorage.getItem("hub:/:token"), tab: sessionStorage.getItem("hub:/:token") }));
  expect(await kept()).toEqual({ lasting: null, tab: hub.adminToken });
  await page.reload();
  await settled(page);
  await expect(page.getByLabel("Decisions")).toHaveValue("ask");
  await expect(page.getByLabel("Keep me connected on this device")).not.toBeChecked();
  for (const name of ["Compact", "Stay", "By agent"]) await expect(page.getByRole("radio", { name })).toBeChecked();
  await expect(page.locator("html")).toHaveAttribute("data-density", "compact");
  await page.getByLabel("Keep me connected on this device").check();
  expect(await kept()).toEqual({ lasting: hub.adminToken, tab: null });

  await page.goto(`${hub.url}/#/inbox`);
  await settled(page);
  await page.locator("[data-act=approve]").first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.locator("article[data-item-state=unread] [data-row-link]").first().hover();
  await page.locator("[data-act=mark-read]").first().click();
  const toast = page.locator("[data-toast=undo]");
  await expect(toast).toBeVisible();
  await expect(toast.locator(".num")).toHaveCount(0);
});

test("drafts are counted, and cleared by name", async ({ page, hub }) => {
  await fillTypical(hub);
  await openApp(page, hub, "/inbox");
  await page
    .getByRole("link", { name: /What is the budget/ })
    .first()
    .click();
  await page.getByRole("textbox", { name: "Your answer" }).fill("About a thousand");
  await page.goto(`${hub.url}/#/settings`);
  await page.getByRole("button", { name: "Clear drafts" }).click();
  await expect(page.getByRole("dialog")).toContainText("1 draft you began");
  await accessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Clear drafts" }).click();
  await expect(page.getByText("No drafts are kept.").first()).toBeVisible();
  await page.goto(`${hub.url}/#/inbox`);
  await page
    .getByRole("link", { name: /What is the budget/ })
    .first()
    .click();
  await expect(page.getByRole("textbox", { name: "Your answer" })).toHaveValue("");
});

test("it works without the hub; only what is the hub's own says that it is away", async ({ page, hub, allowed }) => {
  allowed.push(/Failed to load resource|net::ERR/);
  await signIn(page, hub.adminToken);
  await page.route("**/api/v1/hub", (route) => route.abort());
  await page.goto(`${hub.url}/#/settings`);
  await expect(page.getByText("This screen needs the hub.")).toBeVisible();
  await choose(page, "Theme", "Dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test.describe("with a target", () => {
  test("the nudge is sent, and what became of it is told", async ({ page, anotherHub, allowed }) => {
    allowed.push(/Failed to load resource/);
    const other = await anotherHub({ HUB_NOTIFY_URL: "http://127.0.0.1:9/none" });
    await openApp(page, other, "/settings");
    await expect(page.getByText("http://127.0.0.1:9", { exact: true })).toBeVisible();
    await expect(page.getByText("None since the hub started")).toBeVisible();
    await page.getByRole("button", { name: "Send a test" }).click();
    await expect(page.getByText(/^Not delivered: /)).toBeVisible();
    await expect(page.getByText(/^Failed · just now$/)).toBeVisible();
    await accessible(page);
  });
});

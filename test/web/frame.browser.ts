// Addresses, prefixes and history (web-app.md 2.4).
import { accessible, expect, live, openApp, settled, signIn, test } from "./support/app.ts";

for (const prefix of ["/", "/deep/hub/"]) {
  test(`FRM-01 the app opens, connects and stays live at ${prefix}`, async ({ page, hub, front }) => {
    const proxy = await front({ [prefix]: hub.url });
    await page.goto(`${proxy.url}${prefix}#/connect?token=${hub.adminToken}`);
    await settled(page);
    await live(page);
    await expect(page).toHaveTitle(/ · testbox$/);
    await page.evaluate(() => navigator.serviceWorker.ready);
    expect(proxy.seen.filter((line) => !line.includes(` ${prefix}`))).toEqual([]);
    await page.reload();
    await settled(page);
    await live(page);
    const { scope, names } = await page.evaluate(async () => ({
      scope: (await navigator.serviceWorker.ready).scope,
      names: Object.keys(localStorage),
    }));
    expect(scope).toBe(`${proxy.url}${prefix}`);
    for (const name of names) expect(name.startsWith(`hub:${prefix}:`)).toBe(true);
  });
}

test("FRM-02 two hubs on one origin hold two tokens", async ({ page, hub, front, anotherHub }) => {
  const other = await anotherHub();
  const proxy = await front({ "/one/": hub.url, "/two/": other.url });
  await page.goto(`${proxy.url}/one/#/connect?token=${hub.adminToken}`);
  await live(page);
  await page.goto(`${proxy.url}/two/`);
  await expect(page.getByRole("heading", { name: "Connect to the hub" })).toBeVisible();
  await page.goto(`${proxy.url}/two/#/connect?token=${other.adminToken}`);
  await live(page);
  await page.goto(`${proxy.url}/one/`);
  await live(page);
  const kept = await page.evaluate(() => Object.entries(localStorage).filter(([name]) => name.endsWith(":token")));
  expect(kept.sort()).toEqual([
    ["hub:/one/:token", hub.adminToken],
    ["hub:/two/:token", other.adminToken],
  ]);
});

test("an unknown address says so and keeps what was typed", async ({ page, hub }) => {
  await openApp(page, hub, "/no/such place?x=1");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nothing at this address");
  await expect(page.getByText("No screen has the address /no/such%20place?x=1.")).toBeVisible();
  expect(new URL(page.url()).hash).toBe("#/no/such%20place?x=1");
  await accessible(page);
});

test("without JavaScript the page says one sentence", async ({ browser, hub }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(hub.url);
  // The runner reads no text of `noscript`; what stands in it is there all the same.
  await expect(page.locator("noscript")).toBeInViewport();
  await expect(page.getByRole("link", { name: "bootstrap/SKILL.md" })).toBeInViewport();
  await context.close();
});

test("a chosen theme is there in the first frame, and beats the device", async ({ page, hub }) => {
  await signIn(page, hub.adminToken);
  await page.addInitScript(() => localStorage.setItem("hub:/:theme", "dark"));
  await page.emulateMedia({ colorScheme: "light" });
  // Held back, so that only what comes before it has painted.
  await page.route(/\/a\/main-/, () => undefined);
  await page.goto(hub.url, { waitUntil: "commit" });
  const theme = () =>
    page.evaluate(() => [
      document.documentElement.dataset["theme"],
      getComputedStyle(document.documentElement).backgroundColor,
    ]);
  await expect.poll(theme).toEqual(["dark", "rgb(12, 20, 24)"]);
  await expect(page.getByText("add a slash to the address")).toBeVisible();
});

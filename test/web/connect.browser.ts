// Connect: from nothing to a working app, and nowhere else (web-app.md 6.1).
import type { Page } from "@playwright/test";
import { accessible, expect, openApp, settled, test } from "./support/app.ts";

const field = (page: Page) => page.getByLabel("Operator token");
const button = (page: Page) => page.getByRole("button", { name: "Connect", exact: true });
const stored = (page: Page) =>
  page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]));

test("CON-01 a cold visit of any route lands here and goes on to it after the token", async ({ page, hub }) => {
  for (const route of ["/", "/nowhere/at-all?x=1"]) {
    await page.goto(`${hub.url}/#${route}`);
    await expect(page.getByRole("heading", { name: "Connect to the hub" })).toBeVisible();
    await expect(page.locator("main")).toHaveAttribute("data-screen", "connect");
    await accessible(page);
    await field(page).fill(hub.adminToken);
    await page.keyboard.press("Enter");
    await settled(page);
    await expect(page.locator("main")).not.toHaveAttribute("data-screen", "connect");
    await page.evaluate(() => localStorage.clear());
    await page.goto("about:blank");
  }
});

test.describe("a token that is not the operator's", () => {
  test.use({ allowed: [/status of 401/] });

  test("CON-02 is not kept; the words stay, the field has the focus and says it is wrong", async ({ page, hub }) => {
    const agent = await hub.agent("scout");
    await page.goto(`${hub.url}/`);
    for (const [token, words] of [
      ["not-the-token", /The hub doesn't know this token/],
      [agent.token, /belongs to an agent/],
    ] as const) {
      await field(page).fill(token);
      await button(page).click();
      await expect(page.getByRole("alert")).toHaveText(words);
      await expect(field(page)).toHaveValue(token);
      await expect(field(page)).toBeFocused();
      await expect(field(page)).toHaveAttribute("aria-invalid", "true");
      expect(await stored(page)).not.toContain(token);
      await accessible(page);
    }
    await field(page).press("End");
    await field(page).pressSequentially("x");
    await expect(page.getByRole("alert")).toBeHidden();
  });
});

test("CON-03 goes on only to a place of this app, and not back here", async ({ page, hub }) => {
  for (const next of [
    "https://evil.example/",
    "//evil.example",
    "/connect",
    "/connect?next=/connect",
    "javascript:1",
  ]) {
    await page.goto(`${hub.url}/#/connect?next=${encodeURIComponent(next)}`);
    await field(page).fill(hub.adminToken);
    await button(page).click();
    await settled(page);
    await expect(page.locator("main")).not.toHaveAttribute("data-screen", "connect");
    expect(page.url().startsWith(`${hub.url}/#/`)).toBe(true);
    expect(page.url()).not.toContain("evil");
    await page.evaluate(() => localStorage.clear());
    await page.goto("about:blank");
  }
});

test("CON-04 the token of a start-up link is out of the address and the history before anything is asked", async ({
  page,
  hub,
}) => {
  const addresses: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/") || request.url().endsWith("/healthz")) addresses.push(page.url());
  });
  expect(hub.startUpLink).toBe(`${hub.url}/#/connect?token=${hub.adminToken}`);
  await page.goto(hub.startUpLink);
  await settled(page);
  await expect(page.locator("main")).not.toHaveAttribute("data-screen", "connect");
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(address).not.toContain(hub.adminToken);
  expect(page.url()).not.toContain(hub.adminToken);
  await page.goBack();
  expect(page.url()).not.toContain(hub.adminToken);
  // The same link pressed in a page of the app that is open already.
  await page.goto(`${hub.url}/`);
  await page.evaluate((link) => location.assign(link), hub.startUpLink);
  await settled(page);
  await expect.poll(() => page.url()).not.toContain(hub.adminToken);
});

test("CON-05 signing out in one tab sends the others here", async ({ context, page, hub }) => {
  const other = await context.newPage();
  await openApp(page, hub, "/settings");
  await openApp(other, hub);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("dialog")).toContainText("This device forgets the token");
  await accessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  for (const tab of [page, other]) await expect(tab.getByRole("heading", { name: "Connect to the hub" })).toBeVisible();
});

test("CON-06 a browser that keeps nothing: a warning, and the app works for the session", async ({ page, hub }) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("blocked", "SecurityError");
        },
      });
    }
  });
  await page.goto(`${hub.url}/`);
  await field(page).fill(hub.adminToken);
  await button(page).click();
  await settled(page);
  await expect(page.getByRole("region", { name: "Messages" })).toContainText(
    "This browser won't keep the token; you'll be asked again next time.",
  );
  await page.reload();
  await expect(page.getByRole("heading", { name: "Connect to the hub" })).toBeVisible();
});

test("no hub at the address, or one that refuses it, is told in words", async ({ page, hub, allowed }) => {
  allowed.push(/Failed to load resource/, /net::ERR/);
  await page.goto(`${hub.url}/`);
  await page.route("**/api/v1/home", (route) =>
    route.fulfill({
      status: 403,
      contentType: "application/problem+json",
      body: JSON.stringify({
        status: 403,
        code: "forbidden",
        detail: "name it in public_url or allowed_hosts",
        details: {},
      }),
    }),
  );
  await field(page).fill(hub.adminToken);
  await button(page).click();
  await expect(page.getByRole("alert")).toContainText("public_url or allowed_hosts must name it");
  await hub.stop();
  await button(page).click();
  await expect(page.getByRole("alert")).toContainText(`No hub answers at this address: ${hub.url}/`);
});

// Notifications (web-app.md 8): raised while the app is open and nobody looks at it, and taken away with their reason.
import type { BrowserContext, Page } from "@playwright/test";
import { ask, request } from "./inbox-fixtures.ts";
import { accessible, expect, live, openApp, settled, test, waitingInTitle } from "./support/app.ts";
import type { Agent, WebHub } from "./support/hub.ts";

type Shown = { title: string; body: string };

/** What is on the screen, as the browser keeps it for this hub's worker. */
function shown(page: Page): Promise<Shown[]> {
  return page.evaluate(async () => {
    const worker = await navigator.serviceWorker.getRegistration();
    const notifications = (await worker?.getNotifications()) ?? [];
    return notifications.map(({ title, body }) => ({ title, body }));
  });
}

const titles = async (page: Page) => (await shown(page)).map(({ title }) => title);

/** A browser without a window of its own never hides a page, so the page is told that it is. */
function look(page: Page, isShown: boolean): Promise<void> {
  return page.evaluate((visible) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => !visible });
    Object.defineProperty(document, "visibilityState", {
      configurable: true,
      get: () => (visible ? "visible" : "hidden"),
    });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isShown);
}

const hide = (page: Page) => look(page, false);

/** What the page asks the hub about what waits, as it asks. */
function looks(page: Page): string[] {
  const asked: string[] = [];
  page.on("response", (response) => {
    if (response.url().includes("group=waiting")) asked.push(response.url());
  });
  return asked;
}

/** As a device where they were switched on before. */
async function switchedOn(context: BrowserContext, hub: { url: string }, prefix = "/"): Promise<void> {
  await context.grantPermissions(["notifications"], { origin: hub.url });
  await context.addInitScript((key) => localStorage.setItem(key, "on"), `hub:${prefix}:notifications`);
}

/** Open, with a worker that can show them, and heard by nobody else. */
async function open(page: Page, hub: { url: string; adminToken: string }, prefix = "/"): Promise<void> {
  await openApp(page, hub, "/", prefix);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await live(page);
}

/** Hidden, and it knows what waits by then. */
async function openHidden(page: Page, hub: { url: string; adminToken: string }, prefix = "/"): Promise<string[]> {
  const asked = looks(page);
  await open(page, hub, prefix);
  await hide(page);
  await expect.poll(() => asked.length).toBe(1);
  return asked;
}

async function deployer(hub: WebHub): Promise<Agent> {
  await hub.project("homelab", "Homelab");
  return hub.agent("deployer");
}

const device = (page: Page) => page.getByRole("switch", { name: "Notify me on this device" });
const state = (page: Page) => page.locator("[data-notifications]");

test("NTF-01 NTF-02 every state has its word, and the browser is asked by a press alone", async ({
  page,
  context,
  hub,
}) => {
  await page.addInitScript(() => {
    const ask = Notification.requestPermission.bind(Notification);
    let asked = 0;
    Notification.requestPermission = () => {
      asked += 1;
      Reflect.set(globalThis, "asked", asked);
      return ask();
    };
  });
  const asked = () => page.evaluate(() => Number(Reflect.get(globalThis, "asked") ?? 0));
  await openApp(page, hub, "/settings");
  await expect(state(page)).toHaveText("Not asked");
  await expect(device(page)).not.toBeChecked();
  for (const route of ["/", "/inbox", "/start?step=agent", "/settings"]) {
    await page.goto(`${hub.url}/#${route}`);
    await settled(page);
  }
  expect(await asked()).toBe(0);
  await accessible(page);

  // Without a window nobody answers, which is a no.
  await device(page).click();
  await expect(state(page)).toHaveText("Blocked");
  expect(await asked()).toBe(1);
  await expect(page.getByText("Allow it in the browser's site settings, then check again.")).toBeVisible();
  await expect(device(page)).toHaveAttribute("aria-disabled", "true");
  await accessible(page);
  await context.grantPermissions(["notifications"], { origin: hub.url });
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(state(page)).toHaveText("On");
  await expect(device(page)).toBeChecked();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.getByRole("button", { name: "Show one now" }).click();
  await expect.poll(() => titles(page)).toEqual(["Notifications work here"]);
  await page.getByRole("switch", { name: "Quiet hours" }).click();
  await page.getByLabel("From").fill("21:30");
  await accessible(page);
  await page.reload();
  await settled(page);
  await expect(state(page)).toHaveText("On");
  await expect(page.getByLabel("From")).toHaveValue("21:30");
  await device(page).click();
  await expect(state(page)).toHaveText("Off");
  await expect.poll(() => titles(page)).toEqual([]);

  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "Notification"));
  await page.reload();
  await settled(page);
  await expect(state(page)).toHaveText("Not supported here");
  await page.addInitScript(() => Object.defineProperty(globalThis, "isSecureContext", { get: () => false }));
  await page.reload();
  await settled(page);
  await expect(state(page)).toHaveText("Needs https");
  await accessible(page);
});

test("NTF-03 a hidden app raises one for what begins to wait, and takes it away once that is resolved", async ({
  page,
  context,
  hub,
}) => {
  const agent = await deployer(hub);
  const old = await ask(agent, "homelab", "Was there before?");
  await switchedOn(context, hub);
  const asked = await openHidden(page, hub);
  const id = await request(agent, "homelab", "Ship release 2.4?");
  await expect.poll(() => shown(page)).toEqual([{ title: "Homelab needs you", body: "deployer asks for approval" }]);
  await expect.poll(() => waitingInTitle(page)).toBe(2);
  await hub.operate("decideApproval", { params: { id }, body: { decision: "approve" } });
  await expect.poll(() => shown(page)).toEqual([]);
  // News that waits for nobody is none.
  const before = asked.length;
  await agent.call("signal_append", { project_id: "homelab", kind: "finished", summary: "Done" });
  await expect.poll(() => asked.length).toBeGreaterThan(before);
  expect(await shown(page)).toEqual([]);

  await page.evaluate(() => localStorage.setItem("hub:/:notification-text", "on"));
  await page.reload();
  await settled(page);
  await hide(page);
  const next = await ask(agent, "homelab", "Which way?");
  await expect
    .poll(() => shown(page))
    .toEqual([{ title: "Homelab needs you", body: "deployer asks a question:\nWhich way?" }]);
  // Looked at, it stays until it is answered.
  await look(page, true);
  await hub.operate("answerQuestion", { params: { id: old }, body: { body: "Yes" } });
  await expect.poll(() => waitingInTitle(page)).toBe(1);
  expect(await titles(page)).toEqual(["Homelab needs you"]);
  await hub.operate("answerQuestion", { params: { id: next }, body: { body: "Left" } });
  await expect.poll(() => titles(page)).toEqual([]);
  // Whoever looks at the app is told by the app.
  await ask(agent, "homelab", "And now?");
  await expect.poll(() => waitingInTitle(page)).toBe(1);
  expect(await titles(page)).toEqual([]);
  await hide(page);
  await ask(agent, "homelab", "And then?");
  await expect
    .poll(() => shown(page))
    .toEqual([{ title: "Homelab needs you", body: expect.stringMatching(/then\?$/) }]);
});

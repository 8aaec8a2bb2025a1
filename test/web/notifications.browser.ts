// Notifications (web-app.md 8): raised while the app is open and nobody looks at it, and taken away with their reason.
import type { Page } from "@playwright/test";
import { ask, finish, request } from "./fixtures/inbox.ts";
import { act, expectStored, rowOf, sendAtOnce } from "./inbox-page.ts";
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

/** As on a device where they were switched on before. */
async function switchedOn(page: Page, hub: { url: string }, prefix = "/"): Promise<void> {
  await page.context().grantPermissions(["notifications"], { origin: hub.url });
  await page.addInitScript((key) => localStorage.setItem(key, "on"), `hub:${prefix}:notifications`);
}

/** How many this tab raised, from here on. */
async function raisedBy(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const { prototype } = ServiceWorkerRegistration;
    const show = prototype.showNotification;
    let raised = 0;
    prototype.showNotification = function (...given) {
      raised += 1;
      Reflect.set(globalThis, "raised", raised);
      return show.apply(this, given);
    };
  });
  return () => page.evaluate(() => Number(Reflect.get(globalThis, "raised") ?? 0));
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
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  await hidden(page, asked);
  return asked;
}

async function hidden(page: Page, asked: string[]): Promise<void> {
  const before = asked.length;
  await hide(page);
  // Once nobody looks at the app, it looks at what waits.
  await expect.poll(() => asked.length).toBeGreaterThan(before);
}

/** The app has looked since it waits, so that it is news no more. */
async function known(page: Page, id: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => localStorage.getItem("hub:/:noticed"))).toContain(id);
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
  for (const route of ["/", "/inbox", "/settings"]) {
    await page.goto(`${hub.url}/#${route}`);
    await settled(page);
  }
  expect(await asked()).toBe(0);

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
  await expect(device(page)).toBeFocused();
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
});

test("NTF-03 a hidden app raises one for what begins to wait, and takes it away once that is resolved", async ({
  page,
  hub,
}) => {
  const agent = await deployer(hub);
  const old = await ask(agent, "homelab", "Was there before?");
  // What a device remembers may be damaged; then what waits counts as told.
  await page.addInitScript(() => {
    if (sessionStorage.getItem("test:damaged") !== null) return;
    sessionStorage.setItem("test:damaged", "yes");
    localStorage.setItem("hub:/:noticed", "{");
  });
  await switchedOn(page, hub);
  const asked = await openHidden(page, hub);
  const id = await request(agent, "homelab", "Ship release 2.4?");
  await expect.poll(() => shown(page)).toEqual([{ title: "Homelab needs you", body: "deployer asks for approval" }]);
  await expect.poll(() => waitingInTitle(page)).toBe(2);
  await hub.operate("decideApproval", { params: { id }, body: { decision: "approve" } });
  await expect.poll(() => shown(page)).toEqual([]);
  const { status } = await fetch(`${hub.url}/api/v1/enrol`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ display_name: "Night shift", suggested_id: "night-shift", why: "I watch the ovens." }),
  });
  expect(status).toBe(202);
  await expect.poll(() => shown(page)).toEqual([{ title: "testbox needs you", body: "Night shift asks to join" }]);
  await hub.operate("refuseAgent", { params: { agent_id: "night-shift" } });
  await expect.poll(() => shown(page)).toEqual([]);
  // News that waits for nobody is none.
  const before = asked.length;
  await finish(agent, "homelab", "Done");
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
  await known(page, await ask(agent, "homelab", "And now?"));
  await expect.poll(() => waitingInTitle(page)).toBe(1);
  expect(await titles(page)).toEqual([]);
  await hide(page);
  await ask(agent, "homelab", "And then?");
  await expect
    .poll(() => shown(page))
    .toEqual([{ title: "Homelab needs you", body: expect.stringMatching(/then\?$/) }]);
});

test("NTF-03 of several tabs one raises it, another once that is closed, and none while one is looked at", async ({
  page,
  context,
  hub,
}) => {
  const agent = await deployer(hub);
  await switchedOn(page, hub);
  const raised = await raisedBy(page);
  await open(page, hub);
  const other = await context.newPage();
  await switchedOn(other, hub);
  const raisedByOther = await raisedBy(other);
  await open(other, hub);
  await hide(page);
  await known(page, await ask(agent, "homelab", "One looks?"));
  await expect.poll(() => waitingInTitle(other)).toBe(1);
  expect(await titles(page)).toEqual([]);
  await hide(other);
  await ask(agent, "homelab", "Nobody looks?");
  await expect.poll(() => titles(page)).toEqual(["Homelab needs you"]);
  expect([await raised(), await raisedByOther()]).toEqual([1, 0]);
  await page.close();
  await live(other);
  await ask(agent, "homelab", "Still nobody?");
  await expect.poll(() => titles(other)).toHaveLength(2);
  expect(await raisedByOther()).toBe(1);
});

test("NTF-04 a burst is one notification that counts all that wait", async ({ page, hub }) => {
  const agent = await deployer(hub);
  await ask(agent, "homelab", "Was there before?");
  await switchedOn(page, hub);
  await openHidden(page, hub);
  const burst: string[] = [];
  for (const number of [1, 2, 3, 4]) burst.push(await ask(agent, "homelab", `Question ${number}?`));
  await expect.poll(() => shown(page)).toEqual([{ title: "5 things wait", body: "In the inbox of testbox" }]);
  const answer = (id: string) => hub.operate("answerQuestion", { params: { id }, body: { body: "Yes" } });
  await answer(burst.pop() ?? "");
  await expect.poll(() => titles(page)).toEqual(["4 things wait"]);
  for (const id of burst) await answer(id);
  // What waited before was told by nobody here.
  await expect.poll(() => titles(page)).toEqual([]);
  await expect.poll(() => waitingInTitle(page)).toBe(1);
});

test("NTF-05 a press brings the open app to the item, also under a prefix", async ({ page, context, hub, front }) => {
  const agent = await deployer(hub);
  const proxy = await front({ "/deep/hub/": hub.url });
  const through = { url: proxy.url, adminToken: hub.adminToken };
  await switchedOn(page, through, "/deep/hub/");
  await openHidden(page, through, "/deep/hub/");
  const id = await ask(agent, "homelab", "Which way?");
  const shownHere = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.ready;
      return (await worker.getNotifications()).length;
    });
  await expect.poll(shownHere).toBe(1);
  const [worker] = context.serviceWorkers();
  if (worker === undefined) throw new Error("no worker");
  await worker.evaluate(async () => {
    // What a worker has and a page has not; the runner compiles for a page.
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      NotificationEvent: new (type: string, given: { notification: Notification }) => Event;
    };
    const [notification] = await scope.registration.getNotifications();
    if (notification === undefined) throw new Error("nothing to press");
    dispatchEvent(new scope.NotificationEvent("notificationclick", { notification }));
  });
  await expect(page).toHaveURL(`${proxy.url}/deep/hub/#/inbox/${id}`);
  // The worker has brought it to the front, which only a window of the system tells a page.
  await look(page, true);
  await expect(page.getByRole("heading", { name: "Which way?" })).toBeVisible();
  expect(context.pages()).toHaveLength(1);
  await expect.poll(shownHere).toBe(0);
});

test("NTF-06 the badge is what waits, after read, decide, snooze and wake", async ({ page, hub }) => {
  await sendAtOnce(page);
  await page.addInitScript(() => {
    const badges: number[] = [];
    Reflect.set(globalThis, "badges", badges);
    Navigator.prototype.setAppBadge = async (amount) => void badges.push(amount ?? -1);
    Navigator.prototype.clearAppBadge = async () => void badges.push(0);
  });
  // Every one that was set, so that none was wrong on the way.
  const badges = () => page.evaluate(() => [...(Reflect.get(globalThis, "badges") as number[])]); // set above
  const agent = await deployer(hub);
  const first = await request(agent, "homelab", "Ship release 2.4?");
  await request(agent, "homelab", "Delete the volume?");
  await finish(agent, "homelab", "Backup verified");
  await openApp(page, hub, "/inbox");
  await live(page);
  await expect.poll(badges).toEqual([2]);
  await rowOf(page, "Backup verified").hover();
  await act(rowOf(page, "Backup verified"), "mark-read").click();
  await act(rowOf(page, "Ship release 2.4?"), "approve").click();
  await expectStored(hub, first, { status: "resolved" });
  await expect.poll(badges).toEqual([2, 1]);
  await act(rowOf(page, "Delete the volume?"), "snooze").click();
  await page.getByRole("menuitem").first().click();
  await expect.poll(badges).toEqual([2, 1, 0]);
  await page.keyboard.press("z");
  await expect.poll(badges).toEqual([2, 1, 0, 1]);
});

test("what approves itself is told ten minutes before, once, and not in quiet hours", async ({ page, hub }) => {
  await page.clock.install();
  const agent = await deployer(hub);
  await switchedOn(page, hub);
  await openHidden(page, hub);
  await request(agent, "homelab", "Renew the certificate?", { expires_in_seconds: 660, on_expiry: "approve" });
  await expect.poll(() => shown(page)).toEqual([{ title: "Homelab needs you", body: "deployer asks for approval" }]);
  const reminder = { title: "Homelab needs you", body: "Approves itself in 10 min: deployer asks for approval" };
  await page.clock.fastForward(80_000);
  await expect.poll(() => shown(page)).toEqual([reminder]);
  await page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    for (const notification of await worker.getNotifications()) notification.close();
  });
  await ask(agent, "homelab", "Which way?");
  await expect.poll(() => shown(page)).toEqual([{ title: "Homelab needs you", body: "deployer asks a question" }]);

  await page.evaluate(() => {
    localStorage.setItem("hub:/:quiet-hours", "on");
    localStorage.setItem("hub:/:quiet-from", "00:00");
    localStorage.setItem("hub:/:quiet-to", "23:59");
  });
  await page.clock.setSystemTime(new Date().setUTCHours(12, 0, 0, 0));
  await page.reload();
  await settled(page);
  await live(page);
  await hide(page);
  const quiet = { expires_in_seconds: 300, on_expiry: "approve" };
  await known(page, await request(agent, "homelab", "Another one?", quiet));
  // One look is over before the next begins.
  await known(page, await request(agent, "homelab", "And one more?", quiet));
  await expect.poll(() => waitingInTitle(page)).toBe(4);
  expect((await shown(page)).map(({ body }) => body)).toEqual(["deployer asks a question"]);
});

// Live updates: at once, after a cut, without a stream, and with many tabs (web-app.md 2.8).
import type { Page } from "@playwright/test";
import { expect, live, openApp, settled, test, waitingInTitle } from "./support/app.ts";
import type { Agent, WebHub } from "./support/hub.ts";

async function asker(hub: WebHub): Promise<Agent> {
  await hub.project("homelab");
  return hub.agent("deployer");
}

const ask = (agent: Agent, subject: string) => agent.call("question_post", { project_id: "homelab", subject });
const waits = (page: Page, amount: number, timeout = 5000) =>
  expect.poll(() => waitingInTitle(page), { timeout }).toBe(amount);

test("LIV-01 a question posted over MCP shows without a reload", async ({ page, hub }) => {
  const agent = await asker(hub);
  await openApp(page, hub);
  await live(page);
  await ask(agent, "Switch now?");
  await waits(page, 1);
  await ask(agent, "And then?");
  await waits(page, 2);
});

for (const isTickOnly of [false, true]) {
  test(`LIV-02 what lands while the connection is cut shows once it is back (${isTickOnly ? "ticks" : "topics"})`, async ({
    page,
    hub,
    front,
    allowed,
  }) => {
    allowed.push(/net::ERR/);
    const agent = await asker(hub);
    const proxy = await front({ "/": hub.url }, { isTickOnly });
    await openApp(page, { ...hub, url: proxy.url, adminToken: hub.adminToken });
    await live(page);
    await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));
    proxy.cut();
    await expect(page.locator("[data-link=reconnecting], [data-link=offline]").first()).toBeAttached();
    for (const subject of ["1", "2", "3", "4", "5"]) await ask(agent, subject);
    proxy.mend();
    await waits(page, 5, 40_000);
    await live(page);
    await ask(agent, "6");
    await waits(page, 6);
    expect(await page.evaluate(() => Reflect.get(globalThis, "isSameDocument"))).toBe(true);
  });
}

test("LIV-03 a proxy that holds the stream back: the app asks every 15 s, and says so", async ({
  page,
  hub,
  front,
}) => {
  const agent = await asker(hub);
  const proxy = await front({ "/": hub.url }, { doesBuffer: true });
  await openApp(page, { ...hub, url: proxy.url, adminToken: hub.adminToken });
  await expect(page.locator("[data-link=polling]").first()).toBeAttached();
  await expect(page.locator(".bars")).toContainText("Checking every 15 s");
  await ask(agent, "Do you hear?");
  await waits(page, 1, 20_000);
});

test("LIV-04 eight tabs have one stream; when its tab closes, another has it", async ({
  context,
  page,
  hub,
  front,
}) => {
  const agent = await asker(hub);
  const proxy = await front({ "/": hub.url });
  const through = { ...hub, url: proxy.url, adminToken: hub.adminToken };
  await openApp(page, through);
  await live(page);
  const others: Page[] = [];
  for (let tab = 0; tab < 7; tab += 1) {
    const other = await context.newPage();
    await openApp(other, through);
    await live(other);
    others.push(other);
  }
  expect(proxy.streams()).toBe(1);
  await ask(agent, "All of you?");
  await Promise.all(
    others.map(async (other) => {
      await other.bringToFront();
      await waits(other, 1);
    }),
  );
  await page.close();
  await expect.poll(() => proxy.streams()).toBe(1);
  await ask(agent, "Still?");
  const last = others.at(-1);
  if (last === undefined) throw new Error("no tab");
  await last.bringToFront();
  await waits(last, 2);
  expect(proxy.streams()).toBe(1);
});

test("LIV-05 a hidden tab asks once in two minutes at most", async ({ page, hub }) => {
  const agent = await asker(hub);
  await page.clock.install();
  await openApp(page, hub);
  await live(page);
  // What the stream's first word asks for again is asked for by a page that is looked at.
  await page.clock.runFor(1000);
  await settled(page);
  // A browser without a window of its own never hides a page.
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/v1/") && !request.url().endsWith("/stream")) asked.push(request.url());
  });
  for (let turn = 1; turn <= 6; turn += 1) {
    await ask(agent, `Question ${turn}`);
    await page.clock.runFor(20_000);
  }
  expect(asked.slice(1)).toEqual([]);
  await page.clock.runFor(120_000);
  await waits(page, 6);
  expect(asked.slice(2)).toEqual([]);
});

// Without the hub, with a newer one, and where the browser offers less (web-app.md 2.10, 2.11).
import type { Page } from "@playwright/test";
import { chromium } from "@playwright/test";
import { accessible, expect, live, openApp, settled, signIn, test, waitingInTitle } from "./support/app.ts";
import { startWebHub } from "./support/hub.ts";

const ready = (page: Page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
/** The worker has all files, and this page is its own. */
async function controlled(page: Page): Promise<void> {
  await ready(page);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

test("OFF-01 without the hub the last inbox opens, and says when it is from", async ({ page, hub, allowed }) => {
  allowed.push(/net::ERR|Failed to fetch/);
  await hub.project("homelab");
  const agent = await hub.agent("deployer");
  await agent.call("question_post", { project_id: "homelab", subject: "Switch the name servers now?" });
  await openApp(page, hub, "/inbox");
  await expect(page.getByText("Switch the name servers now?").first()).toBeVisible();
  await controlled(page);
  await expect.poll(() => waitingInTitle(page)).toBe(1);
  await hub.stop();
  await page.reload();
  await expect(page.getByText("Switch the name servers now?").first()).toBeVisible();
  await expect(page.getByText(/Offline\. This is what the hub said at \d\d:\d\d\./).first()).toBeVisible();
  await expect.poll(() => waitingInTitle(page)).toBe(1);
  await expect(page.locator("main")).toHaveAttribute("data-state", "offline");
  await accessible(page);
  await hub.start();
  await live(page);
  await expect(page.locator("main")).toHaveAttribute("data-state", "ready");
  await expect(page.getByText(/This is what the hub said/)).toHaveCount(0);
});

test("OFF-02 offline nothing is sent, which is said beside the control, and the words stay", async ({
  page,
  hub,
  allowed,
}) => {
  allowed.push(/net::ERR|Failed to fetch/);
  await hub.project("homelab");
  const agent = await hub.agent("deployer");
  const { event_id } = await agent.call("signal_append", {
    project_id: "homelab",
    kind: "approval",
    summary: "Ship release 2.4?",
  });
  await openApp(page, hub, `/inbox/${event_id}`);
  await controlled(page);
  const pane = page.getByRole("region", { name: /Ship release|Open item/ });
  await pane.getByRole("button", { name: /Add a note/ }).click();
  await pane.getByRole("textbox", { name: "Note" }).fill("Watch the disk");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(request.url());
  });
  await hub.stop();
  await expect(page.locator("[data-link=offline]").first()).toBeAttached();
  const approve = pane.getByRole("button", { name: /^Approve/ }).first();
  await expect(approve).toHaveAttribute("aria-disabled", "true");
  // A control that cannot act is one all the same.
  await approve.click({ force: true });
  await expect(page.getByText("You're offline, so nothing was sent. Your words are kept.").first()).toBeAttached();
  await expect(pane.getByRole("textbox", { name: "Note" })).toHaveValue("Watch the disk");
  expect(sent).toEqual([]);
  await hub.start();
  await live(page);
  await expect(approve).not.toHaveAttribute("aria-disabled", "true");
});

test("OFF-03 a newer app is offered and taken by a press; words outlast the reload", async ({ page, hub, front }) => {
  await hub.project("homelab");
  const agent = await hub.agent("deployer");
  const { question_id } = await agent.call("question_post", { project_id: "homelab", subject: "Which way?" });
  const proxy = await front({ "/": hub.url });
  await openApp(page, { url: proxy.url, adminToken: hub.adminToken }, `/inbox/${question_id}`);
  await controlled(page);
  const words = page.getByRole("textbox", { name: "Your answer" });
  await words.fill("Left, I think");
  proxy.rebuild();
  await agent.call("question_post", { project_id: "homelab", subject: "And then?" });
  await expect(page.getByText("A newer app is ready")).toBeVisible();
  await expect(words).toHaveValue("Left, I think");
  await page.getByRole("button", { name: "Use it" }).click();
  await expect(page.locator('meta[name="hub-build"]')).toHaveAttribute("content", "rebuilt");
  await settled(page);
  await expect(words).toHaveValue("Left, I think");
  await expect(page.getByText("A newer app is ready")).toHaveCount(0);
});

test("OFF-04 over plain http at a name of its own the app works without what the browser holds back", async ({
  allowed,
}) => {
  // The browser says itself that it ignores a header there.
  allowed.push(/Cross-Origin-Opener-Policy/);
  await using hub = await startWebHub({ HUB_ALLOWED_HOSTS: "hub.test" });
  const { launchOptions = {} } = test.info().project.use;
  const browser = await chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), "--host-resolver-rules=MAP hub.test 127.0.0.1"],
  });
  try {
    const page = await browser.newPage();
    const said: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") said.push(message.text());
    });
    page.on("pageerror", (error) => said.push(String(error)));
    const url = hub.url.replace("127.0.0.1", "hub.test");
    await page.goto(`${url}/`);
    expect(await page.evaluate(() => [isSecureContext, "serviceWorker" in navigator, "locks" in navigator])).toEqual([
      false,
      false,
      false,
    ]);
    await expect(page.getByText("Your token will cross this network unencrypted.")).toBeVisible();
    await page.getByLabel("Operator token").fill(hub.adminToken);
    await page.keyboard.press("Enter");
    await settled(page);
    await live(page);
    await hub.project("homelab");
    const agent = await hub.agent("deployer");
    await agent.call("question_post", { project_id: "homelab", subject: "Plain enough?" });
    await expect.poll(() => waitingInTitle(page)).toBe(1);
    expect(said.filter((line) => !allowed.some((pattern) => pattern.test(line)))).toEqual([]);
  } finally {
    await browser.close();
  }
});

test("without the worker a stale page is offered anew all the same", async ({ page, hub, front }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
  const proxy = await front({ "/": hub.url });
  await signIn(page, hub.adminToken);
  await page.goto(`${proxy.url}/`);
  await settled(page);
  proxy.rebuild();
  await hub.project("homelab");
  await expect(page.getByText("A newer app is ready")).toBeVisible();
  await page.getByRole("button", { name: "Use it" }).click();
  await expect(page.locator('meta[name="hub-build"]')).toHaveAttribute("content", "rebuilt");
});

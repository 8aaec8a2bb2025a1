// First run: from a cold start to an agent at work (web-app.md 7).
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Page } from "@playwright/test";
import { isObject } from "../../src/shared/json.ts";
import { accessible, expect, openApp, settled, signIn, test } from "./support/app.ts";
import type { WebHub } from "./support/hub.ts";
import { openTrouble } from "./support/trouble.ts";

const step = (page: Page) => page.locator("[aria-current=step]");
const fact = (page: Page, name: string) => page.locator(`[data-fact=${name}]`);
const card = (page: Page) => page.getByRole("region", { name: /^(?:Live|Working\.)$/ });
const command = (page: Page) => page.locator("[data-snippet=add] pre code");
const yes = (page: Page) => card(page).locator("[data-act=option-1]");

/** An MCP client with what was pasted into it: the address and the header of the shown command, and nothing else. */
async function clientOf(pasted: string): Promise<Client> {
  const server: unknown = JSON.parse(/'(\{.*\})'$/.exec(pasted)?.[1] ?? "");
  const { url, headers } = isObject(server) ? server : {};
  const sent = isObject(headers) ? String(headers["Authorization"]) : "";
  const client = new Client({ name: "claude-code", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(String(url)), { requestInit: { headers: { authorization: sent } } }),
  );
  return client;
}

/** What the sentence of step 4 asks for. */
async function doAsTold(client: Client, project: string): Promise<void> {
  await client.callTool({ name: "whoami", arguments: {} });
  await client.callTool({
    name: "signal_append",
    arguments: { project_id: project, kind: "signal", summary: "Hello from claude-code" },
  });
  await client.callTool({
    name: "question_post",
    arguments: { project_id: project, subject: "Can you see me?", options: ["Yes", "No"] },
  });
}

/** The steps up to the address, as they stand. */
async function begin(page: Page, hub: WebHub): Promise<void> {
  await signIn(page, hub.adminToken);
  await page.goto(`${hub.url}/#/start`);
  await page.getByRole("button", { name: "Create project" }).click();
  await page.getByRole("button", { name: "Create agent" }).click();
  await expect(command(page)).toBeVisible();
}

const sendAtOnce = (page: Page) => page.addInitScript(() => localStorage.setItem("hub:/:hold", "0"));

test("FST-01 a cold start is green within two minutes, twelve presses and one typed field", async ({
  page,
  context,
  hub,
}) => {
  const longestMs = 120_000;
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: hub.url });
  const startedMs = Date.now();
  let presses = 0;
  const press = async (act: Promise<unknown>): Promise<void> => {
    presses += 1;
    await act;
  };
  const copied = () => page.evaluate(() => navigator.clipboard.readText());

  await press(page.goto(hub.startUpLink));
  await expect(step(page).getByRole("heading", { name: "Name a project" })).toBeVisible();
  await expect(page.getByLabel("Project name")).toBeFocused();
  await press(page.keyboard.press("Enter"));
  await expect(step(page).getByRole("heading", { name: "Name your first agent" })).toBeVisible();
  await expect(page.getByLabel("Agent name")).toBeFocused();
  await press(page.keyboard.press("Enter"));
  await expect(step(page).getByRole("heading", { name: "Give it the address" })).toBeVisible();
  await press(page.getByRole("button", { name: "Copy: Run this in a terminal, once" }).click());
  await expect.poll(copied).toContain("claude mcp add-json --scope user agent-hub");
  await expect(fact(page, "connected")).toContainText("Waiting for the first call");

  const client = await clientOf(await copied());
  await expect(fact(page, "connected")).toContainText("claude-code connected");
  await expect(step(page).getByRole("heading", { name: "Say hello" })).toBeVisible();
  await press(page.getByRole("button", { name: "Copy: The sentence" }).click());
  await expect.poll(copied).toContain("signal_append to project main");
  await doAsTold(client, "main");
  for (const name of ["introduced", "spoke"]) await expect(fact(page, name)).toHaveAttribute("data-true", "true");
  await expect(fact(page, "spoke")).toContainText("Hello from claude-code");
  await press(yes(page).click());
  await expect(page.getByRole("heading", { name: "Working." })).toBeVisible();
  await client.close();

  expect(Date.now() - startedMs).toBeLessThan(longestMs);
  expect(presses).toBeLessThanOrEqual(12);
  await expect(card(page)).toHaveClass(/green/);
  await page.getByRole("link", { name: "Open the inbox" }).click();
  await expect(page.locator("main")).toHaveAttribute("data-screen", "inbox");
});

test("FST-02 a reload at every step resumes there", async ({ page, hub }) => {
  await sendAtOnce(page);
  await signIn(page, hub.adminToken);
  await page.goto(`${hub.url}/#/start`);
  const resumes = async (title: string) => {
    await expect(step(page).getByRole("heading", { name: title })).toBeVisible();
    await page.reload();
    await settled(page);
    await expect(step(page).getByRole("heading", { name: title })).toBeVisible();
  };
  await resumes("Name a project");
  await page.getByLabel("Project name").fill("Home lab");
  await page.getByRole("button", { name: "Create project" }).click();
  await resumes("Name your first agent");
  await page.getByText("Codex").click();
  await expect(page.getByLabel("Agent name")).toHaveValue("codex");
  await page.reload();
  await settled(page);
  await expect(page.getByLabel("Agent name")).toHaveValue("codex");
  await page.getByText("Claude Code").click();
  await page.getByRole("button", { name: "Create agent" }).click();
  const pasted = (await command(page).textContent()) ?? "";
  await resumes("Give it the address");
  // Nothing of the route is needed for that.
  await page.goto(`${hub.url}/#/inbox`);
  await settled(page);
  await page.goto(`${hub.url}/#/start`);
  await resumes("Give it the address");
  const client = await clientOf(pasted);
  await resumes("Say hello");
  await doAsTold(client, "home-lab");
  await expect(yes(page)).toBeVisible();
  await page.reload();
  await settled(page);
  await yes(page).click();
  await expect(page.getByRole("heading", { name: "Working." })).toBeVisible();
  await page.reload();
  await settled(page);
  await expect(page.getByRole("heading", { name: "Working." })).toBeVisible();
  await client.close();
});

test("the step of the agent lasts until its token is there", async ({ page, hub }) => {
  const trouble = await openTrouble(page);
  await signIn(page, hub.adminToken);
  await page.goto(`${hub.url}/#/start`);
  await page.getByRole("button", { name: "Create project" }).click();
  trouble.set("held", /^POST agents\/[^/]+\/token$/);
  const isMade = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Create agent" }).click();
  await isMade;
  const told = page.waitForResponse((response) => /\/agents(?:\?|$)/.test(response.url()));
  await trouble.stir();
  await (await told).finished();
  await expect(step(page).getByRole("heading", { name: "Name your first agent" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create agent" })).toHaveAttribute("aria-busy", "true");
  trouble.set("well");
  await expect(command(page)).toContainText("Bearer");
  await expect(page.getByText("Make a new token")).toHaveCount(0);
});

test("FST-03 the token is gone once step 3 is left; coming back offers a new one and says what that does", async ({
  page,
  hub,
}) => {
  await begin(page, hub);
  const pasted = (await command(page).textContent()) ?? "";
  const token = /Bearer ([\da-f]+)/.exec(pasted)?.[1] ?? "none";
  const client = await clientOf(pasted);
  await expect(step(page).getByRole("heading", { name: "Say hello" })).toBeVisible();
  const everything = () =>
    page.evaluate(() =>
      JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, location.href]),
    );
  expect(await everything()).not.toContain(token);
  await page.getByRole("button", { name: "Show the address again" }).click();
  await expect(command(page)).toContainText("YOUR-AGENT-TOKEN");
  await page.getByRole("button", { name: "Make a new token" }).click();
  await expect(page.getByRole("dialog")).toContainText("The current token stops now");
  await expect(page.getByRole("button", { name: "Keep it" })).toBeFocused();
  await accessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Make a new token" }).click();
  await expect(command(page)).not.toContainText("YOUR-AGENT-TOKEN");
  await expect(command(page)).not.toContainText(token);
  await expect(client.callTool({ name: "whoami", arguments: {} })).rejects.toThrow();
  await client.close();
});

test("FST-04 a call with a token the hub doesn't know is told; silence unfolds help", async ({ page, hub }) => {
  await page.clock.install();
  await begin(page, hub);
  const help = page.locator("[data-help]");
  await expect(help).toHaveCount(0);
  await page.clock.fastForward(50_000);
  await expect(help).toHaveAttribute("data-help", "nothing");
  await expect(help).toContainText("No call has reached the hub.");
  await expect(help.locator("pre code")).toContainText(`curl -s ${hub.url}/mcp`);
  await accessible(page);
  await fetch(`${hub.url}/mcp`, { method: "POST", headers: { authorization: "Bearer wrong" } });
  await page.clock.fastForward(4000);
  await expect(help).toHaveAttribute("data-help", "refused");
  await expect(help).toContainText("Something called with a token the hub doesn't know");
});

test("FST-05 by keyboard alone, the focus seen at every step", async ({ page, hub }) => {
  await sendAtOnce(page);
  await page.goto(hub.startUpLink);
  const focused = () => page.evaluate(() => document.activeElement?.tagName ?? "BODY");
  await expect(page.getByLabel("Project name")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Agent name")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByLabel("Agent name")).toHaveValue("codex");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(step(page).getByRole("heading", { name: "Give it the address" })).toBeVisible();
  await expect.poll(focused).not.toBe("BODY");
  const pasted = (await command(page).textContent()) ?? "";
  const copy = page.getByRole("button", { name: "Copy: Run this in a terminal, once" });
  for (let tabs = 0; tabs < 6 && !(await copy.evaluate((element) => element === document.activeElement)); tabs += 1) {
    await page.keyboard.press("Tab");
  }
  await expect(copy).toBeFocused();
  await page.keyboard.press("Enter");
  const client = await clientOf(pasted);
  await expect(step(page).getByRole("heading", { name: "Say hello" })).toBeVisible();
  await expect.poll(focused).not.toBe("BODY");
  await doAsTold(client, "main");
  await expect(yes(page)).toBeVisible();
  for (
    let tabs = 0;
    tabs < 20 && !(await yes(page).evaluate((element) => element === document.activeElement));
    tabs += 1
  ) {
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Working." })).toBeVisible();
  await expect.poll(focused).not.toBe("BODY");
  await client.close();
});

test("FST-06 a screen reader hears each fact once", async ({ page, hub }) => {
  await sendAtOnce(page);
  await begin(page, hub);
  await page.evaluate(() => {
    const said: string[] = [];
    Reflect.set(globalThis, "said", said);
    for (const region of document.querySelectorAll("[aria-live=polite][data-announcer]")) {
      new MutationObserver(() => said.push(region.textContent ?? "")).observe(region, {
        childList: true,
        subtree: true,
        characterData: true,
      });
    }
  });
  const heard = () => page.evaluate(() => (Reflect.get(globalThis, "said") as string[]).join("\n")); // set above
  const client = await clientOf((await command(page).textContent()) ?? "");
  await expect.poll(heard).toContain("claude-code connected.");
  await doAsTold(client, "main");
  await yes(page).click();
  await expect(page.getByRole("heading", { name: "Working." })).toBeVisible();
  const words = ["claude-code connected.", "It asked who it is.", "It spoke.", "It asks you something.", "Working."];
  for (const each of words) await expect.poll(async () => (await heard()).split(each).length - 1).toBe(1);
  await client.close();
});

test("FST-07 a hub with agents at work has no first run", async ({ page, hub }) => {
  await hub.project("homelab");
  const agent = await hub.agent("scout");
  await agent.call("whoami");
  await page.goto(hub.startUpLink);
  await settled(page);
  await expect(page.locator("main")).not.toHaveAttribute("data-screen", "start");
  await page.goto(`${hub.url}/#/start`);
  await expect(page.locator("main")).not.toHaveAttribute("data-screen", "start");
  // Another agent is connected from here all the same.
  await page.goto(`${hub.url}/#/start?step=agent`);
  await expect(step(page).getByRole("heading", { name: "Name the agent" })).toBeVisible();
  await page.getByRole("link", { name: "Skip, I know my way" }).click();
  await expect(page.locator("main")).not.toHaveAttribute("data-screen", "start");
});

test("the last page offers what else there is; Home leads there until that is dismissed", async ({
  page,
  context,
  hub,
}) => {
  await hub.project("main", "Main");
  const agent = await hub.agent("claude-code");
  const { question_id } = await agent.call("question_post", { project_id: "main", subject: "Can you see me?" });
  await hub.operate("answerQuestion", { params: { id: String(question_id) }, body: { body: "Yes" } });
  const address = "https://hub.example";
  await page.route(/\/api\/v1\/hub$/, async (route) => {
    const response = await route.fetch();
    const told: object = await response.json();
    await route.fulfill({ response, json: { ...told, public_url: address } });
  });
  const offered = () =>
    page.evaluate(() => {
      const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
        prompt: async () => Reflect.set(globalThis, "prompted", true),
      });
      dispatchEvent(offer);
      return offer.defaultPrevented;
    });
  await openApp(page, hub, "/start?agent=claude-code&project=main");
  await expect(page.getByRole("heading", { name: "Working." })).toBeVisible();

  const install = card(page).getByRole("button", { name: "Install the app" });
  await expect(install).toHaveCount(0);
  expect(await offered()).toBe(true);
  await install.click();
  await expect(install).toHaveCount(0);
  await expect(card(page).getByRole("button", { name: "Get notified" })).toBeFocused();
  expect(await page.evaluate(() => Reflect.get(globalThis, "prompted"))).toBe(true);

  await context.grantPermissions(["notifications"], { origin: hub.url });
  await expect(card(page)).not.toContainText("Notifications are on.");
  await card(page).getByRole("button", { name: "Get notified" }).click();
  await expect(card(page)).toContainText("Notifications are on.");
  await expect(card(page).getByRole("button", { name: "Put it on your phone" })).toBeFocused();

  await card(page).getByRole("button", { name: "Put it on your phone" }).click();
  await expect(card(page).getByRole("img", { name: `QR code of the address ${address}` })).toBeVisible();
  await expect(card(page).locator(".qr path")).toHaveAttribute("d", /^M/);
  await expect(card(page).locator("code")).toHaveText(address);
  expect(await card(page).evaluate((element) => element.outerHTML)).not.toContain(hub.adminToken);
  await page.setViewportSize({ width: 320, height: 700 });
  await accessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await page.goto(`${hub.url}/#/settings`);
  await expect(page.getByText(/install it from the end of the address bar/)).toBeVisible();
  await offered();
  await expect(page.getByRole("button", { name: "Install", exact: true })).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event("appinstalled")));
  await expect(page.getByText("It is installed on this device.")).toBeVisible();

  await page.goto(`${hub.url}/#/`);
  const finished = page.getByRole("link", { name: "Your first agent is at work" });
  await finished.click();
  await expect(page.getByRole("heading", { name: "Working." })).toBeVisible();
  await page.goto(`${hub.url}/#/`);
  await expect(finished).toBeVisible();
  await accessible(page);
  await page.getByRole("button", { name: "Dismiss: First steps" }).click();
  await expect(finished).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.goto(`${hub.url}/#/start?agent=claude-code&project=main`);
  await expect(page.getByRole("heading", { name: "Working." })).toBeVisible();
  await page.goto(`${hub.url}/#/`);
  await page.reload();
  await settled(page);
  await expect(finished).toHaveCount(0);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`every step is accessible and fits 320 px, ${colorScheme}`, async ({ page, hub }) => {
    await page.emulateMedia({ colorScheme });
    await sendAtOnce(page);
    await page.setViewportSize({ width: 320, height: 700 });
    const fits = async () => {
      await accessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    };
    await openApp(page, hub, "/start");
    await fits();
    await page.getByRole("button", { name: "Create project" }).click();
    await expect(page.getByLabel("Agent name")).toBeVisible();
    await fits();
    await page.getByRole("button", { name: "Create agent" }).click();
    await expect(command(page)).toBeVisible();
    await fits();
    const client = await clientOf((await command(page).textContent()) ?? "");
    await doAsTold(client, "main");
    await expect(yes(page)).toBeVisible();
    await fits();
    await yes(page).click();
    await expect(page.getByRole("heading", { name: "Working." })).toBeVisible();
    await fits();
    await client.close();
  });
}

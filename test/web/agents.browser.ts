// Agents and access: tokens that are shown once, grants, confidential projects (web-app.md 6.17). AGT-05, what each
// snippet is, stands in test/shared/snippets.test.ts.
import type { Page } from "@playwright/test";
import { isObject } from "../../src/shared/json.ts";
import { callOnWire } from "../support/mcp-wire.ts";
import { fillHostileNames, fillHouse } from "./fixtures/house.ts";
import { accessible, expect, live, openApp, settled, test } from "./support/app.ts";
import type { WebHub } from "./support/hub.ts";

const view = (page: Page) => page.locator(".agent-view");
const dialog = (page: Page) => page.getByRole("dialog");
const tokenField = (page: Page) => view(page).locator(".copy-field code");
const row = (page: Page, id: string) => page.locator(`article[data-id="${id}"]`);

async function addAgent(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "New agent" }).first().click();
  await page.getByLabel("Name").fill(name);
  await dialog(page).getByRole("button", { name: "Create agent" }).click();
  await expect(tokenField(page)).toBeVisible();
  return (await tokenField(page).textContent()) ?? "";
}

/** The status a call of this token gets. */
async function statusOf(hub: WebHub, token: string): Promise<number> {
  return (await callOnWire(hub.url, token, "2026", "whoami")).status;
}

/** The projects that are there for the agent of this token. */
async function projectsOf(hub: WebHub, token: string): Promise<string> {
  return (await fetch(`${hub.url}/api/v1/projects`, { headers: { authorization: `Bearer ${token}` } })).text();
}

const everything = (page: Page) =>
  page.evaluate(async () => {
    const records: unknown[] = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name ?? "");
        request.onsuccess = () => resolve(request.result);
        request.onerror = reject;
      });
      for (const store of database.objectStoreNames) {
        const request = database.transaction(store).objectStore(store).getAll();
        records.push(await new Promise((resolve) => (request.onsuccess = () => resolve(request.result))));
      }
      database.close();
    }
    const html = document.documentElement.outerHTML;
    return JSON.stringify([html, { ...localStorage }, { ...sessionStorage }, records, location.href, history.state]);
  });

test("AGT-01 a token is seen once; afterwards it is nowhere on this device", async ({ page, context, hub }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: hub.url });
  const logs: string[] = [];
  page.on("console", (message) => logs.push(message.text()));
  await openApp(page, hub, "/agents");
  await expect(page.getByText("No agents yet")).toBeVisible();
  await accessible(page);
  const token = await addAgent(page, "Night watch");
  expect(page.url()).toBe(`${hub.url}/#/agents/night-watch`);
  expect(await statusOf(hub, token)).toBe(200);
  await expect(view(page).locator("[data-snippet=add] pre code")).toContainText(token);
  await accessible(page);
  // Leaving before copying asks; a copied one is let go.
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await expect(dialog(page)).toContainText("You haven't copied the token of Night watch");
  await expect(page.getByRole("button", { name: "Stay" })).toBeFocused();
  await accessible(page);
  await page.keyboard.press("Enter");
  expect(page.url()).toBe(`${hub.url}/#/agents/night-watch`);
  await expect(tokenField(page)).toHaveText(token);
  await page.getByRole("button", { name: "Copy: Its token" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await expect(page.locator("main")).toHaveAttribute("data-screen", "inbox");
  await page.goBack();
  await expect(view(page)).toBeVisible();
  expect(await everything(page)).not.toContain(token);
  await page.reload();
  await settled(page);
  await expect(view(page)).toContainText("One token is live.");
  expect(await everything(page)).not.toContain(token);
  expect(logs.join("\n")).not.toContain(token);
});

test("leaving without the token is possible, and goes where it was going", async ({ page, hub }) => {
  await openApp(page, hub, "/agents");
  const token = await addAgent(page, "Scout");
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await page.getByRole("button", { name: "Leave without it" }).click();
  await expect(page.locator("main")).toHaveAttribute("data-screen", "inbox");
  expect(await everything(page)).not.toContain(token);
});

test("AGT-02 replacing kills the old token at once", async ({ page, hub }) => {
  const scout = await hub.agent("scout");
  expect(await statusOf(hub, scout.token)).toBe(200);
  await openApp(page, hub, "/agents/scout");
  await view(page).getByRole("button", { name: "Replace token" }).click();
  await expect(dialog(page)).toContainText("The current token stops now; one token is live at a time.");
  await expect(page.getByRole("button", { name: "Keep it" })).toBeFocused();
  await accessible(page);
  await dialog(page).getByRole("button", { name: "Replace token" }).click();
  await expect(tokenField(page)).toBeVisible();
  expect(await statusOf(hub, scout.token)).toBe(401);
  expect(await statusOf(hub, (await tokenField(page).textContent()) ?? "")).toBe(200);
});

test("AGT-03 revoking and granting are apart: neither does the other's work", async ({ page, hub }) => {
  const { scout } = await fillHouse(hub);
  await openApp(page, hub, "/agents/scout");
  const entered = view(page).locator(".plain-list").filter({ hasText: "Household ledger" });
  await expect(entered).toBeVisible();
  await view(page).getByRole("button", { name: "Revoke" }).click();
  await expect(dialog(page)).toContainText("Its grants and history stay.");
  await dialog(page).getByRole("button", { name: "Revoke token" }).click();
  await expect(view(page)).toContainText("No token is live");
  expect(await statusOf(hub, scout.token)).toBe(401);
  await expect(entered).toBeVisible();
  await view(page).getByRole("button", { name: "Make a token" }).click();
  const token = (await tokenField(page).textContent()) ?? "";
  const sees = () => projectsOf(hub, token);
  expect(await sees()).toContain("ledger");
  await view(page).getByRole("button", { name: "Remove: Household ledger" }).click();
  await accessible(page);
  await dialog(page).getByRole("button", { name: "Remove grant" }).click();
  await expect(entered).toHaveCount(0);
  expect(await sees()).not.toContain("ledger");
  expect(await statusOf(hub, token)).toBe(200);
  await view(page).getByLabel("Open a confidential project to it").selectOption({ label: "Household ledger" });
  await view(page).getByRole("button", { name: "Grant" }).click();
  await expect(entered).toBeVisible();
  expect(await sees()).toContain("ledger");
});

test("AGT-04 a confidential project is not there for others; opening it asks", async ({ page, hub }) => {
  await hub.project("homelab", "Homelab");
  const scout = await hub.agent("scout");
  const sees = () => projectsOf(hub, scout.token);
  expect(await sees()).toContain("homelab");
  await openApp(page, hub, "/agents");
  const toggle = page.getByRole("switch", { name: "Confidential: Homelab" });
  await expect(toggle).toHaveAttribute("aria-checked", "false");
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-checked", "true");
  await expect(page.getByRole("region", { name: "Messages" })).toContainText("Homelab is confidential.");
  expect(await sees()).not.toContain("homelab");
  await page.getByText("Who may enter").click();
  await expect(page.getByText("No agent. Only you.")).toBeVisible();
  await hub.operate("createGrant", { params: { id: "scout" }, body: { project_id: "homelab" } });
  await expect(page.locator(".who-enters")).toContainText("scout");
  await accessible(page);
  await toggle.click();
  await expect(dialog(page)).toContainText("Your one agent can read it, its past included.");
  await expect(page.getByRole("button", { name: "Keep it confidential" })).toBeFocused();
  await dialog(page).getByRole("button", { name: "Make it ordinary" }).click();
  await expect(toggle).toHaveAttribute("aria-checked", "false");
});

test("AGT-06 names of 60 and ids of 64 characters break no line at 320 px", async ({ page, hub }) => {
  const id = await fillHostileNames(hub);
  await page.setViewportSize({ width: 320, height: 700 });
  const fits = async () => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await accessible(page);
  };
  await openApp(page, hub, "/agents");
  await fits();
  for (const one of [id, "strange-0", "strange-1", "strange-2"]) {
    await page.goto(`${hub.url}/#/agents/${one}`);
    await expect(view(page)).toHaveAttribute("data-agent", one);
    await fits();
  }
  await page.goto(`${hub.url}/#/agents`);
  await page.getByRole("button", { name: "New agent" }).click();
  await fits();
});

test("the list tells how each stands, follows the hub, and moves no row under the hand", async ({ page, hub }) => {
  await fillHouse(hub);
  await openApp(page, hub, "/agents");
  await live(page);
  await expect(row(page, "gardener")).toContainText("Waiting to be admitted");
  await expect(row(page, "gardener")).toHaveAttribute("data-item-state", "waiting");
  await expect(row(page, "scout")).toContainText("At work");
  await expect(row(page, "night-watch")).toContainText("Never connected");
  await expect(row(page, "archivist")).toContainText("No live token");
  await expect(row(page, "deployer")).toContainText("2 open items");
  await accessible(page);
  const scout = row(page, "scout").locator("[data-row-link]");
  await scout.focus();
  const before = await row(page, "scout").boundingBox();
  await hub.operate("createAgent", { body: { id: "aaron", display_name: "Aaron" } });
  await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
  await expect(row(page, "aaron")).toHaveCount(0);
  await expect(scout).toBeFocused();
  expect((await row(page, "scout").boundingBox())?.height).toBe(before?.height);
  await page.getByRole("button", { name: "1 new" }).click();
  await expect(row(page, "aaron")).toBeVisible();
  await row(page, "gardener").click();
  await view(page).getByRole("link", { name: "See its request in the inbox" }).click();
  await expect(page.locator("main")).toHaveAttribute("data-screen", "inbox");
});

test("an agent is renamed; its id stays", async ({ page, hub }) => {
  await hub.agent("scout");
  await openApp(page, hub, "/agents/scout");
  const name = view(page).getByLabel("Name");
  await expect(view(page).getByRole("button", { name: "Save" })).toHaveCount(0);
  await name.fill("");
  await expect(view(page)).toContainText("Give it a name first.");
  await name.fill("Scout of the north");
  await page.keyboard.press("Enter");
  await expect(view(page).getByRole("heading", { level: 2 })).toHaveText("Scout of the north");
  await expect(row(page, "scout")).toContainText("Scout of the north");
  const { agents } = await hub.operate("listAgents");
  const [stored] = Array.isArray(agents) ? agents : [];
  expect(isObject(stored) && stored["id"]).toBe("scout");
});

test("everything by keyboard: a new agent, its snippet, its revocation", async ({ page, context, hub }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: hub.url });
  await openApp(page, hub, "/agents");
  await page.keyboard.press("n");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Courier");
  await page.keyboard.press("Enter");
  await expect(tokenField(page)).toBeVisible();
  await page.keyboard.press("2");
  await expect(page.getByRole("radio", { name: "Codex" })).toBeChecked();
  await page.keyboard.press("y");
  await expect(page.getByRole("region", { name: "Messages" })).toContainText("Snippet copied.");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("[mcp_servers.agent-hub]");
  await view(page).getByRole("button", { name: "Revoke" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Keep it" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(view(page)).toContainText("No token is live");
  await expect(view(page).getByRole("button", { name: "Make a token" })).toBeFocused();
});

// The list of projects and the settings of one (web-app.md 6.6, 6.18).
import type { Page } from "@playwright/test";
import { isObject } from "../../src/shared/json.ts";
import { request } from "../support/operator.ts";
import { ask, finish } from "./fixtures/inbox.ts";
import { expect, live, openApp, test } from "./support/app.ts";
import type { WebHub } from "./support/hub.ts";

const row = (page: Page, id: string) => page.locator(`[data-kind=project][data-id="${id}"]`);
/** Of the one agent there is. */
async function ownSpace(hub: WebHub): Promise<string> {
  const { projects } = await hub.operate("listProjects");
  const own = Array.isArray(projects)
    ? projects.find((project) => isObject(project) && project["is_personal"])
    : undefined;
  return isObject(own) ? String(own["id"]) : "";
}

const dialog = (page: Page) => page.getByRole("dialog");

test("PRJ-01 PRJ-02 a project is made by its name, with an id that follows it, and lands in its feed", async ({
  page,
  hub,
}) => {
  await openApp(page, hub, "/projects");
  await expect(page.locator("main")).toContainText("No projects yet.");
  await page.keyboard.press("n");
  await expect(page.getByLabel("Name")).toBeFocused();
  const derived = page.locator("[data-derived]");
  await page.getByLabel("Name").fill("  Café Über-Straße №7 ");
  await expect(derived).toHaveText("cafe-uber-strasse-no7");
  await page.getByLabel("Name").fill("a".repeat(80));
  await expect(derived).toHaveText("a".repeat(64));
  await page.getByLabel("Name").fill("!!! ???");
  await expect(derived).toHaveText("project");
  await page.getByLabel("Name").fill("Space station");
  await expect(derived).toHaveText("project-space-station");
  await page.getByRole("checkbox", { name: "Confidential" }).check();
  await page.getByLabel("Name").press("Enter");
  await expect(page.locator("main")).toHaveAttribute("data-screen", "feed");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Space station");
  await expect(page.locator("main")).toContainText("confidential");
  const { body } = await request(hub.url, hub.adminToken, "getProject", { params: { id: "project-space-station" } });
  expect(body).toMatchObject({ display_name: "Space station", confidential: true });
});

test("PRJ-03 an id that is taken is met with one that is free", async ({ page, hub, allowed }) => {
  allowed.push(/409/);
  await hub.project("homelab", "Homelab");
  await hub.project("homelab-2", "Homelab again");
  await openApp(page, hub, "/projects");
  await page.getByRole("button", { name: "New project" }).click();
  await page.getByLabel("Name").fill("Homelab");
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(dialog(page)).toContainText("The id homelab is taken.");
  await page.getByRole("button", { name: "Use homelab-3" }).click();
  await expect(page.getByRole("textbox", { name: "Id" })).toHaveValue("homelab-3");
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.locator("main")).toHaveAttribute("data-screen", "feed");
  expect(new URL(page.url()).hash).toBe("#/p/homelab-3/feed");
});

for (const width of [390, 1280]) {
  test(`PRJ-04 PRJ-05 at ${width} px own spaces are folded, and what waits counts more than what is new`, async ({
    page,
    hub,
  }) => {
    await hub.project("lab", "The lab");
    await hub.project("shed", "The shed");
    const agent = await hub.agent("ann");
    const own = await ownSpace(hub);
    await finish(agent, "lab", "Done");
    await ask(agent, "lab", "Which one?");
    await finish(agent, "shed", "Done too");
    await page.setViewportSize({ width, height: 800 });
    await openApp(page, hub, "/projects");
    await expect(row(page, "lab")).toHaveAttribute("data-item-state", "waiting");
    await expect(row(page, "lab")).toContainText("1 waiting");
    await expect(row(page, "shed")).toContainText("1 new");
    await expect(row(page, own)).toBeHidden();
    await page.getByText("Agents' own spaces (1)").click();
    await row(page, own).getByRole("link").click();
    await expect(page.locator("main")).toHaveAttribute("data-screen", "feed");
  });
}

test("the order is chosen, kept by the address, and a long list is filtered", async ({ page, hub }) => {
  for (let number = 1; number <= 9; number += 1) await hub.project(`p${number}`, `Project ${number}`);
  await finish(await hub.agent("ann"), "p5", "Done", { body: "x".repeat(5000) });
  await openApp(page, hub, "/projects");
  const names = page.locator(".projects > :not(details) [data-row-link]");
  await expect(names.first()).toHaveText("Project 5");
  await page.getByRole("button", { name: "Name" }).click();
  await expect(names.first()).toHaveText("Project 1");
  await page.reload();
  await expect(names.first()).toHaveText("Project 1");
  await page.getByRole("searchbox").fill("project 7");
  await expect(names).toHaveText(["Project 7"]);
  await page.getByRole("searchbox").fill("nothing");
  await expect(page.locator("main")).toContainText("No project matches.");
});

test("the amounts of a project are asked for once", async ({ page, hub }) => {
  await hub.project("lab", "The lab");
  const agent = await hub.agent("ann");
  await agent.call("session_start", { project_id: "lab", session_name: "one" });
  // A stream that says nothing: its first word would ask for all that is shown once more.
  await page.route(/\/api\/v1\/stream$/, (route) => route.fulfill({ body: ": hb\n\n" }));
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/projects/lab/stats")) asked.push(request.url());
  });
  await page.clock.install();
  await openApp(page, hub, "/projects");
  await expect(row(page, "lab")).toContainText("1 session");
  await page.clock.runFor(2000);
  expect(asked).toHaveLength(1);
});

test("PSE-01 a new name shows everywhere without a reload, and the id stays", async ({ page, hub, context }) => {
  await hub.project("lab", "The lab");
  await openApp(page, hub, "/p/lab/settings");
  const other = await context.newPage();
  await openApp(other, hub, "/p/lab/feed");
  await live(other);
  await page.getByLabel("Name").fill("  ");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("main")).toContainText("A project needs a name.");
  await page.getByLabel("Name").fill("The laboratory");
  await page.getByLabel("Name").press("Enter");
  await expect(page.locator(".settings-of")).toHaveText("The laboratory");
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("The laboratory");
  await expect(other).toHaveTitle("The laboratory · testbox");
  const { body } = await request(hub.url, hub.adminToken, "getProject", { params: { id: "lab" } });
  expect(body).toMatchObject({ id: "lab", display_name: "The laboratory" });
});

test("an unsaved name is not left behind by a press or by Back", async ({ page, hub }) => {
  await hub.project("lab", "The lab");
  await openApp(page, hub, "/projects");
  await page.goto(`${hub.url}/#/p/lab/settings`);
  await page.getByLabel("Name").fill("Half a na");
  await page.getByRole("link", { name: "Inbox" }).click();
  await expect(dialog(page)).toContainText("Leave without saving the name?");
  await page.getByRole("button", { name: "Stay here" }).click();
  await expect(page.getByLabel("Name")).toHaveValue("Half a na");
  await page.goBack();
  await expect(dialog(page)).toBeVisible();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await expect(page.locator("main")).toHaveAttribute("data-screen", "projects");
});

test("PSE-02 a project is deleted by its exact id and by no other key than its button", async ({ page, hub }) => {
  await hub.project("lab", "The lab");
  const agent = await hub.agent("ann");
  await finish(agent, "lab", "Done");
  await ask(agent, "lab", "Which one?");
  await openApp(page, hub, "/p/lab/settings");
  await page.getByRole("button", { name: "Delete project…" }).click();
  await expect(page.getByRole("button", { name: "Keep the project" })).toBeFocused();
  await expect(dialog(page)).toContainText("2 events, 0 artifacts, 0 sessions, 0 pages");
  await expect(dialog(page)).toContainText("One thing that waits for you is dropped.");
  const destroy = page.locator("[data-destroy]");
  for (const words of ["", "LAB", "la", "The lab"]) {
    await page.getByLabel(/^Type/).fill(words);
    await expect(destroy).toHaveAttribute("aria-disabled", "true");
  }
  await destroy.click({ force: true });
  await page.getByLabel(/^Type/).fill(" lab ");
  await page.getByLabel(/^Type/).press("Enter");
  await expect(destroy).not.toHaveAttribute("aria-disabled", "true");
  expect((await request(hub.url, hub.adminToken, "getProject", { params: { id: "lab" } })).status).toBe(200);
  await destroy.click();
  await expect(page.locator("main")).toHaveAttribute("data-screen", "projects");
  await expect(page.locator("[data-toast]")).toContainText("Deleted The lab.");
  expect((await request(hub.url, hub.adminToken, "getProject", { params: { id: "lab" } })).status).toBe(404);
});

test("PSE-03 a project that was deleted elsewhere is said to be gone", async ({ page, hub, allowed }) => {
  allowed.push(/404/);
  await hub.project("lab", "The lab");
  await openApp(page, hub, "/p/lab/settings");
  await live(page);
  await hub.operate("deleteProject", { params: { id: "lab" } });
  await expect(page.locator("main")).toHaveAttribute("data-state", "gone");
  await expect(page.locator("main")).toContainText("This isn't here any more.");
  await page.goto(`${hub.url}/#/p/lab/feed`);
  await expect(page.locator("main")).toContainText("This project isn't here any more.");
  await page.locator("main").getByRole("link", { name: "Projects" }).click();
  await expect(page.locator("main")).toHaveAttribute("data-screen", "projects");
});

test("PSE-04 an agent's own space has no end here, and closing a project is asked about only when it opens", async ({
  page,
  hub,
}) => {
  await hub.project("lab", "The lab");
  await hub.agent("ann");
  await openApp(page, hub, `/p/${await ownSpace(hub)}/settings`);
  await expect(page.locator("main")).toContainText("This is the own space of ann.");
  await expect(page.locator("[data-delete]")).toHaveCount(0);
  await page.goto(`${hub.url}/#/p/lab/settings`);
  const box = page.getByRole("checkbox", { name: "Confidential" });
  await box.click();
  await expect(box).toBeChecked();
  await box.click();
  await page.getByRole("button", { name: "Keep it confidential" }).click();
  await expect(box).toBeChecked();
  await box.click();
  await page.getByRole("button", { name: "Open to every agent" }).click();
  await expect(box).not.toBeChecked();
});

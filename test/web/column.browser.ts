// What a wide screen has room for: the projects beside every screen, a third pane, a sheet beside the list (web-app.md
// 5.1, 6.4, 6.7, 6.19).
import type { Page } from "@playwright/test";
import { say } from "./fixtures/feed.ts";
import { ask, finish, request } from "./fixtures/inbox.ts";
import { pane, rowOf } from "./inbox-page.ts";
import { accessible, expect, live, openApp, test } from "./support/app.ts";

const column = (page: Page) => page.getByRole("navigation", { name: "Projects" });
const place = (page: Page, id: string) => column(page).locator(`[data-project="${id}"]`);
/** Its name, and what is said of it where numbers and dots are seen. */
const said = (page: Page, id: string) => place(page, id).locator(".place-word");
const beside = (page: Page, name: string) => page.getByRole("complementary", { name });

test.use({ viewport: { width: 1440, height: 900 } });

test("the column lists the projects with what waits, what is new and who is at work; the house stands at its foot", async ({
  page,
  hub,
}) => {
  await hub.project("lab", "The lab");
  await hub.project("notes", "Notes");
  for (let number = 1; number <= 12; number += 1) await hub.project(`quiet-${number}`, `Quiet ${number}`);
  const ann = await hub.agent("ann");
  await hub.operate("updateAgent", { params: { id: "ann" }, body: { display_name: "Ann the first" } });
  await ann.call("session_start", { project_id: "lab", session_name: "one" });
  await request(ann, "lab", "Ship it?");
  await say(ann, "notes", "signal", "A shelf was read");
  await openApp(page, hub, "/");
  await live(page);
  await expect(said(page, "lab")).toHaveText("The lab, 1 waiting, 1 at work");
  await expect(said(page, "notes")).toHaveText("Notes, 1 new");
  // A dozen, how many there are besides, and no space of an agent's own.
  await expect(column(page).getByRole("link")).toHaveCount(13);
  await expect(column(page).getByRole("link").last()).toHaveText("2 more");
  await accessible(page);
  // Home says who it was by the name everybody else uses.
  await expect(page.locator("[data-part=recent]")).toContainText("Ann the first");
  await expect(page.locator("[data-part=unseen]")).toContainText("Ann the first reported: A shelf was read");

  // More than Home carries: the numbers are those of the inbox.
  for (let number = 1; number <= 6; number += 1) await ask(ann, "notes", `Question ${number}?`);
  await expect(said(page, "notes")).toHaveText("Notes, 6 waiting");
  await expect(said(page, "lab")).toHaveText("The lab, 1 waiting, 1 at work");

  await place(page, "notes").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Notes");
  await expect(place(page, "notes")).toHaveAttribute("aria-current", "true");
  await page.evaluate(() => location.assign("#/projects/lab"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The lab");
  expect(new URL(page.url()).hash).toBe("#/p/lab/feed");

  // The menu of Hub is in the column, so its screen has the facts alone.
  const house = page.getByRole("navigation", { name: "The rest of the house" });
  await page.evaluate(() => location.assign("#/hub"));
  await expect(page.locator("main")).toContainText("MCP address");
  await expect(page.locator("main").getByRole("navigation")).toHaveCount(0);
  await house.getByRole("link", { name: "Agents and access" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents and access");
  await expect(house.getByRole("link", { name: "Agents and access" })).toHaveAttribute("aria-current", "page");
  await page.setViewportSize({ width: 900, height: 900 });
  await expect(column(page)).toHaveCount(0);
  await page.evaluate(() => location.assign("#/hub"));
  await expect(page.locator("main").getByRole("navigation").getByRole("link")).not.toHaveCount(0);
});

test("LAW-06 beside a feed: who is at work, what was published, and pruning that names what goes and can be undone", async ({
  page,
  hub,
}) => {
  await hub.project("lab", "The lab");
  const ann = await hub.agent("ann");
  const old = await ann.call("session_start", { project_id: "lab", session_name: "the-old-one" });
  const session = { session_id: old["session_id"] };
  await ann.call("brain_put", {
    session,
    store: "session",
    path: "/kv/k",
    content: "x".repeat(2000),
  });
  await ann.call("session_end", session);
  await ann.call("session_start", { project_id: "lab", session_name: "the-new-one" });
  await ann.call("artifact_publish", {
    project_id: "lab",
    kind: "markdown",
    title: "Report of the week",
    content: "# R",
  });
  await openApp(page, hub, "/p/lab/feed");
  await live(page);
  const about = beside(page, "About the project");
  await expect(about).toContainText("the-new-one");
  await expect(about).not.toContainText("the-old-one");
  await expect(about).toContainText("Report of the week");
  await expect(about).toContainText(/Pruning 1 ended session would free 2\.\d KB\./);
  await accessible(page);

  await about.getByRole("button", { name: "Review and prune" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Prune 1 ended session?");
  await expect(dialog).toContainText("the-old-one");
  await expect(dialog).toContainText(/2\.\d KB/);
  await expect(dialog.getByRole("button", { name: "Keep them" })).toBeFocused();
  await accessible(page);
  await dialog.getByRole("button", { name: "Prune 1 session" }).click();
  const names = async () => JSON.stringify(await hub.operate("listSessions", { query: { project: "lab" } }));
  await expect.poll(names).not.toContain("the-old-one");
  await expect(about.getByRole("button", { name: "Review and prune" })).toHaveCount(0);
  await page.locator("[data-toast=undo]").getByRole("button", { name: "Undo" }).click();
  await expect.poll(names).toContain("the-old-one");
  await expect(about.getByRole("button", { name: "Review and prune" })).toBeVisible();
});

test("an open item says what came before it: beside it, or folded under its words; in a sheet the list stays in sight", async ({
  page,
  hub,
}) => {
  await hub.project("lab", "The lab");
  const ann = await hub.agent("ann");
  await finish(ann, "lab", "Tests are green");
  await say(ann, "lab", "signal", "The images are pushed");
  await request(ann, "lab", "Ship it?");
  await say(ann, "lab", "signal", "Waiting for a word");
  await openApp(page, hub, "/inbox");
  await rowOf(page, "Ship it?").locator("[data-row-link]").click();
  const history = beside(page, "History of the open item");
  await expect(history.getByRole("listitem")).toHaveText([/The images are pushed/, /Tests are green/]);
  await accessible(page);

  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(history).toHaveCount(0);
  await pane(page).getByText("What came before").click();
  await expect(pane(page).getByRole("listitem")).toHaveText([/The images are pushed/, /Tests are green/]);

  await page.setViewportSize({ width: 900, height: 900 });
  const sheet = page.getByRole("region", { name: "Open item" });
  const edges = async () => {
    const [row, side] = await Promise.all([rowOf(page, "Ship it?").boundingBox(), sheet.boundingBox()]);
    return { row: (row?.x ?? 0) + (row?.width ?? 0), start: side?.x, end: (side?.x ?? 0) + (side?.width ?? 0) };
  };
  // It comes from the side, and then lies where the list ends.
  await expect.poll(edges).toEqual({ row: 460, start: 460, end: 900 });
  await accessible(page);
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(rowOf(page, "Ship it?").locator("[data-row-link]")).toBeFocused();

  // On a phone the decision stands above the bar, whole, wherever the item is scrolled to.
  await page.setViewportSize({ width: 360, height: 640 });
  await rowOf(page, "Ship it?").locator("[data-row-link]").click();
  const [foot, bar] = await Promise.all([
    pane(page).locator("footer").boundingBox(),
    page.getByRole("navigation", { name: "Main" }).boundingBox(),
  ]);
  if (foot === null || bar === null) throw new Error("one of them is not there");
  expect(foot.y + foot.height).toBeLessThanOrEqual(bar.y);
});

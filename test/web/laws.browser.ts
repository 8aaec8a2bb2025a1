// Laws that hold on every screen: reading is a choice, and the consequence comes first (web-app.md 1).
import type { Page } from "@playwright/test";
import { fillLarge, request } from "./fixtures/inbox.ts";
import { act, pane, sent } from "./inbox-page.ts";
import { expect, live, openApp, test } from "./support/app.ts";

const dialog = (page: Page) => page.getByRole("dialog");

test("LAW-05 scrolling past changes nothing, nor does a look in passing", async ({ page, hub }) => {
  await fillLarge(hub, 30, 60);
  const unread = async () => (await hub.operate("listInbox"))["counts"];
  const before = await unread();
  expect(before).toMatchObject({ unread: 60 });
  await openApp(page, hub, "/inbox");
  const writes = sent(page, /api\/v1/);
  const end = (selector: string) =>
    page.locator(selector).evaluate(async (scroller) => {
      // As a hand does it: screen by screen, each drawn.
      for (let screens = 0; screens < 8; screens += 1) {
        scroller.scrollBy(0, scroller.clientHeight);
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      }
      return scroller.scrollTop;
    });
  expect(await end("[data-scroll=list]")).toBeGreaterThan(1600);
  await page.locator("[data-scroll=list]").evaluate((list) => list.scrollTo(0, 0));
  await page.locator("article [data-row-link]").first().focus();
  for (let rows = 0; rows < 4; rows += 1) await page.keyboard.press("j");
  await expect(pane(page)).toContainText("Fresh run");

  await page.evaluate(() => location.assign("#/"));
  await expect(page.locator("[data-part=recent]")).toBeVisible();
  await end("html");
  // A feed is seen by opening it, so one that shows a part of itself is left unseen.
  await page.evaluate(() => location.assign("#/p/homelab/feed?kind=finished"));
  await expect(page.locator("article").first()).toBeVisible();
  await end("[data-scroll=list]");
  expect(writes).toEqual([]);
  expect(await unread()).toEqual(before);
});

test("LAW-06 what destroys names its object and the amount, and the safe choice has the focus", async ({
  page,
  hub,
}) => {
  await hub.project("lab", "The lab");
  await hub.operate("updateProject", { params: { id: "lab" }, body: { confidential: true } });
  const ann = await hub.agent("ann");
  await hub.agent("bob");
  await hub.operate("createGrant", { params: { id: "ann" }, body: { project_id: "lab" } });
  await request(ann, "lab", "Ship it?");
  const enrolled = await fetch(`${hub.url}/api/v1/enrol`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ display_name: "Night shift", suggested_id: "night-shift", why: "I watch the ovens." }),
  });
  expect(enrolled.status).toBe(202);
  await openApp(page, hub, "/p/lab/settings");
  await live(page);

  const asks = async (press: () => Promise<unknown>, words: readonly (string | RegExp)[]): Promise<void> => {
    await press();
    for (const each of words) await expect(dialog(page)).toContainText(each);
    await expect(dialog(page).locator("footer button").first()).toBeFocused();
    // A person who presses at once, and once more, is heard and nothing is lost.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
  };
  const button = (name: string | RegExp) => () => page.getByRole("button", { name }).first().click();
  await asks(button("Delete project…"), ["Delete The lab?", /\d events?/, "One thing that waits for you", "undone"]);
  await asks(
    () => page.getByRole("checkbox", { name: "Confidential" }).click(),
    ["Open The lab to every agent?", "All 2 admitted agents"],
  );

  // Words that were typed are kept, however often Escape is pressed.
  await page.getByRole("button", { name: "Delete project…" }).click();
  await dialog(page).getByRole("textbox").fill("la");
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("Escape");
  await expect(dialog(page).getByRole("textbox")).toHaveValue("la");
  await dialog(page).getByRole("textbox").fill("");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);

  await page.evaluate(() => location.assign("#/agents/ann"));
  await asks(button("Revoke"), ["Revoke the token of ann?", "Its grants and history stay"]);
  await asks(button(/^Remove/), ["Close The lab to ann?"]);
  await page.evaluate(() => location.assign("#/inbox"));
  await page.getByRole("link", { name: "A new agent asks to join" }).click();
  await asks(() => act(pane(page), "refuse").click(), ["Refuse night-shift", "It and its request are removed"]);
  await page.getByRole("link", { name: "Ship it?" }).click();
  await act(pane(page), "note").click();
  await page.getByRole("textbox", { name: "Note" }).fill("Not before noon.");
  await page.evaluate(() => location.assign("#/settings"));
  await asks(button("Clear drafts"), ["1 draft you began", "undone"]);
  await asks(button("Sign out"), ["Sign out on this device?", "1 draft"]);
});

// Triage by keyboard alone (web-app.md 5.3).

import { ask, finish, request } from "./fixtures/inbox.ts";
import { expectStored, pane, rowOf, sendAtOnce, stored, undo } from "./inbox-page.ts";
import { expect, openApp, test } from "./support/app.ts";

test("KEY-01 KEY-02 keys do nothing in a field, and the list names exactly those of the row", async ({ page, hub }) => {
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const id = await request(ann, "lab", "Ship it?");
  await openApp(page, hub, "/inbox");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("ad");
  await expect(page.getByRole("searchbox")).toHaveValue("ad");
  expect((await stored(hub, id)).status).toBe("action");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await rowOf(page, "Ship it?").locator("[data-row-link]").focus();
  await page.keyboard.press("?");
  const list = page.getByRole("dialog");
  await expect(list).toContainText("Approve or decline with a note");
  await expect(list).not.toContainText("Write an answer");
  await page.keyboard.press("a");
  expect((await stored(hub, id)).status).toBe("action");
});

test("KEY-03 a whole triage by keys: the focus goes on to the next row and is never lost", async ({ page, hub }) => {
  await sendAtOnce(page);
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const first = await request(ann, "lab", "First");
  const second = await ask(ann, "lab", "Second", { options: ["Yes", "No"] });
  const third = await request(ann, "lab", "Third");
  const done = await finish(ann, "lab", "Done");
  await openApp(page, hub, "/inbox");
  await expect(rowOf(page, "First")).toBeVisible();
  const focused = () => page.evaluate(() => document.activeElement?.closest("article")?.getAttribute("data-id"));
  await page.keyboard.press("j");
  await expect.poll(focused).toBe(first);
  await page.keyboard.press("a");
  await expectStored(hub, first, { decision: { decision: "approved" } });
  await expect.poll(focused).toBe(second);
  await page.keyboard.press("2");
  await expectStored(hub, second, { answer: { body: "No" } });
  await expect.poll(focused).toBe(third);
  await page.keyboard.press("n");
  await expect(page.getByRole("textbox", { name: "Note" })).toBeFocused();
  await page.keyboard.type("Not now.");
  await page.keyboard.press("Escape");
  await page.keyboard.press("d");
  await expectStored(hub, third, { decision: { decision: "declined", note: "Not now." } });
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  await page.keyboard.press("u");
  await page.keyboard.press("j");
  await expect.poll(focused).toBe(done);
  expect((await stored(hub, done)).status).toBe("unread");
  await expect(pane(page).locator("h2")).toHaveText("Done");
  await page.keyboard.press("e");
  await expectStored(hub, done, { status: "read" });
  await expect(undo(page)).toBeVisible();
  await page.keyboard.press("z");
  await expectStored(hub, done, { status: "unread" });
});

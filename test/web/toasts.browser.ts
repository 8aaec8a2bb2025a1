// Messages with a way back: how long they are there, and that a press on one is never lost (web-app.md 4.3).
import type { Page } from "@playwright/test";
import { finish } from "./fixtures/inbox.ts";
import { act, expectStored, rowOf, undo } from "./inbox-page.ts";
import { expect, openApp, test } from "./support/app.ts";

const toast = (page: Page) => page.locator("[data-toast]");

test("an undo runs out, unless a finger is on it or Settings say that it stays", async ({ page, hub }) => {
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const [timed, pressed, kept] = [
    await finish(ann, "lab", "Backup verified"),
    await finish(ann, "lab", "Shelves counted"),
    await finish(ann, "lab", "Seeds ordered"),
  ];
  await page.clock.install();
  await openApp(page, hub, "/inbox");
  const markRead = async (words: string): Promise<void> => {
    await rowOf(page, words).hover();
    await act(rowOf(page, words), "mark-read").click();
    await expect(undo(page)).toBeVisible();
  };
  await markRead("Backup verified");
  await expect(undo(page)).toHaveText(/Undo\d s/);
  await page.clock.runFor(9000);
  await expect(toast(page)).toHaveCount(0);
  await expectStored(hub, timed, { status: "read" });

  await markRead("Shelves counted");
  const box = await undo(page).boundingBox();
  if (box === null) throw new Error("no way back");
  const touch = await page.context().newCDPSession(page);
  const finger = (type: "touchStart" | "touchMove" | "touchEnd", up: number) => {
    const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 - up };
    return touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [place] });
  };
  await finger("touchStart", 0);
  await page.clock.runFor(20_000);
  await expect(undo(page)).toBeVisible();
  // Drawn away it presses nothing, and what is let go counts on.
  await finger("touchMove", 200);
  await finger("touchEnd", 200);
  await touch.detach();
  await page.clock.runFor(9000);
  await expect(toast(page)).toHaveCount(0);
  await expectStored(hub, pressed, { status: "read" });

  await page.evaluate(() => location.assign("#/settings"));
  await page.getByRole("group", { name: "Undo messages" }).getByText("Stay").click();
  await page.evaluate(() => location.assign("#/inbox"));
  await markRead("Seeds ordered");
  await expect(undo(page)).toHaveText("Undo");
  await page.clock.runFor(120_000);
  await expectStored(hub, kept, { status: "read" });
  await undo(page).click();
  await expectStored(hub, kept, { status: "unread" });
  await expect(toast(page)).toHaveCount(0);
});

// Whole journeys without a pointer, and the app as a device keeps it (web-app.md 9.1).
import type { Page } from "@playwright/test";
import { request as call } from "../support/operator.ts";
import { ask, finish, request } from "./fixtures/inbox.ts";
import { expectStored, pane, sendAtOnce, stored, undo } from "./inbox-page.ts";
import { expect, openApp, settled, signIn, test } from "./support/app.ts";

/** The row that has the focus, or the one that holds what has it. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest("article.row")?.getAttribute("data-id") ?? null);

/** Focus is somewhere, and where it is can be seen. */
async function isSeen(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const here = document.activeElement;
        return here !== null && here !== document.body && here.checkVisibility();
      }),
    )
    .toBe(true);
}

async function tabTo(page: Page, selector: string): Promise<void> {
  await expect(page.locator(selector)).toBeVisible();
  await expect
    .poll(async () => {
      await page.keyboard.press("Tab");
      return page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
    })
    .toBe(true);
}

test("twelve things are triaged by keys alone: decided, noted, picked, answered, set aside, taken back", async ({
  page,
  hub,
}) => {
  await sendAtOnce(page);
  await hub.project("lab");
  // Of one alone not all would be shown.
  const [ann, bob] = [await hub.agent("ann"), await hub.agent("bob")];
  const approvals: string[] = [];
  for (let number = 1; number <= 4; number += 1) approvals.push(await request(bob, "lab", `Approval ${number}`));
  const questions: string[] = [];
  for (let number = 1; number <= 3; number += 1) {
    questions.push(await ask(ann, "lab", `Question ${number}?`, { options: ["Yes", "No"] }));
  }
  const open = await ask(ann, "lab", "What is its name?");
  const later = await request(ann, "lab", "Not today");
  const reports: string[] = [];
  for (let number = 1; number <= 3; number += 1) reports.push(await finish(ann, "lab", `Report ${number}`));
  await openApp(page, hub, "/inbox");
  await expect(page.locator("article.row")).toHaveCount(12);

  await page.keyboard.press("j");
  for (const [index, id] of approvals.entries()) {
    await expect.poll(() => focused(page)).toBe(id);
    if (index === 2) {
      await page.keyboard.press("n");
      await expect(page.getByRole("textbox", { name: "Note" })).toBeFocused();
      await page.keyboard.type("Not now.");
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press(index < 2 ? "a" : "d");
    const decision = index < 2 ? "approved" : "declined";
    await expectStored(hub, id, { decision: index === 2 ? { decision, note: "Not now." } : { decision } });
    await isSeen(page);
    // With the item open beside it the focus is in the pane; the list goes on from there.
    if (index === 2) await page.keyboard.press("u");
    if (index === 2) await isSeen(page);
    if ((await focused(page)) !== (approvals[index + 1] ?? questions[0])) await page.keyboard.press("j");
  }
  for (const [index, id] of questions.entries()) {
    await expect.poll(() => focused(page)).toBe(id);
    await page.keyboard.press(index === 0 ? "1" : "2");
    await expectStored(hub, id, { answer: { body: index === 0 ? "Yes" : "No" } });
    await isSeen(page);
  }

  await expect.poll(() => focused(page)).toBe(open);
  await page.keyboard.press("r");
  await expect(pane(page).getByRole("textbox")).toBeFocused();
  await page.keyboard.type("Beacon");
  await page.keyboard.press("Control+Enter");
  await expectStored(hub, open, { answer: { body: "Beacon" } });
  await isSeen(page);
  await page.keyboard.press("u");
  await isSeen(page);

  while ((await focused(page)) !== later) await page.keyboard.press("j");
  await page.keyboard.press("s");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await stored(hub, later)).snoozed_until).toBeDefined();
  await isSeen(page);
  await expect(undo(page)).toBeVisible();
  await page.keyboard.press("z");
  await expect.poll(async () => (await stored(hub, later)).snoozed_until).toBeUndefined();
  await isSeen(page);

  for (const id of reports) {
    await page.locator(`article[data-id="${id}"] [data-row-link]`).waitFor();
    let steps = 0;
    while ((await focused(page)) !== id && steps < 12) {
      await page.keyboard.press(steps < 6 ? "j" : "k");
      steps += 1;
    }
    await page.keyboard.press("e");
    await expectStored(hub, id, { status: "read" });
    await isSeen(page);
  }
});

test("a project is deleted by keys alone", async ({ page, hub }) => {
  await hub.project("lab", "The lab");
  await openApp(page, hub, "/p/lab/settings");
  await tabTo(page, "[data-delete]");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Keep the project" })).toBeFocused();
  await tabTo(page, "#typed-id");
  await page.keyboard.type("lab");
  await tabTo(page, "[data-destroy]");
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toHaveAttribute("data-screen", "projects");
  await isSeen(page);
  expect((await call(hub.url, hub.adminToken, "getProject", { params: { id: "lab" } })).status).toBe(404);
});

test("it is installed under a prefix as it is at the root: every address of its manifest stays below", async ({
  page,
  hub,
  front,
}) => {
  const between = await front({ "/deep/hub/": hub.url });
  await signIn(page, hub.adminToken, "/deep/hub/");
  await page.goto(`${between.url}/deep/hub/#/`);
  await settled(page);
  const found = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]");
    const icon = document.querySelector<HTMLLinkElement>("link[rel=apple-touch-icon]");
    const manifest = await (await fetch(link?.href ?? "")).json();
    const base = link?.href;
    const addresses: string[] = [
      manifest.start_url,
      manifest.scope,
      ...manifest.icons.map(({ src }: { src: string }) => src),
      ...manifest.shortcuts.map(({ url }: { url: string }) => url),
    ].map((address) => new URL(address, base).href);
    const icons = await Promise.all(
      [icon?.href ?? "", ...addresses.filter((address) => address.includes("icon"))].map(async (address) => {
        const bitmap = await fetch(address);
        return bitmap.status;
      }),
    );
    const worker = await navigator.serviceWorker.ready;
    return { addresses, icons, scope: worker.scope };
  });
  expect(found.addresses.filter((address) => !address.startsWith(`${between.url}/deep/hub/`))).toEqual([]);
  expect(new Set(found.icons)).toEqual(new Set([200]));
  expect(found.scope).toBe(`${between.url}/deep/hub/`);
  const size = await page.evaluate(async () => {
    const image = new Image();
    image.src = document.querySelector<HTMLLinkElement>("link[rel=apple-touch-icon]")?.href ?? "";
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
  expect(size).toEqual([180, 180]);
});

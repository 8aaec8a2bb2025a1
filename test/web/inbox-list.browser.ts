// The Inbox as a list: groups, order, floods, read marks, filters, live changes, depth (web-app.md 6.3).

import { ask, fillFlood, fillLarge, fillTypical, finish, hour, request } from "./fixtures/inbox.ts";
import { act, drag, expectStored, group, rowOf, sent, stored, titles, undo } from "./inbox-page.ts";
import { expect, live, openApp, test } from "./support/app.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test("INB-01 four groups hold the right items, and say their true counts", async ({ page, hub }) => {
  await fillTypical(hub);
  await openApp(page, hub, "/inbox");
  await expect(group(page, "waiting").locator("h2")).toHaveText("Waiting4");
  await expect.poll(() => titles(group(page, "snoozed"))).toEqual(["Merge the duplicate contacts"]);
  await expect(group(page, "snoozed")).toContainText("Back at");
  await expect
    .poll(() => titles(group(page, "unread")))
    .toEqual(["Ordered seeds for the spring beds", "Cost report for November", "Nightly backup verified"]);
  await expect(group(page, "earlier").locator("h2")).toHaveText("Earlier4");
  await page.getByRole("button", { name: "Show earlier" }).click();
  const earlier = group(page, "earlier");
  await expect(earlier).toContainText("Approved by you");
  await expect(earlier).toContainText("Declined by you");
  await expect(earlier).toContainText("Keep it until the move is over.");
  await expect(earlier).toContainText("Answered: Family");
  await expect(earlier.locator("[data-act=approve]")).toHaveCount(0);
});

test("INB-02 what ends soonest comes first, then what waits longest", async ({ page, hub }) => {
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const bob = await hub.agent("bob");
  await request(ann, "lab", "no deadline, older");
  await ask(ann, "lab", "in three hours", { expires_in_seconds: 3 * hour });
  await request(bob, "lab", "no deadline, newer");
  await request(ann, "lab", "in one hour", { expires_in_seconds: hour });
  await openApp(page, hub, "/inbox");
  const waiting = group(page, "waiting");
  await expect
    .poll(() => titles(waiting))
    .toEqual(["in one hour", "in three hours", "no deadline, older", "no deadline, newer"]);
  await page.getByRole("button", { name: "Sort and kind" }).click();
  await page.getByRole("menuitemradio", { name: "By agent" }).click();
  await expect
    .poll(() => titles(waiting))
    .toEqual(["no deadline, newer", "in one hour", "in three hours", "no deadline, older"]);
});

test("INB-03 a flood of one agent folds after five, and hides nobody else", async ({ page, hub }) => {
  await fillFlood(hub);
  await openApp(page, hub, "/inbox");
  const waiting = group(page, "waiting");
  await expect(waiting.locator("h2")).toHaveText("Waiting40");
  await expect(waiting.locator("article")).toHaveCount(6);
  await expect(rowOf(page, "Ship release 2.4?")).toBeVisible();
  await page.getByRole("button", { name: "34 more from indexer" }).click();
  await expect(waiting.locator("article")).toHaveCount(40);
});

test("INB-04 read marks move by control, key, opening; never by scrolling", async ({ page, hub }) => {
  await fillLarge(hub, 0, 40);
  await openApp(page, hub, "/inbox");
  const unread = group(page, "unread");
  for (let screens = 0; screens < 3; screens += 1) await page.mouse.wheel(0, 800);
  await expect(unread.locator("h2")).toHaveText("Unread40");
  await page.locator("[data-scroll=list]").evaluate((list) => list.scrollTo(0, 0));

  const first = unread.locator("article").first();
  const id = (await first.getAttribute("data-id")) ?? "";
  await first.hover();
  await act(first, "mark-read").click();
  await expectStored(hub, id, { status: "read" });
  await undo(page).click();
  await expectStored(hub, id, { status: "unread" });

  const byKey = unread.locator("article").nth(2);
  const keyId = (await byKey.getAttribute("data-id")) ?? "";
  await byKey.locator("[data-row-link]").focus();
  await page.keyboard.press("e");
  await expectStored(hub, keyId, { status: "read" });

  const opened = unread.locator("article").nth(4);
  const openedId = (await opened.getAttribute("data-id")) ?? "";
  await opened.locator("[data-row-link]").click();
  await expectStored(hub, openedId, { status: "read" });
});

test("INB-05 mark all read inside a project leaves the others, and undo brings all back", async ({ page, hub }) => {
  const { deployer } = await fillTypical(hub);
  const more = await finish(deployer, "homelab", "Disk check done");
  await openApp(page, hub, "/inbox?project=homelab");
  await page.getByRole("button", { name: "Mark 2 read" }).click();
  await expectStored(hub, more, { status: "read" });
  const counts = async () => (await hub.operate("listInbox", { query: { group: "unread" } }))["counts"];
  await expect.poll(counts).toMatchObject({ unread: 2 });
  await undo(page).click();
  await expect.poll(counts).toMatchObject({ unread: 4 });
});

test.describe("under a finger", () => {
  test.use(phone);

  test("INB-06 a swipe to the start uncovers controls; a touch elsewhere puts them back, and nothing is sent", async ({
    page,
    hub,
  }) => {
    await fillTypical(hub);
    await openApp(page, hub, "/inbox");
    const writes = sent(page, /api\/v1/);
    const row = page.locator(".swipe").filter({ has: page.getByRole("link", { name: "Ship release 2.4?" }) });
    const box = await row.boundingBox();
    if (box === null) throw new Error("no row");
    const y = box.y + 30;
    await drag(
      page,
      [300, 280, 240, 200, 160, 140].map((x) => ({ x, y })),
    );
    const approve = row.locator(".swipe-tray").getByRole("button", { name: "Approve" });
    await expect(approve).toBeVisible();
    // The bar at the top, where nothing can be pressed.
    await page.touchscreen.tap(60, 20);
    await expect(approve).toBeHidden();
    expect(writes).toEqual([]);
  });

  test("INB-04 a swipe to the end marks read, and undo takes it back", async ({ page, hub }) => {
    await hub.project("lab");
    const id = await finish(await hub.agent("ann"), "lab", "Backup verified");
    await openApp(page, hub, "/inbox");
    const box = await page.locator(".swipe").first().boundingBox();
    if (box === null) throw new Error("no row");
    const y = box.y + 20;
    await drag(
      page,
      [60, 80, 120, 160, 200].map((x) => ({ x, y })),
    );
    await expectStored(hub, id, { status: "read" });
    await undo(page).tap();
    await expectStored(hub, id, { status: "unread" });
  });

  test("INB-04 what a swipe marks has a control in sight, too", async ({ page, hub }) => {
    await hub.project("lab");
    const id = await finish(await hub.agent("ann"), "lab", "Backup verified");
    await openApp(page, hub, "/inbox");
    await page.getByRole("button", { name: "Mark read: Backup verified" }).tap();
    await expectStored(hub, id, { status: "read" });
  });

  test("pulling the list down by 80 px asks the hub again, by less it does not", async ({ page, hub }) => {
    await fillTypical(hub);
    let asked = 0;
    page.on("request", (one) => {
      if (/\/inbox\?group=waiting/.test(one.url())) asked += 1;
    });
    await openApp(page, hub, "/inbox");
    // The first word of the stream asks for all of it once more.
    await live(page);
    await expect.poll(() => asked).toBe(2);
    const pull = (by: number) =>
      drag(
        page,
        [0, 0.3, 0.6, 1].map((share) => ({ x: 200, y: 240 + share * by })),
      );
    await pull(60);
    // What the short one would have asked for is asked for by now.
    await page.evaluate(() => undefined);
    expect(asked).toBe(2);
    await pull(120);
    await expect.poll(() => asked).toBe(3);
    await expect(page.locator(".pull-mark")).toHaveCount(0);
  });

  test("every control is at least 44 by 44", async ({ page, hub }) => {
    await fillTypical(hub);
    await openApp(page, hub, "/inbox");
    const small = await page.locator("main button:visible, main input:visible").evaluateAll((controls) =>
      controls.flatMap((control) => {
        const { width, height } = control.getBoundingClientRect();
        return width >= 44 && height >= 44 ? [] : [`${control.textContent} ${width} ${height}`];
      }),
    );
    expect(small).toEqual([]);
  });
});

test("INB-07 LAW-04 LIV-01 nothing moves under a focused row while the hub changes", async ({ page, hub }) => {
  const { deployer, scout } = await fillTypical(hub);
  await openApp(page, hub, "/inbox");
  await live(page);
  const row = rowOf(page, "Renew the certificate for box-01");
  await row.locator("[data-row-link]").focus();
  const before = await row.boundingBox();
  for (let number = 1; number <= 10; number += 1) {
    await request(deployer, "homelab", `Sooner ${number}`, { expires_in_seconds: 60 + number });
    await ask(scout, "notes", `Later ${number}`);
  }
  await expect(page.getByRole("button", { name: "20 new" })).toBeVisible();
  expect(await row.boundingBox()).toEqual(before);
  await expect(row.locator("[data-row-link]")).toBeFocused();
  await page.getByRole("button", { name: "20 new" }).click();
  await expect(rowOf(page, "Sooner 1 ").or(rowOf(page, "Sooner 10")).first()).toBeVisible();
});

test("an item resolved elsewhere stays where it was, with its outcome", async ({ page, hub }) => {
  await fillTypical(hub);
  await openApp(page, hub, "/inbox");
  await live(page);
  const row = rowOf(page, "Ship release 2.4?");
  await row.locator("[data-row-link]").focus();
  const id = (await row.getAttribute("data-id")) ?? "";
  await hub.operate("decideApproval", { params: { id }, body: { decision: "approve" } });
  await expect(row).toHaveAttribute("data-item-state", "resolved");
  await expect(row).toContainText("Approved by you");
});

test("INB-08 earlier items page to the very end with at most 300 rows in the document", async ({ page, hub }) => {
  test.setTimeout(600_000);
  await fillLarge(hub, 10_000, 0);
  await openApp(page, hub, "/inbox");
  await page.getByRole("button", { name: "Show earlier" }).first().click();
  const list = page.locator("[data-scroll=list]");
  const rows = page.locator("article.row");
  const older = page.getByRole("button", { name: "Load older" });
  await expect(older).toBeVisible();
  let most = 0;
  for (let jump = 0; jump < 3000 && (await older.count()) > 0; jump += 1) {
    most = Math.max(most, await rows.count());
    await list.evaluate(
      (element) =>
        new Promise<void>((resolve) => {
          element.scrollTo(0, element.scrollHeight);
          requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        }),
    );
  }
  await expect(older).toHaveCount(0);
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(rows.last()).toHaveAttribute("aria-posinset", "10000");
  expect(most).toBeLessThanOrEqual(300);
});

test("INB-09 twenty picked items are marked read at once, with one undo", async ({ page, hub }) => {
  await fillLarge(hub, 0, 24);
  await openApp(page, hub, "/inbox");
  await page.locator("[data-row-link]").first().focus();
  for (let number = 0; number < 20; number += 1) {
    await page.keyboard.press("x");
    await page.keyboard.press("j");
  }
  const bar = page.getByRole("region", { name: "Selected items" });
  await expect(bar).toContainText("20 selected");
  await bar.getByRole("button", { name: "Mark read" }).click();
  const unread = async () => (await hub.operate("listInbox"))["counts"];
  await expect.poll(unread).toMatchObject({ unread: 4 });
  await expect(page.locator("[data-toast]")).toHaveCount(1);
  await undo(page).click();
  await expect.poll(unread).toMatchObject({ unread: 24 });
});

test("INB-10 FRM-03 filters, order and the open item survive a reload", async ({ page, hub }) => {
  await fillTypical(hub);
  await openApp(page, hub, "/inbox?project=homelab&sort=agent");
  await page.getByRole("link", { name: "Renew the certificate for box-01" }).click();
  await expect(page.locator(".item-view h2")).toHaveText("Renew the certificate for box-01");
  const address = page.url();
  await page.reload();
  await expect(page.locator(".item-view h2")).toHaveText("Renew the certificate for box-01");
  expect(page.url()).toBe(address);
  await expect(page.getByRole("button", { name: "Homelab", pressed: true })).toBeVisible();
  await expect
    .poll(() => titles(group(page, "waiting")))
    .toEqual(["Ship release 2.4?", "Renew the certificate for box-01"]);
});

test("an empty inbox and an empty filter say what is missing", async ({ page, hub }) => {
  await openApp(page, hub, "/inbox");
  await expect(page.getByText("Nothing here. Finished work, questions and approvals")).toBeVisible();
  await fillTypical(hub);
  await page.goto(`${hub.url}/#/inbox?view=unread&project=garden`);
  await page.getByRole("link", { name: "Ordered seeds" }).hover();
  await page.locator("[data-act=mark-read]").click();
  await page.goto(`${hub.url}/#/inbox?q=nowhere`);
  await expect(page.getByText("Nothing matches.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(rowOf(page, "Ship release 2.4?")).toBeVisible();
  expect((await stored(hub, (await rowOf(page, "Ship release 2.4?").getAttribute("data-id")) ?? "")).status).toBe(
    "action",
  );
});

// An open item: decisions with and without a note, answers, deadlines, held decisions, and what goes wrong on the way
// (web-app.md 6.4).

import { ask, fillTypical, request } from "./fixtures/inbox.ts";
import { act, expectStored, hold, pane, rowOf, sendAtOnce, sent, stored } from "./inbox-page.ts";
import { expect, live, openApp, test } from "./support/app.ts";

const decisionCalls = /\/api\/v1\/(approvals|questions)\//;

for (const verb of ["approve", "decline"] as const) {
  for (const note of ["", "Wait until the backup is done."]) {
    test(`ITM-01 ${verb} ${note === "" ? "without" : "with"} a note reaches the hub and the agent`, async ({
      page,
      hub,
    }) => {
      await sendAtOnce(page);
      await hub.project("lab");
      const ann = await hub.agent("ann");
      const id = await request(ann, "lab", "Ship it?");
      await openApp(page, hub, `/inbox/${id}`);
      if (note !== "") {
        await act(pane(page), "note").click();
        await page.getByRole("textbox", { name: "Note" }).fill(note);
        await expect(act(pane(page), verb)).toContainText("with note");
      }
      await act(pane(page), verb).click();
      const decision = verb === "approve" ? "approved" : "declined";
      await expectStored(hub, id, { status: "resolved", decision: { decision, note: note || null, actor: "human" } });
      const seen = await ann.call("inbox_read", { status: "resolved" });
      expect(JSON.stringify(seen)).toContain(decision);
      if (note !== "") expect(JSON.stringify(seen)).toContain(note);
      await expect(pane(page)).toContainText(verb === "approve" ? "Approved by you" : "Declined by you");
      await expect(page.locator("[data-toast]")).toContainText(verb === "approve" ? "ann can go on." : "ann knows.");
    });
  }
}

test("ITM-02 undo within the hold sends nothing and keeps the note", async ({ page, hub }) => {
  await hold(page, 20);
  await hub.project("lab");
  const id = await request(await hub.agent("ann"), "lab", "Ship it?");
  await openApp(page, hub, `/inbox/${id}`);
  const writes = sent(page, decisionCalls);
  await act(pane(page), "note").click();
  await page.getByRole("textbox", { name: "Note" }).fill("Carefully.");
  await act(pane(page), "approve").click();
  await expect(pane(page)).toContainText(/Approving in \d+ s/);
  await expect(pane(page).getByRole("button", { name: "Approve" })).toHaveCount(0);
  await pane(page).locator("[data-undo]").click();
  await expect(act(pane(page), "approve")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Note" })).toHaveValue("Carefully.");
  expect(writes).toEqual([]);
  expect((await stored(hub, id)).status).toBe("action");
});

test("the hold runs out and sends one decision", async ({ page, hub }) => {
  await hub.project("lab");
  const id = await request(await hub.agent("ann"), "lab", "Ship it?");
  await page.clock.install();
  await openApp(page, hub, "/inbox");
  const writes = sent(page, decisionCalls);
  await act(rowOf(page, "Ship it?"), "approve").click();
  await expect(rowOf(page, "Ship it?")).toHaveAttribute("data-item-state", "held");
  await page.clock.fastForward(5200);
  await expectStored(hub, id, { status: "resolved", decision: { decision: "approved" } });
  await expect(rowOf(page, "Ship it?")).toHaveCount(0);
  expect(writes).toHaveLength(1);
});

test("ITM-03 closing the tab in the hold sends exactly one decision", async ({ page, hub, context }) => {
  await hub.project("lab");
  const id = await request(await hub.agent("ann"), "lab", "Ship it?");
  await openApp(page, hub, "/inbox");
  let calls = 0;
  context.on("request", (asked) => {
    if (decisionCalls.test(asked.url())) calls += 1;
  });
  await act(rowOf(page, "Ship it?"), "decline").click();
  await expect(rowOf(page, "Ship it?")).toHaveAttribute("data-item-state", "held");
  await page.close({ runBeforeUnload: true });
  await expectStored(hub, id, { status: "resolved", decision: { decision: "declined" } });
  expect(calls).toBeLessThanOrEqual(1);
});

test("ITM-04 the third option by its key arrives as it was offered", async ({ page, hub }) => {
  await sendAtOnce(page);
  await hub.project("lab");
  const options = ["One", "Two", "Drei – “naïve” 👍🏽 e\u0301", "Four"];
  const id = await ask(await hub.agent("ann"), "lab", "Which?", { options });
  await openApp(page, hub, "/inbox");
  await rowOf(page, "Which?").locator("[data-row-link]").focus();
  await page.keyboard.press("3");
  await expectStored(hub, id, { status: "resolved", answer: { body: options[2], actor: "human" } });
});

for (const skewMs of [-3_600_000, 3_600_000]) {
  test(`ITM-05 a deadline counts in hub time on a device that is ${skewMs / 60_000} min off`, async ({ page, hub }) => {
    await hub.project("lab");
    const ann = await hub.agent("ann");
    const id = await request(ann, "lab", "Ship it?", { expires_in_seconds: 14 * 60 + 30, on_expiry: "decline" });
    await page.clock.install({ time: Date.now() + skewMs });
    await openApp(page, hub, `/inbox/${id}`);
    await live(page);
    await expect(pane(page).getByRole("timer")).toContainText("Declines itself in 14 min");
    await page.clock.fastForward(10 * 60_000);
    await expect(pane(page).getByRole("timer")).toContainText(/Declines itself in 4:\d\d/);
  });
}

test("ITM-06 words stay when the item closes while they are typed, and nothing is sent", async ({ page, hub }) => {
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const id = await ask(ann, "lab", "Which?");
  await openApp(page, hub, `/inbox/${id}`);
  await live(page);
  const writes = sent(page, decisionCalls);
  await page.getByLabel("Your answer").fill("A long and careful answer");
  await hub.operate("answerQuestion", { params: { id }, body: { body: "Settled elsewhere" } });
  await expect(pane(page)).toContainText("Answered: Settled elsewhere");
  await expect(pane(page)).toContainText("This closed before you sent it.");
  await expect(pane(page)).toContainText("A long and careful answer");
  expect(writes).toEqual([]);
});

test("ITM-07 of two devices that decide at once one wins, and the other says what won", async ({
  page,
  hub,
  allowed,
}) => {
  allowed.push(/409|ERR_FAILED/);
  await sendAtOnce(page);
  await hub.project("lab");
  const id = await request(await hub.agent("ann"), "lab", "Ship it?");
  await openApp(page, hub, `/inbox/${id}`);
  // The other device is heard of only after this one has decided.
  await page.route("**/api/v1/stream", (route) => route.abort());
  await page.route(decisionCalls, async (route) => {
    await hub.operate("decideApproval", { params: { id }, body: { decision: "decline" } });
    await route.continue();
  });
  await act(pane(page), "approve").click();
  await expect(pane(page)).toContainText("Declined by you");
  await expectStored(hub, id, { decision: { decision: "declined" } });
});

test("ITM-08 a note of 2001 characters is refused in words, not cut, and decides nothing", async ({ page, hub }) => {
  await sendAtOnce(page);
  await hub.project("lab");
  const id = await request(await hub.agent("ann"), "lab", "Ship it?");
  await openApp(page, hub, `/inbox/${id}`);
  const writes = sent(page, decisionCalls);
  await act(pane(page), "note").click();
  await page.getByRole("textbox", { name: "Note" }).fill("x".repeat(2001));
  await act(pane(page), "approve").click();
  await expect(pane(page)).toContainText("The note is 1 character too long.");
  await expect(page.getByRole("textbox", { name: "Note" })).toHaveValue("x".repeat(2001));
  expect(writes).toEqual([]);
  await page.getByRole("textbox", { name: "Note" }).fill("x".repeat(2000));
  await act(pane(page), "approve").click();
  await expectStored(hub, id, { decision: { note: "x".repeat(2000) } });
});

test("ITM-09 a lost reply is asked for again under the same key: one answer event", async ({ page, hub, allowed }) => {
  allowed.push(/ERR_FAILED|ERR_CONNECTION|Failed to load resource/);
  await sendAtOnce(page);
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const id = await request(ann, "lab", "Ship it?");
  await openApp(page, hub, `/inbox/${id}`);
  let tries = 0;
  await page.route(decisionCalls, async (route) => {
    tries += 1;
    if (tries > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await act(pane(page), "approve").click();
  await expectStored(hub, id, { status: "resolved", decision: { decision: "approved" } });
  await expect(page.locator("[data-toast]")).toContainText("Approved.");
  const feed = await hub.operate("listProjectFeed", { params: { id: "lab" }, query: { kinds: "answer" } });
  expect(JSON.stringify(feed).match(/"kind":"answer"/g)).toHaveLength(1);
  expect(tries).toBe(2);
});

test("ITM-10 LAW-08 Escape with a half-written answer leaves it open, and a reload brings the words back", async ({
  page,
  hub,
}) => {
  await hub.project("lab");
  const id = await ask(await hub.agent("ann"), "lab", "Which?");
  await openApp(page, hub, `/inbox/${id}`);
  const field = page.getByLabel("Your answer");
  await field.fill("Half an answ");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(field).toHaveValue("Half an answ");
  await page.reload();
  await expect(field).toHaveValue("Half an answ");
  await expect(pane(page)).toContainText("Draft from");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(field).toHaveValue("");
});

test("ITM-11 a huge body, a right-to-left body and a 300-character title are shown whole", async ({ page, hub }) => {
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const body = Array.from({ length: 4000 }, (_, line) => `- line ${line + 1}`).join("\n");
  const long = await request(ann, "lab", "W".repeat(300), { payload: { body } });
  await openApp(page, hub, `/inbox/${long}`);
  await expect(pane(page).getByText("line 4000", { exact: true })).toBeAttached();
  await expect(pane(page).locator("h2")).toHaveText("W".repeat(300));
  const arabic = await request(ann, "lab", "هل ننشر؟", { payload: { body: "الاختبارات خضراء" } });
  await page.goto(`${hub.url}/#/inbox/${arabic}`);
  await expect(pane(page).locator("h2")).toHaveText("هل ننشر؟");
  expect(
    await pane(page)
      .locator("h2")
      .evaluate((title) => getComputedStyle(title).direction),
  ).toBe("rtl");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("ITM-12 silence is spelled out: what the hub approves by itself says so", async ({ page, hub }) => {
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const id = await request(ann, "lab", "Renew it?", { expires_in_seconds: 840, on_expiry: "approve" });
  await openApp(page, hub, `/inbox/${id}`);
  await expect(pane(page).getByRole("timer")).toContainText("the hub approves this at");
  await act(pane(page), "approve").waitFor();
  await page.getByRole("button", { name: "More: Renew it?" }).click();
  await page.getByRole("menuitem", { name: "Extend the deadline" }).click();
  await page.getByRole("menuitem", { name: "Tomorrow" }).click();
  await expect(page.locator("[data-toast]")).toContainText("Now until");
  await expect.poll(async () => JSON.stringify(await stored(hub, id))).toContain("T08:00");
});

test("at its deadline an item settles, and says what the hub did", async ({ page, hub }) => {
  test.setTimeout(120_000);
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const id = await request(ann, "lab", "Ship it?", { expires_in_seconds: 60, on_expiry: "decline" });
  await openApp(page, hub, `/inbox/${id}`);
  await live(page);
  await expect(pane(page)).toContainText("Declined at the deadline by the hub", { timeout: 90_000 });
  await expect(act(pane(page), "approve")).toHaveCount(0);
});

test("OFF-02 offline nothing is sent, it says so, and the note can be sent later", async ({
  page,
  hub,
  context,
  allowed,
}) => {
  allowed.push(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await sendAtOnce(page);
  await fillTypical(hub);
  await openApp(page, hub, "/inbox");
  await page.getByRole("link", { name: "Ship release 2.4?" }).click();
  await act(pane(page), "note").click();
  await page.getByRole("textbox", { name: "Note" }).fill("Go.");
  await context.setOffline(true);
  await act(pane(page), "approve").click();
  await expect(pane(page)).toContainText("You're offline, so nothing was sent. Your words are kept.");
  await context.setOffline(false);
  await live(page);
  await act(pane(page), "approve").click();
  await expect(pane(page)).toContainText("Approved by you");
  await expect(pane(page)).toContainText("Go.");
});

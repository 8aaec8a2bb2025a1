// What lies over a screen, a dialog, a sheet, a menu, a message: axe finds nothing on any, in either theme (web-app.md 9.1).
import type { Page } from "@playwright/test";
import type { Demo } from "./fixtures/demo.ts";
import { expect, signIn } from "./support/app.ts";
import { looks, slowMs, sound, test, visit, wardrobe } from "./support/looks.ts";
import { broken, openTrouble } from "./support/trouble.ts";

type Layer = {
  route: (demo: Demo) => string;
  open: (page: Page) => Promise<void>;
  /** Presses that close it; Escape when there are none. */
  close?: readonly string[];
};

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name }).filter({ visible: true }).first().click();
const act = (name: string) => (page: Page) =>
  page.locator(`[data-act="${name}"]`).filter({ visible: true }).last().click();
const key = (name: string) => async (page: Page) => {
  await page.locator("main h1").focus();
  await page.keyboard.press(name);
};
const item = ({ approvalId }: Demo) => `/inbox/${approvalId}`;

const dialogs: Record<string, Layer> = {
  "the keys": { route: () => "/hub", open: key("?") },
  "a new project": { route: () => "/projects", open: press("New project"), close: ["Cancel"] },
  "the end of a project": { route: () => "/p/homelab/settings", open: press("Delete project…") },
  "a project made ordinary": {
    route: () => "/p/notes/settings",
    open: (page) => page.getByRole("checkbox", { name: "Confidential" }).click(),
  },
  "a name that is not saved": {
    route: () => "/p/homelab/settings",
    async open(page) {
      await page.getByLabel("Name").fill("Half a name");
      await page.getByRole("link", { name: "Inbox" }).first().click();
    },
    close: ["Leave without saving"],
  },
  "signing out": { route: () => "/settings", open: press("Sign out") },
  "a new agent": { route: () => "/agents", open: press("New agent") },
  "a project opened to every agent": {
    route: () => "/agents",
    open: (page) => page.getByRole("switch", { name: "Confidential: Notes" }).click(),
  },
  "a token replaced": { route: () => "/agents/scout", open: press("Replace token") },
  "a token revoked": { route: () => "/agents/scout", open: press("Revoke") },
  "a grant removed": { route: () => "/agents/scout", open: press("Remove: Notes") },
  "a token nobody copied": {
    route: () => "/agents/archivist",
    async open(page) {
      await press(/^(?:Make a token|Replace token)$/)(page);
      await expect(page.locator(".copy-field code").first()).toBeVisible();
      await page.getByRole("link", { name: "Inbox" }).first().click();
    },
    close: ["Leave without it"],
  },
  admitting: { route: ({ joinId }) => `/inbox/${joinId}`, open: act("admit") },
  "refusing to admit": { route: ({ joinId }) => `/inbox/${joinId}`, open: act("refuse") },
  "a decision asked for": { route: item, open: act("approve") },
  "admitting, from a feed": {
    route: () => "/projects",
    async open(page) {
      await page.locator("details.personal summary").click();
      await page.getByRole("link", { name: "Gardener" }).last().click();
      await act("admit")(page);
    },
  },
  "a time to pick": {
    route: item,
    async open(page) {
      await act("snooze")(page);
      await page.getByRole("menuitem", { name: "Pick a time" }).click();
    },
    close: ["Cancel"],
  },
};

/** What an item looks like besides the ways the matrix sees it. */
const items: Record<string, Layer> = {
  "answers to pick": {
    route: ({ questionId }) => `/inbox/${questionId}`,
    open: (page) => expect(page.locator("[data-act=option-6]").last()).toBeVisible(),
  },
  "a note begun": { route: item, open: act("note") },
};

const menus: Record<string, Layer> = {
  "when to be reminded": { route: item, open: act("snooze") },
  "what else can be done": { route: item, open: press(/^More: /) },
  "order and kind": { route: () => "/inbox", open: press("Sort and kind") },
  "which project": { route: () => "/inbox", open: press("Project") },
};

const messages: Record<string, Layer & { write?: typeof broken }> = {
  note: { route: ({ ideaId }) => `/p/homelab/feed/${ideaId}`, open: press("Copy link"), close: ["Dismiss"] },
  undo: { route: () => "/inbox", open: act("mark-all"), close: ["Undo"] },
  problem: { route: () => "/inbox", open: act("mark-all"), close: ["Dismiss"], write: broken },
};

test("axe finds nothing in any dialog, sheet, menu and message, light or dark", async ({
  page,
  allowed,
  filled: { hub, demo },
}) => {
  test.setTimeout(slowMs);
  allowed.push(/Failed to load resource/);
  await page.addInitScript(() => localStorage.setItem("hub:/:hold", "ask"));
  await signIn(page, hub.adminToken);
  const trouble = await openTrouble(page);
  const wear = await wardrobe(page);
  await page.goto(`${hub.url}/#/nowhere`);
  let turn = 0;
  const lookAt = async (kind: string, layers: Record<string, Layer & { write?: typeof broken }>, isOver = true) => {
    for (const [name, { route, open, close, write }] of Object.entries(layers)) {
      await test.step(`${kind}: ${name}`, async () => {
        const shown = page.locator(kind);
        turn += 1;
        const { width } = looks[(turn * 2) % looks.length] ?? { width: 390 };
        trouble.set(write ?? "well", /^POST /);
        await visit(page, route(demo));
        await wear({ width, theme: "light" });
        await open(page);
        await expect(shown).toBeVisible();
        // A message stays while the pointer is on it.
        if (kind === "[data-toast]") await shown.hover();
        await sound(page, kind);
        await wear({ width, theme: "dark" });
        await expect(shown).toBeVisible();
        await sound(page, kind);
        if (close === undefined) await page.keyboard.press("Escape");
        for (const words of close ?? []) await shown.getByRole("button", { name: words }).click();
        if (isOver) await expect(shown).toHaveCount(0);
      });
    }
  };
  await lookAt("dialog", dialogs);
  await lookAt("[role=menu]", menus);
  await lookAt("[data-toast]", messages);
  await lookAt(".item-view", items, false);
  await test.step("a decision that is held", async () => {
    await visit(page, "/settings");
    await page.getByLabel("Decisions").selectOption("20");
    // Should the hold run out, nothing reaches the hub.
    trouble.set("lost", /^POST /);
    await visit(page, item(demo));
    const undo = page.locator(".item-view [data-undo]");
    for (const look of [looks[0], looks[5]]) {
      await wear(look);
      await act("approve")(page);
      await expect(undo).toBeVisible();
      await sound(page, ".item-view");
      await undo.click();
      await expect(undo).toHaveCount(0);
    }
  });
});

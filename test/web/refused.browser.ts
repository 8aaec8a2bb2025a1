// A write that the hub refuses for its token: words beside the control, what was typed stays, and a way to sign in again
// that comes back (web-app.md 5.4).
import type { Locator, Page } from "@playwright/test";
import type { Demo } from "./fixtures/demo.ts";
import { sendAtOnce } from "./inbox-page.ts";
import { expect, signIn } from "./support/app.ts";
import { slowMs, sound, test, visit } from "./support/looks.ts";
import { openTrouble, refused } from "./support/trouble.ts";

type Write = {
  route: (demo: Demo) => string;
  /** Opens what the words are typed into. */
  open?: (page: Page) => Promise<void>;
  field: (page: Page) => Locator;
  send: string;
  /** How the place is left that covers the way to sign in. */
  cancel?: string;
  /** The words are there again afterwards. */
  isDraft?: true;
};

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

const writes: Record<string, Write> = {
  "an answer": {
    route: ({ openQuestionId }) => `/inbox/${openQuestionId}`,
    field: (page) => page.getByRole("textbox", { name: "Your answer" }),
    send: "Send answer",
    isDraft: true,
  },
  "a note": {
    route: ({ approvalId }) => `/inbox/${approvalId}`,
    open: press(/^Add a note/),
    field: (page) => page.getByRole("textbox", { name: "Note" }),
    send: "Approve with note",
    isDraft: true,
  },
  "an event's answer": {
    route: ({ openQuestionId }) => `/p/garden/feed/${openQuestionId}`,
    field: (page) => page.getByRole("textbox", { name: "Your answer" }),
    send: "Send answer",
    isDraft: true,
  },
  "a new project": {
    route: () => "/projects",
    open: press("New project"),
    field: (page) => page.getByLabel("Name"),
    send: "Create project",
    cancel: "Cancel",
  },
  "a project's name": {
    route: () => "/p/homelab/settings",
    field: (page) => page.getByLabel("Name"),
    send: "Save",
  },
  "a new agent": {
    route: () => "/agents",
    open: press("New agent"),
    field: (page) => page.getByLabel("Name"),
    send: "Create agent",
    cancel: "Cancel",
  },
  "an agent's name": {
    route: () => "/agents/scout",
    field: (page) => page.getByLabel("Name"),
    send: "Save",
  },
  "an admission": {
    route: ({ joinId }) => `/inbox/${joinId}`,
    open: press("Admit…"),
    field: (page) => page.getByRole("textbox", { name: "Name", exact: true }),
    send: "Admit agent",
    cancel: "Cancel",
  },
  "the first agent": {
    route: () => "/start?step=agent",
    field: (page) => page.getByLabel("Agent name"),
    send: "Create agent",
  },
};

const words = "Half of what I meant to say";

test("SHL-04 a write without a valid token: words beside it, what was typed stays, sign in again and come back", async ({
  page,
  allowed,
  filled: { hub, demo },
}) => {
  test.setTimeout(slowMs);
  allowed.push(/Failed to load resource/);
  await sendAtOnce(page);
  await signIn(page, hub.adminToken);
  const trouble = await openTrouble(page);
  await page.goto(`${hub.url}/#/nowhere`);
  const place = page.locator("main, dialog");
  for (const [name, write] of Object.entries(writes)) {
    await test.step(name, async () => {
      const route = write.route(demo);
      await visit(page, route);
      await write.open?.(page);
      const field = write.field(page);
      await field.fill(words);
      trouble.set(refused, /^(?:POST|PATCH|PUT|DELETE) /);
      await place.getByRole("button", { name: write.send }).first().click();
      await expect(
        place
          .getByText(/^Sign in again/)
          .filter({ visible: true })
          .first(),
      ).toBeVisible();
      await expect(field).toHaveValue(words);
      // The bar above is the same for all of them.
      if (route.startsWith("/p/homelab/settings")) await sound(page);
      trouble.set("well");
      if (write.cancel !== undefined) await place.getByRole("button", { name: write.cancel }).first().click();
      await page.locator("[data-refused]").getByRole("button", { name: "Sign in again" }).click();
      await expect(page.getByRole("heading", { name: "Connect to the hub" })).toBeVisible();
      await page.getByLabel("Operator token").fill(hub.adminToken);
      await page.keyboard.press("Enter");
      await expect.poll(() => new URL(page.url()).hash).toBe(`#${route}`);
      await expect(page.locator("[data-refused]")).toHaveCount(0);
      if (write.isDraft !== true) return;
      await expect(field).toHaveValue(words);
      await field.fill("");
    });
  }
});

// Every screen in every state it can be in (web-app.md 5.4), looked at with axe in both themes at three widths (9.1).
import type { Locator } from "@playwright/test";
import type { Demo } from "./fixtures/demo.ts";
import { expect, signIn } from "./support/app.ts";
import { looks, slowMs, sound, test, visit, wardrobe } from "./support/looks.ts";
import { broken, busy, gone, type Mode, openTrouble, refused, tooMany } from "./support/trouble.ts";

type Stop = {
  name: string;
  screen: string;
  route: (demo: Demo) => string;
  /** The read it is about, as `GET` and its path under `api/v1/`, and what that is called. */
  reads: RegExp;
  what: string;
  shape: "row" | "prose" | "card";
  /** Shown only when that was read. */
  content: string | RegExp;
  /** Where a thing that is gone was listed. */
  parent?: { words: string; to: string };
  /** Works without the hub, but for a part of it. */
  isOwn?: true;
  /** Read from what the device kept when the app starts without the hub. */
  isKept?: true;
};

const stops: readonly Stop[] = [
  {
    name: "Home",
    screen: "home",
    route: () => "/",
    reads: /^GET home$/,
    what: "Home",
    shape: "row",
    content: "12 things wait for you.",
    isKept: true,
  },
  {
    name: "the inbox",
    screen: "inbox",
    route: () => "/inbox",
    reads: /^GET inbox$/,
    what: "the inbox",
    shape: "row",
    content: "Which name should the new box have?",
    isKept: true,
  },
  {
    name: "an open item",
    screen: "inbox",
    route: ({ approvalId }) => `/inbox/${approvalId}`,
    reads: /^GET inbox$/,
    what: "the item",
    shape: "prose",
    content: "move-db --to box-02 --verify",
    parent: { words: "Inbox", to: "/inbox" },
    isKept: true,
  },
  {
    name: "the projects",
    screen: "projects",
    route: () => "/projects",
    reads: /^GET projects$/,
    what: "the projects",
    shape: "row",
    content: "Household ledger",
    isKept: true,
  },
  {
    name: "a feed",
    screen: "feed",
    route: () => "/p/homelab/feed",
    reads: /^GET projects\/homelab\/feed$/,
    what: "the feed",
    shape: "row",
    content: /Build 214 is green/,
    parent: { words: "Projects", to: "/projects" },
  },
  {
    name: "an open event",
    screen: "feed",
    route: ({ ideaId }) => `/p/homelab/feed/${ideaId}`,
    reads: /^GET projects\/homelab\/feed$/,
    what: "the event",
    shape: "prose",
    content: "One index could serve both.",
    parent: { words: "Feed", to: "/p/homelab/feed" },
  },
  {
    name: "the settings of a project",
    screen: "project-settings",
    route: () => "/p/homelab/settings",
    reads: /^GET projects\/homelab$/,
    what: "the project",
    shape: "prose",
    content: "What it holds",
    parent: { words: "Projects", to: "/projects" },
  },
  {
    name: "Settings",
    screen: "settings",
    route: () => "/settings",
    reads: /^GET hub$/,
    what: "the nudge's target",
    shape: "prose",
    content: /No target is set/,
    isOwn: true,
    isKept: true,
  },
  {
    name: "the agents",
    screen: "agents",
    route: () => "/agents",
    reads: /^GET agents$/,
    what: "the agents",
    shape: "row",
    content: "night-watch",
    isKept: true,
  },
  {
    name: "an agent",
    screen: "agents",
    route: () => "/agents/scout",
    reads: /^GET agents$/,
    what: "the agent",
    shape: "prose",
    content: "Reads and writes every ordinary project, and its own space.",
    parent: { words: "Agents", to: "/agents" },
    isKept: true,
  },
  {
    name: "Hub",
    screen: "hub",
    route: () => "/hub",
    reads: /^GET hub$/,
    what: "the facts about the hub",
    shape: "prose",
    content: "Limits in force",
    isKept: true,
  },
  {
    name: "first run",
    screen: "start",
    route: () => "/start?step=agent",
    reads: /^GET projects$/,
    what: "the first steps",
    shape: "card",
    content: "Name the agent",
    isKept: true,
  },
];

const asOf = String.raw`\d\d:\d\d`;

for (const [index, stop] of stops.entries()) {
  test(`SHL-04 ${stop.name}: every state in its own words, and axe finds nothing in any`, async ({
    page,
    allowed,
    filled: { hub, demo },
  }) => {
    allowed.push(/Failed to load resource/);
    test.setTimeout(slowMs);
    const trouble = await openTrouble(page);
    const wear = await wardrobe(page);
    const main = page.locator("main");
    const shown = (words: string | RegExp) => main.getByText(words).filter({ visible: true }).first();
    const button = (name: string) => main.getByRole("button", { name, exact: true }).filter({ visible: true }).first();
    const route = stop.route(demo);
    const state = (name: string) => expect(main).toHaveAttribute("data-state", stop.isOwn === true ? "ready" : name);
    let turn = index;
    const look = async () => {
      await wear(looks[turn % looks.length]);
      turn += 1;
      await sound(page);
    };
    const come = async (mode: Mode, reads = stop.reads) => {
      await visit(page, "/nowhere");
      trouble.set(mode, reads);
      await visit(page, route);
    };
    const refresh = async (mode: Mode, told: Locator, reads = stop.reads) => {
      trouble.set(mode, reads);
      // A stream that is just being opened anew hears of no change.
      await expect(async () => {
        await trouble.stir();
        await expect(told).toBeVisible({ timeout: 3000 });
      }).toPass({ timeout: 20_000 });
    };

    await test.step("loading", async () => {
      trouble.set("held", stop.reads);
      await signIn(page, hub.adminToken);
      await page.goto(`${hub.url}/#${route}`);
      await state("loading");
      await expect(main.locator(`.skeleton.${stop.shape}`).filter({ visible: true }).first()).toBeVisible();
      await look();
    });
    await test.step("an error with nothing to show", async () => {
      trouble.set(broken, stop.reads);
      await state("error");
      await expect(shown(`Couldn't load ${stop.what}.`)).toBeVisible();
      await expect(shown("something broke")).toBeVisible();
      await expect(shown("internal")).toBeVisible();
      await expect(button("Retry")).toBeVisible();
      await look();
    });
    for (const [name, mode] of [
      ["busy", busy],
      ["asked too often", tooMany],
    ] as const) {
      await test.step(name, async () => {
        await come(mode);
        await state("error");
        await expect(shown(/^The hub is busy; trying again in [1-8] s\.$/)).toBeVisible();
        await button("Stop").click();
        await expect(shown("The hub is busy.")).toBeVisible();
        await expect(button("Retry")).toBeVisible();
      });
    }
    await look();
    await test.step("offline with nothing kept", async () => {
      trouble.set("lost");
      await button("Retry").click();
      await state("offline");
      await expect(shown("This screen needs the hub.")).toBeVisible();
      await expect(button("Retry")).toBeVisible();
      await look();
    });
    await test.step("gone", async () => {
      await come(gone);
      await state("gone");
      await expect(shown(/isn't here any more\.$/)).toBeVisible();
      if (stop.parent === undefined) await expect(button("Retry")).toBeVisible();
      else
        await expect(main.getByRole("link", { name: stop.parent.words }).filter({ visible: true })).toHaveAttribute(
          "href",
          `#${stop.parent.to}`,
        );
      await look();
    });
    await test.step("ready", async () => {
      for (const one of looks) {
        await come("well");
        await wear(one);
        await state("ready");
        await expect(shown(stop.content)).toBeVisible();
        await sound(page);
      }
    });
    await test.step("shown content stays, and says what it is", async () => {
      await refresh(broken, shown(new RegExp(`^Couldn't refresh · shown as of ${asOf}$`)));
      await expect(shown(stop.content)).toBeVisible();
      await look();
      await refresh(busy, shown(/^The hub is busy; trying again in [1-8] s\.$/));
      await expect(shown(stop.content)).toBeVisible();
      await refresh("lost", shown(new RegExp(`^Offline\\. This is what the hub said at ${asOf}\\.$`)), /./);
      await expect(shown(stop.content)).toBeVisible();
      await look();
      trouble.set("well");
      await expect(async () => {
        await trouble.stir();
        const told = main.getByText(/^Offline\.|^Couldn't refresh/).filter({ visible: true });
        await expect(told).toHaveCount(0, { timeout: 3000 });
      }).toPass({ timeout: 20_000 });
      await state("ready");
    });
    await test.step("refused", async () => {
      await refresh(refused, page.getByRole("heading", { name: "Connect to the hub" }), /./);
      const next = route === "/" ? "" : `?next=${encodeURIComponent(route)}`;
      expect(new URL(page.url()).hash).toBe(`#/connect${next}`);
      trouble.set("well");
      await page.getByLabel("Operator token").fill(hub.adminToken);
      await page.keyboard.press("Enter");
      await expect(shown(stop.content)).toBeVisible();
      expect(new URL(page.url()).hash).toBe(`#${route}`);
    });
    await test.step("offline from the start", async () => {
      trouble.set("lost");
      await page.reload();
      await state("offline");
      if (stop.isKept === true) {
        await expect(shown(new RegExp(`^Offline\\. This is what the hub said at ${asOf}\\.$`))).toBeVisible();
        await expect(shown(stop.content)).toBeVisible();
      } else {
        await expect(shown("This screen needs the hub.")).toBeVisible();
      }
    });
  });
}

test("SHL-04 Connect in every state, and nothing at an address: in words, and axe finds nothing", async ({
  page,
  allowed,
  filled: { hub },
}) => {
  test.setTimeout(slowMs);
  allowed.push(/Failed to load resource/);
  const trouble = await openTrouble(page);
  const wear = await wardrobe(page);
  const main = page.locator("main");
  const field = page.getByLabel("Operator token");
  await page.goto(`${hub.url}/#/hub`);
  await expect(page.getByRole("heading", { name: "Connect to the hub" })).toBeVisible();
  for (const look of looks) {
    await wear(look);
    await sound(page);
  }
  const agent = await hub.operate("issueToken", { params: { id: "night-watch" } });
  const tries: readonly [token: string, answer: Mode, words: RegExp | string][] = [
    ["", "well", "Type or paste the token first."],
    ["not-the-token", "well", /^The hub doesn't know this token/],
    [String(agent["token"]), "well", "That token belongs to an agent. This app needs the operator's."],
    [hub.adminToken, "lost", /^No hub answers at this address/],
    [
      hub.adminToken,
      { status: 403, code: "forbidden", detail: "not in public_url" },
      /^The hub refuses calls made at this address/,
    ],
    [hub.adminToken, busy, "the hub is draining"],
  ];
  for (const [index, [token, answer, words]] of tries.entries()) {
    await test.step(String(words), async () => {
      trouble.set(answer);
      await field.fill(token);
      await page.keyboard.press("Enter");
      await expect(main.getByText(words)).toBeVisible();
      await expect(field).toHaveValue(token);
      await expect(field).toBeFocused();
      await wear(looks[index % looks.length]);
      await sound(page);
    });
  }
  trouble.set("held");
  await page.keyboard.press("Enter");
  await expect(main.getByRole("button", { name: "Connect" })).toHaveAttribute("aria-busy", "true");
  await sound(page);
  trouble.set("well");
  await expect(main).toHaveAttribute("data-screen", "hub");
  expect(new URL(page.url()).hash).toBe("#/hub");

  await visit(page, "/nowhere");
  trouble.set("lost");
  await trouble.stir();
  for (const look of looks) {
    await wear(look);
    await expect(main.getByText("No screen has the address /nowhere.")).toBeVisible();
    await sound(page);
  }
});

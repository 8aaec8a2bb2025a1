// One hub that holds an ordinary day, a crowd and everything that is long or runs from the right, and every screen of it:
// what the gates of web-app.md 9.1 are measured on.
import { expect, type Page } from "@playwright/test";
import { isObject } from "../../src/shared/json.ts";
import { say } from "./feed-fixtures.ts";
import { fillHouse } from "./house-fixtures.ts";
import { ask, fillRtl, fillZoo, finish, request } from "./inbox-fixtures.ts";
import { test as base, settled } from "./support/app.ts";
import { startWebHub, type WebHub } from "./support/hub.ts";

const longName = "W".repeat(120);
const longId = "project-with-an-id-of-sixty-four-characters-and-no-place-to-wrap";
const longAgent = "agent-with-an-id-of-sixty-four-characters-without-any-place-to-w";
const longTitle = "T".repeat(300);
const longBody = Array.from({ length: 4000 }, (_, line) => `Line ${line + 1} of a log that nobody cut.`).join("\n");
const wideBody = `\`\`\`\n${"a line of code that is far wider than any screen; ".repeat(12)}\n\`\`\`\n\n| ${"column | ".repeat(16)}\n| ${"--- | ".repeat(16)}\n| ${"a value | ".repeat(16)}`;

export type Place = {
  name: string;
  /** `data-screen`. */
  screen: string;
  route: string;
  /** Its own content, which is there when it is. */
  shows: string;
};

export type House = {
  hub: WebHub;
  places: Place[];
  /** Documents of their own, outside the app: paths of public pages. */
  publicPages: { name: string; path: string }[];
};

export const test = base.extend<object, { house: House }>({
  house: [
    // biome-ignore lint/correctness/noEmptyPattern: the form the runner asks for
    async ({}, use) => {
      await using hub = await startWebHub();
      await use(await fillGates(hub));
    },
    { scope: "worker", timeout: 120_000 },
  ],
  // Read by every test of a worker and changed by none.
  hub: async ({ house }, use) => use(house.hub),
});

export async function fillGates(hub: WebHub): Promise<House> {
  await fillHouse(hub);
  await fillRtl(hub);
  await fillZoo(hub);
  await hub.project(longId, longName);
  const wordy = await hub.agent(longAgent);
  await hub.operate("updateAgent", { params: { id: longAgent }, body: { display_name: longName } });
  const approval = await request(wordy, longId, longTitle, {
    expires_in_seconds: 40 * 3600,
    payload: { body: longBody, effects: [longTitle, "A short one"], command: longTitle, [longName]: longTitle },
  });
  const question = await ask(wordy, longId, longTitle, { body: wideBody, options: ["O".repeat(80), "No"] });
  const report = await finish(wordy, longId, longTitle, { body: wideBody, artifact_id: "01JQ4TABCDEFGHJKMNPQRS9ZKX" });
  await say(wordy, longId, "idea", `${longTitle} And then ${longName}.`);
  for (let number = 1; number <= 40; number += 1) await hub.project(`shelf-${number}`, `Shelf number ${number}`);
  for (let number = 1; number <= 200; number += 1) {
    await hub.operate("createAgent", { body: { id: `worker-${number}`, display_name: `Worker ${number}` } });
  }
  const { artifact_id: open } = await wordy.call("artifact_publish", {
    project_id: "homelab",
    kind: "markdown",
    title: longTitle,
    description: `${longName} ${"A few more words. ".repeat(20)}`,
    content: wideBody,
  });
  const item = async (project: string, kind: string): Promise<string> => {
    const { items } = await hub.operate("listInbox", { query: { group: "waiting", project, kind } });
    const [first] = Array.isArray(items) ? items : [];
    return String(isObject(first) ? first["event_id"] : "");
  };
  return {
    hub,
    publicPages: [{ name: "public page", path: `/artifacts/${String(open)}` }],
    places: [
      { name: "home", screen: "home", route: "/", shows: "[data-row-link]" },
      { name: "inbox", screen: "inbox", route: "/inbox", shows: "[data-row-link]" },
      ...(
        [
          ["approval", await item("homelab", "approval")],
          ["question", await item("notes", "question")],
          ["long approval", approval],
          ["long question", question],
          ["long report", report],
          ["Arabic approval", await item("rtl", "approval")],
        ] as const
      ).map(([name, id]) => ({ name, screen: "inbox", route: `/inbox/${id}`, shows: ".item-view h2" })),
      { name: "projects", screen: "projects", route: "/projects", shows: "[data-row-link]" },
      { name: "feed", screen: "feed", route: "/p/homelab/feed", shows: ".feed [data-row-link]" },
      { name: "long feed", screen: "feed", route: `/p/${longId}/feed`, shows: ".feed [data-row-link]" },
      { name: "hostile feed", screen: "feed", route: "/p/zoo/feed", shows: ".feed [data-row-link]" },
      { name: "long event", screen: "feed", route: `/p/${longId}/feed/${question}`, shows: ".item-view h2" },
      { name: "project settings", screen: "project-settings", route: "/p/homelab/settings", shows: "[data-delete]" },
      { name: "long settings", screen: "project-settings", route: `/p/${longId}/settings`, shows: "[data-delete]" },
      { name: "settings", screen: "settings", route: "/settings", shows: ".setting" },
      { name: "agents", screen: "agents", route: "/agents", shows: "[data-row-link]" },
      { name: "agent", screen: "agents", route: "/agents/scout", shows: ".agent-view" },
      { name: "long agent", screen: "agents", route: `/agents/${longAgent}`, shows: ".agent-view" },
      { name: "hub", screen: "hub", route: "/hub", shows: ".link-rows" },
      { name: "start", screen: "start", route: "/start", shows: "[data-snippet], input" },
      { name: "not found", screen: "not-found", route: `/nowhere/${longName}`, shows: ".empty" },
    ],
  };
}

/** By its address alone, in the page that is open. */
async function visit(page: Page, { screen, route, shows }: Place): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, route);
  const main = page.locator(`main[data-screen="${screen}"]`);
  await expect(main).toBeVisible();
  await settled(page);
  await expect(main.locator(shows).filter({ visible: true }).first()).toBeVisible();
}

/** Looks at every screen, from Connect to the public page; what is found begins with the name of its screen. */
export async function throughHouse(
  page: Page,
  { hub, places, publicPages }: House,
  look: () => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  const lookAs = async (name: string): Promise<void> => {
    found.push(...(await look()).map((line) => `${name}, ${line}`));
  };
  await page.goto(`${hub.url}/#/connect`);
  await expect(page.getByLabel("Operator token")).toBeVisible();
  await lookAs("connect");
  await page.evaluate((token) => localStorage.setItem("hub:/:token", token), hub.adminToken);
  await page.reload();
  for (const place of places) {
    await visit(page, place);
    await lookAs(place.name);
  }
  for (const { name, path } of publicPages) {
    await page.goto(hub.url + path);
    await expect(page.locator("iframe")).toBeVisible();
    await lookAs(name);
  }
  return found;
}

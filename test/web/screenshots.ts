// Pictures of the screens for people who look at them: three widths, both themes, every fixture. `bun
// test/web/screenshots.ts [demo-list-360...]` writes those whose name begins so, or all, to test-results/screenshots,
// which git ignores.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { fillDemo } from "./fixtures/demo.ts";
import { fillBusy } from "./fixtures/feed.ts";
import { fillGates } from "./fixtures/gates.ts";
import { fillCrowd, fillHostileNames, fillRtlHouse } from "./fixtures/house.ts";
import { fillFlood, fillLarge, fillRtl, fillZoo } from "./fixtures/inbox.ts";
import { browserPath } from "./playwright.config.ts";
import { openApp } from "./support/app.ts";
import { startWebHub, type WebHub } from "./support/hub.ts";

const folder = join(import.meta.dirname, "..", "..", "test-results", "screenshots");
const widths = [
  { name: "360", width: 360, height: 780, isPhone: true },
  { name: "768", width: 768, height: 1024, isPhone: true },
  { name: "1440", width: 1440, height: 900, isPhone: false },
] as const;
const themes = ["light", "dark"] as const;

type Shot = { name: string; route: string; before?: (page: Page) => Promise<void> };

const openFirst = async (page: Page): Promise<void> => page.locator("[data-row-link]").first().click();
const openNew = async (page: Page): Promise<void> => page.locator("[data-new]").first().click();
const list: Shot = { name: "list", route: "/inbox" };
const unread: Shot = { name: "unread", route: "/inbox?view=unread" };
const item: Shot = { name: "item", route: "/inbox", before: openFirst };

const home: Shot = { name: "home", route: "/" };
const projects: Shot = { name: "projects", route: "/projects" };
const feedOf = (project: string): Shot => ({ name: "feed", route: `/p/${project}/feed` });
const settingsOf = (project: string): Shot => ({ name: "settings", route: `/p/${project}/settings` });
const eventOf = (project: string): Shot => ({ name: "event", route: `/p/${project}/feed`, before: openFirst });
const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
const agents = (name: string, agent = "", before?: Shot["before"]): Shot => ({
  name,
  route: agent === "" ? "/agents" : `/agents/${agent}`,
  ...(before === undefined ? {} : { before }),
});
const house: Shot[] = [
  { name: "settings", route: "/settings" },
  { name: "hub", route: "/hub" },
];
const named = async (page: Page): Promise<void> => {
  for (const name of ["Create project", "Create agent"]) {
    const button = page.getByRole("button", { name });
    // What a former picture began goes on here.
    if (await button.isVisible()) await button.click();
    await page.locator("[aria-current=step] :is(input, [data-snippet])").first().waitFor();
  }
  await page.locator("[data-snippet]").first().waitFor();
};

const fixtures: Record<string, { fill: (hub: WebHub) => Promise<unknown>; shots: Shot[] }> = {
  empty: { fill: async () => undefined, shots: [list, home, projects] },
  bare: {
    fill: (hub) => hub.project("homelab", "Homelab"),
    shots: [feedOf("homelab"), settingsOf("homelab"), { ...projects, name: "new", before: openNew }],
  },
  demo: {
    fill: fillDemo,
    shots: [
      home,
      unread,
      projects,
      feedOf("homelab"),
      eventOf("homelab"),
      {
        name: "answered",
        route: "/p/notes/feed",
        before: (page) => page.locator("[data-kind=answer] [data-row-link]").first().click(),
      },
      settingsOf("homelab"),
      {
        name: "delete",
        route: "/p/homelab/settings",
        before: (page) => page.locator("[data-delete]").click(),
      },
      list,
      item,
      {
        name: "question",
        route: "/inbox",
        before: (page) => page.locator("[data-kind=question] [data-row-link]").first().click(),
      },
      { name: "finished", route: "/inbox", before: (page) => page.getByRole("link", { name: "Cost report" }).click() },
      { name: "held", route: "/inbox", before: (page) => page.locator("[data-act=approve]").first().click() },
      { name: "snooze", route: "/inbox", before: (page) => page.locator("[data-act=snooze]").first().click() },
      agents("agents"),
      agents("agent", "scout"),
      agents("new", "night-watch"),
      agents("adding", "", press("New agent")),
      agents("token", "archivist", async (page) => {
        const make = page.getByRole("button", { name: "Make a token" });
        if (await make.isVisible()) return make.click();
        await press("Replace token")(page);
        await page.getByRole("dialog").getByRole("button", { name: "Replace token" }).click();
      }),
      agents("revoke", "scout", press("Revoke")),
      agents("asking", "gardener"),
      ...house,
    ],
  },
  flood: { fill: fillFlood, shots: [list] },
  large: { fill: (hub) => fillLarge(hub, 400, 160), shots: [list] },
  busy: { fill: (hub) => fillBusy(hub), shots: [home, projects, feedOf("project-1")] },
  zoo: {
    fill: fillZoo,
    shots: [list, item, home, projects, feedOf("zoo"), eventOf("zoo"), settingsOf("zoo"), agents("agents"), ...house],
  },
  rtl: { fill: fillRtl, shots: [list, item, home, projects, feedOf("rtl"), eventOf("rtl"), settingsOf("rtl")] },
  start: {
    fill: async () => undefined,
    // Each leaves the hub as it found it but for the last, which begins.
    shots: [
      agents("none"),
      { name: "project", route: "/start" },
      { name: "agent", route: "/start?step=agent" },
      { name: "address", route: "/start", before: named },
    ],
  },
  crowd: { fill: (hub) => fillCrowd(hub, 200), shots: [agents("agents")] },
  gates: { fill: fillGates, shots: [home, list, item, projects, agents("agents")] },
  strange: {
    fill: fillHostileNames,
    shots: [agents("agents"), agents("agent", "strange-2"), agents("new", "strange-1", press("New agent")), ...house],
  },
  rtlhouse: { fill: fillRtlHouse, shots: [agents("agents"), agents("agent", "gardener")] },
};

const chosen = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
for (const [fixture, { fill, shots }] of Object.entries(fixtures)) {
  const wanted = shots.flatMap((shot) =>
    widths.flatMap((width) =>
      themes
        .map((theme) => ({ shot, width, theme, name: `${fixture}-${shot.name}-${width.name}-${theme}` }))
        .filter(({ name }) => chosen.length === 0 || chosen.some((start) => name.startsWith(start))),
    ),
  );
  if (wanted.length === 0) continue;
  await using hub = await startWebHub();
  await fill(hub);
  for (const one of wanted) await take(browser, hub, one);
}
await browser.close();

type Wanted = { shot: Shot; width: (typeof widths)[number]; theme: (typeof themes)[number]; name: string };

async function take(opened: Browser, hub: WebHub, { shot, width, theme, name }: Wanted): Promise<void> {
  const { isPhone, width: inline, height } = width;
  const context = await opened.newContext({
    viewport: { width: inline, height },
    colorScheme: theme,
    hasTouch: isPhone,
    isMobile: isPhone,
    locale: "en-GB",
  });
  const page = await context.newPage();
  await openApp(page, hub, shot.route);
  await shot.before?.(page);
  // Fonts, chunks and the moves of a press are over when nothing runs any more.
  await page.waitForFunction(() => document.getAnimations().length === 0);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}

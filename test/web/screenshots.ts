// Pictures of the screens for people who look at them: three widths, both themes, every fixture. `bun
// test/web/screenshots.ts [typical-list-360...]` writes those whose name begins so, or all, to test-results/screenshots,
// which git ignores.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { fillBusy, fillSessions } from "./feed-fixtures.ts";
import { fillFlood, fillLarge, fillRtl, fillTypical, fillZoo } from "./inbox-fixtures.ts";
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
const item: Shot = { name: "item", route: "/inbox", before: openFirst };

const home: Shot = { name: "home", route: "/" };
const projects: Shot = { name: "projects", route: "/projects" };
const feedOf = (project: string): Shot => ({ name: "feed", route: `/p/${project}/feed` });
const settingsOf = (project: string): Shot => ({ name: "settings", route: `/p/${project}/settings` });
const eventOf = (project: string): Shot => ({ name: "event", route: `/p/${project}/feed`, before: openFirst });

const fixtures: Record<string, { fill: (hub: WebHub) => Promise<unknown>; shots: Shot[] }> = {
  empty: { fill: async () => undefined, shots: [list, home, projects] },
  bare: {
    fill: (hub) => hub.project("homelab", "Homelab"),
    shots: [feedOf("homelab"), settingsOf("homelab"), { ...projects, name: "new", before: openNew }],
  },
  typical: {
    fill: async (hub) => fillSessions(hub, await fillTypical(hub)),
    shots: [
      home,
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
    ],
  },
  flood: { fill: fillFlood, shots: [list] },
  large: { fill: (hub) => fillLarge(hub, 400, 160), shots: [list] },
  busy: { fill: (hub) => fillBusy(hub), shots: [home, projects, feedOf("project-1")] },
  zoo: { fill: fillZoo, shots: [list, item, home, projects, feedOf("zoo"), eventOf("zoo"), settingsOf("zoo")] },
  rtl: { fill: fillRtl, shots: [list, item, home, projects, feedOf("rtl"), eventOf("rtl"), settingsOf("rtl")] },
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

// Screens as they are looked at: one filled hub for all tests of a worker, both themes, three widths.
import type { Page } from "@playwright/test";
import { type Demo, fillDemo } from "../fixtures/demo.ts";
import { accessible, test as base, expect } from "./app.ts";
import { startWebHub, type WebHub } from "./hub.ts";

/** Two dozen runs of axe, each of them seconds on a machine that does much else. */
export const slowMs = 600_000;

/** What changes this hub leaves nothing another test looks for. */
export const test = base.extend<object, { filled: { hub: WebHub; demo: Demo } }>({
  filled: [
    // biome-ignore lint/correctness/noEmptyPattern: the form the runner asks for
    async ({}, use) => {
      await using hub = await startWebHub();
      await use({ hub, demo: await fillDemo(hub) });
    },
    { scope: "worker" },
  ],
  hub: async ({ filled }, use) => use(filled.hub),
});

export type Look = { width: 390 | 834 | 1440; theme: "light" | "dark" };

export const looks: readonly Look[] = ([390, 834, 1440] as const).flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ width, theme })),
);

/** Puts on a theme, a width, and the pointer that goes with the width. */
export async function wardrobe(page: Page): Promise<(look: Look | undefined) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  return async (look) => {
    if (look === undefined) return;
    await page.emulateMedia({ colorScheme: look.theme });
    await page.setViewportSize({ width: look.width, height: 900 });
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: look.width < 1024, maxTouchPoints: 1 });
    await expect(page.locator("html")).toHaveAttribute("data-theme", look.theme);
    // A colour on its way from one theme to the other is of neither.
    await page.waitForFunction(() =>
      document.getAnimations().every(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY),
    );
  };
}

/** Nothing for axe, and no word that stands for a value nobody has (LAW-03). */
export async function sound(page: Page, within?: string): Promise<void> {
  await accessible(page, within);
  await measured(page);
}

export async function measured(page: Page): Promise<void> {
  await expect(page.locator("body")).not.toContainText(/\bundefined\b|\bNaN\b|—%|Invalid Date|\[object /);
}

export async function visit(page: Page, route: string): Promise<void> {
  await page.evaluate((to) => location.assign(`#${to}`), route);
  await expect.poll(() => new URL(page.url()).hash).toBe(`#${route}`);
}

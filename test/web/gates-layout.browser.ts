// Nothing is cut, covered or pushed out of the page, on any screen, at any size, size of text, spacing and direction (web-app.md
// 9.1).
import type { Page } from "@playwright/test";
import { test, throughHouse } from "./fixtures/gates.ts";
import { expect } from "./support/app.ts";
import { layoutFaults } from "./support/layout.ts";

type Mode = {
  name: string;
  width: number;
  height: number;
  /** Of the browser's own setting. */
  textSize?: string;
  /** The overrides of WCAG 1.4.12. */
  isSpaced?: boolean;
  isRtl?: boolean;
};

const modes: Mode[] = [
  { name: "320 px", width: 320, height: 700 },
  { name: "1280 px", width: 1280, height: 800 },
  // A window of 1280 by 800 at twice the size.
  { name: "zoom", width: 640, height: 400 },
  { name: "large text", width: 1280, height: 800, textSize: "200%" },
  { name: "large text on a phone", width: 390, height: 844, textSize: "200%" },
  { name: "wide spacing", width: 1280, height: 800, isSpaced: true },
  { name: "wide spacing on a phone", width: 390, height: 844, isSpaced: true },
  { name: "from the right", width: 1280, height: 800, isRtl: true },
  { name: "from the right on a phone", width: 390, height: 844, isRtl: true },
];

async function apply(page: Page, { width, height, textSize = "", isSpaced = false, isRtl = false }: Mode) {
  await page.setViewportSize({ width, height });
  await page.evaluate(
    async ([size, spaced, direction]) => {
      document.documentElement.style.fontSize = size;
      document.documentElement.dir = direction;
      const sheet = new CSSStyleSheet();
      const rules =
        "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }";
      await sheet.replace(spaced ? `${rules} p { margin-block-end: 2em !important }` : "");
      document.adoptedStyleSheets = [sheet];
      // What watches its own size has answered.
      for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    },
    [textSize, isSpaced, isRtl ? "rtl" : ""] as const,
  );
}

async function faultsIn(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const mode of modes) {
    await apply(page, mode);
    faults.push(...(await layoutFaults(page)).map((fault) => `${mode.name}: ${fault}`));
  }
  return faults;
}

test("every screen is whole at every size, size of text, spacing and direction", async ({ page, house }) => {
  test.setTimeout(600_000);
  const faults = await throughHouse(page, house, () => faultsIn(page));
  expect(faults).toEqual([]);
});

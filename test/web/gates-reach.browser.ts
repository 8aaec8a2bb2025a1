// Whatever can be pressed is large enough for a finger and reached by Tab, in the order of reading, where it can be seen
// (web-app.md 9.1).

import { test, throughHouse } from "./fixtures/gates.ts";
import { expect } from "./support/app.ts";
import { walkByTab } from "./support/focus.ts";
import { layoutFaults, smallTargets } from "./support/layout.ts";

test.describe("under a finger", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("every control of every screen is 44 by 44", async ({ page, house }) => {
    const faults = await throughHouse(page, house, async () => [
      ...(await smallTargets(page, 44)),
      ...(await layoutFaults(page)),
    ]);
    expect(faults).toEqual([]);
  });
});

test("every control is 24 by 24 at least, is reached by Tab in the order of reading, and shows it", async ({
  page,
  house,
}) => {
  test.setTimeout(400_000);
  const faults = await throughHouse(page, house, async () => {
    const found: string[] = [];
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const { stops, faults: seen } = await walkByTab(page);
      found.push(...seen, ...(stops.length < 1 ? ["nothing to reach"] : []), ...(await smallTargets(page, 24)));
    }
    return found;
  });
  expect(faults).toEqual([]);
});

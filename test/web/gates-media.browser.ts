// What the device asks for: its own few colours, more contrast, less motion (web-app.md 3.2, 3.4, 9.1).
import type { Page } from "@playwright/test";
import { test, throughHouse } from "./fixtures/gates.ts";
import { act, hold, undo } from "./inbox-page.ts";
import { accessible, expect, openApp } from "./support/app.ts";
import { walkByTab } from "./support/focus.ts";

/** Controls that nothing tells from words: no edge, no line under them, no ground of their own. */
function edgeless(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isClear = (colour: string): boolean => /^rgba\(.*, 0\)$/.test(colour);
    const isEdge = (style: CSSStyleDeclaration): boolean =>
      (Number.parseFloat(style.borderBlockEndWidth) >= 1 && !isClear(style.borderBlockEndColor)) ||
      style.textDecorationLine.includes("underline") ||
      (style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 1);
    return [...document.querySelectorAll("main button, main input, main select, main textarea, dialog button")].flatMap(
      (control) => {
        // A row is told by its place, a field that is a native mark by the browser.
        if (
          control.matches("[data-row-link], [type=checkbox], [tabindex='-1'].unseen-by-eye") ||
          !control.checkVisibility()
        )
          return [];
        const drawn = control.matches("[type=radio]") ? (control.nextElementSibling ?? control) : control;
        const styles = [drawn, drawn.parentElement ?? drawn, control.closest(".split-choice") ?? drawn].flatMap(
          (element) => [getComputedStyle(element), getComputedStyle(element, "::before")],
        );
        if (styles.some(isEdge)) return [];
        return [
          `no edge: ${control.className} "${(control.getAttribute("aria-label") ?? control.textContent ?? "").slice(0, 40)}"`,
        ];
      },
    );
  });
}

/** Bars, dots and badges that have no colour of their own any more. */
function unseenMarks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isClear = (colour: string): boolean => /^rgba\(.*, 0\)$/.test(colour);
    const canvas = getComputedStyle(document.documentElement).backgroundColor;
    const isNothing = (colour: string): boolean => colour === canvas || isClear(colour);
    const faults: string[] = [];
    for (const row of document.querySelectorAll(".row:is(.lamp, .new, .hold)")) {
      if (isNothing(getComputedStyle(row, "::before").backgroundColor)) faults.push(`no bar: ${row.className}`);
    }
    for (const mark of document.querySelectorAll(".dot, .badge")) {
      const style = getComputedStyle(mark);
      const hasEdge = Number.parseFloat(style.borderBlockStartWidth) >= 1 && !isNothing(style.borderBlockStartColor);
      if (isNothing(style.backgroundColor) && !hasEdge) faults.push(`no mark: ${mark.className}`);
    }
    return faults;
  });
}

test("in forced colours focus, controls and marks are still seen", async ({ page, house }) => {
  await page.emulateMedia({ forcedColors: "active" });
  const faults = await throughHouse(page, house, async () => [...(await edgeless(page)), ...(await unseenMarks(page))]);
  expect(faults).toEqual([]);
  await openApp(page, house.hub, "/inbox");
  await expect(page.locator(".row.lamp").first()).toBeVisible();
  expect((await walkByTab(page)).faults).toEqual([]);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`with more contrast, ${colorScheme}, faint words are soft and hairlines are edges`, async ({ page, house }) => {
    await page.emulateMedia({ contrast: "more", colorScheme });
    await openApp(page, house.hub, "/inbox");
    await expect(page.locator(".deadline.lamp").first()).toBeVisible();
    const drawn = await page.evaluate(() => {
      const colourOf = (token: string): string => {
        const probe = document.createElement("i");
        probe.style.color = `var(${token})`;
        document.body.append(probe);
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      };
      const wash = document.querySelector(".deadline.lamp");
      return {
        faintIsSoft: colourOf("--faint") === colourOf("--soft"),
        ruleIsEdge: colourOf("--rule") === colourOf("--edge"),
        washHasLine: wash !== null && !/^rgba\(.*, 0\)$/.test(getComputedStyle(wash).borderBlockStartColor),
      };
    });
    expect(drawn).toEqual({ faintIsSoft: true, ruleIsEdge: true, washHasLine: true });
    await accessible(page);
  });
}

test("with less motion nothing moves for longer than a fade of 90 ms, whatever is done", async ({ page, house }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await hold(page, 20);
  await page.setViewportSize({ width: 390, height: 844 });
  await openApp(page, house.hub, "/inbox");
  // Looked at in every frame, however long a frame takes.
  await page.evaluate(() => {
    const moves = new Set<string>();
    Reflect.set(window, "longMoves", moves);
    const look = (): void => {
      for (const move of document.getAnimations()) {
        const { endTime } = move.effect?.getComputedTiming() ?? {};
        const of = move.effect instanceof KeyframeEffect ? move.effect.target?.className : "";
        if (Number(endTime) > 90) moves.add(`${of} ${Number(endTime)} ms`);
      }
      requestAnimationFrame(look);
    };
    look();
  });
  const still = async (): Promise<void> => {
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
  };
  await act(page.locator("main"), "snooze").first().click();
  await expect(page.getByRole("menu")).toBeVisible();
  await still();
  await page.getByRole("menuitem", { name: "Pick a time" }).click();
  await still();
  await page.getByRole("button", { name: "Cancel" }).click();
  await still();
  await act(page.locator("main"), "approve").first().click();
  await still();
  await page.locator("[data-undo]").first().click();
  await still();
  // Away from the screen a list has no rows.
  await page.locator("[data-group=unread]").scrollIntoViewIfNeeded();
  await page.locator("[data-item-state=unread] [data-row-link]").first().focus();
  await page.keyboard.press("e");
  await expect(undo(page)).toBeVisible();
  await still();
  await undo(page).click();
  await still();
  for (const place of ["#/agents", "#/projects", "#/", "#/settings"]) {
    await page.evaluate((to) => location.assign(to), place);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await still();
  }
  await page.evaluate(() => location.assign("#/agents"));
  await page.getByRole("button", { name: "New agent" }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await still();
  await page.keyboard.press("?");
  expect(await page.evaluate(() => [...Reflect.get(window, "longMoves")])).toEqual([]);
});

// What axe finds on a page, with the contrasts it could not decide measured instead of left open (web-app.md 9.1).
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** No finding of axe on what is shown, or on one part of it. */
export async function accessible(page: Page, within?: string): Promise<void> {
  await still(page);
  const builder = new AxeBuilder({ page }).options({
    runOnly: { type: "tag", values: standards },
    resultTypes: ["violations", "incomplete"],
  });
  if (within !== undefined) builder.include(within);
  // Only frames make it open a page of its own, which takes longer than all the rest.
  if (page.frames().length === 1) builder.setLegacyMode();
  const { violations, incomplete } = await builder.analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  const undecided = incomplete.filter(({ id }) => id === "color-contrast").flatMap(({ nodes }) => nodes);
  const selectors = undecided.flatMap(({ target }) => (target.length === 1 ? target.map(String) : []));
  expect([...told, ...(await page.evaluate(weakContrasts, selectors))]).toEqual([]);
}

/** A colour on its way to another is neither; what goes on for good, such as a skeleton, is not waited for. */
export async function still(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity),
  );
}

/** Runs in the page: of these elements, those whose words stand out too little from what is painted behind them. */
function weakContrasts(selectors: readonly string[]): string[] {
  type Colour = readonly [red: number, green: number, blue: number, alpha: number];
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  function read(colour: string): Colour {
    if (brush === null) throw new Error("no canvas to read colours with");
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  }

  function over([red, green, blue, alpha]: Colour, [r, g, b]: Colour): Colour {
    const mixed = (front: number, back: number): number => front * alpha + back * (1 - alpha);
    return [mixed(red, r), mixed(green, g), mixed(blue, b), 1];
  }

  function luminance([red, green, blue]: Colour): number {
    const linear = (part: number): number =>
      part / 255 <= 0.040_45 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  }

  /** The shape of a control may be painted beside it in the tree, under its words. */
  function isBehind(element: Element, { content, position, zIndex, inlineSize }: CSSStyleDeclaration): boolean {
    const isThere = content !== "none" && position === "absolute" && Number(zIndex) < 0;
    return isThere && Number.parseFloat(inlineSize) > 0.9 * element.clientWidth;
  }

  /** Undefined where a picture lies behind the words: nobody can say then. */
  function ground(element: Element): Colour | undefined {
    const layers: Colour[] = [];
    for (let each: Element | null = element; each !== null; each = each.parentElement) {
      const style = getComputedStyle(each);
      const pill = getComputedStyle(each, "::before");
      if (style.backgroundImage !== "none") return undefined;
      if (isBehind(each, pill)) layers.push(read(pill.backgroundColor));
      layers.push(read(style.backgroundColor));
      if (layers.some(([, , , alpha]) => alpha === 1)) break;
    }
    return layers.reduceRight((below, layer) => over(layer, below), read("white"));
  }

  return selectors.flatMap((selector) => {
    const element = document.querySelector(selector);
    if (element === null || !element.checkVisibility({ opacityProperty: true })) return [];
    const behind = ground(element);
    if (behind === undefined) return [`contrast unknown: ${element.outerHTML}`];
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const [one, other] = [luminance(over(read(color), behind)), luminance(behind)];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    return ratio >= (isLarge ? 3 : 4.5) ? [] : [`contrast ${ratio.toFixed(2)}: ${element.outerHTML}`];
  });
}

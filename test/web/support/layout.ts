// What may be wrong with what is drawn, measured in the page: words that are cut, that lie on each other or outside the
// page, controls that cover each other, regions that scroll and cannot be reached (web-app.md 9.1).
import type { Page } from "@playwright/test";

/** Every fault as one line; none of them is seen by reading styles, all of them by measuring. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // What moves is measured where it comes to rest.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    type Box = { left: number; right: number; top: number; bottom: number };
    type Words = { element: Element; box: Box; text: string };
    const faults = new Set<string>();
    const root = document.documentElement;

    // Measured once: a list of hundreds asks for the same frames thousands of times.
    const measured = new Map<Element, { style: CSSStyleDeclaration; frame: Box; cuts: boolean }>();
    const measure = (element: Element) => {
      const known = measured.get(element);
      if (known !== undefined) return known;
      const style = getComputedStyle(element);
      const cuts = style.overflowX !== "visible" || style.overflowY !== "visible" || style.clipPath !== "none";
      const made = { style, frame: element.getBoundingClientRect(), cuts };
      measured.set(element, made);
      return made;
    };

    const nameOf = (element: Element): string => {
      const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40);
      return `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${words}"`;
    };
    const isSeen = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest(".unseen-by-eye, .skip, [inert]") === null;
    const cut = (box: Box, to: Box): Box => ({
      left: Math.max(box.left, to.left),
      right: Math.min(box.right, to.right),
      top: Math.max(box.top, to.top),
      bottom: Math.min(box.bottom, to.bottom),
    });
    const isEmpty = ({ left, right, top, bottom }: Box): boolean => right - left < 1 || bottom - top < 1;
    const layerOf = (element: Element): Element | null => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        if (/^(fixed|sticky)$/.test(measure(at).style.position) || at.matches("dialog, [popover]")) return at;
      }
      return null;
    };
    const from = function* (element: Element | null): Generator<Element> {
      for (let at = element; at !== null && at !== root; at = at.parentElement) {
        yield at;
        if (measure(at).style.position === "fixed") return;
      }
    };
    // Cut on purpose, and whole elsewhere: in its own title, or where the thing it is of leads.
    const isMeant = (element: Element, style: CSSStyleDeclaration): boolean =>
      (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") &&
      (element.closest("[title], [aria-hidden=true]") !== null ||
        element.closest("article, tr, li")?.querySelector("a[href], button[aria-expanded]") !== null);

    /** What of a box can be seen or scrolled to; words that are cut on the way are a fault. */
    const visible = (holder: Element | null, whole: Box, text: string): Box | undefined => {
      let box = whole;
      let [canBeAside, canBeBelow] = [false, false];
      for (const at of from(holder)) {
        const { style, frame, cuts } = measure(at);
        if (!cuts) continue;
        if (style.clipPath !== "none") return undefined;
        const isAside = !canBeAside && (box.left < frame.left - 1.5 || box.right > frame.right + 1.5);
        const isBelow = !canBeBelow && (box.top < frame.top - 4 || box.bottom > frame.bottom + 4);
        if (/^(hidden|clip)$/.test(style.overflowX) && isAside && !isMeant(at, style)) {
          faults.add(`cut at its side: ${text} in ${nameOf(at)}`);
        }
        if (/^(hidden|clip)$/.test(style.overflowY) && isBelow && !isMeant(at, style)) {
          faults.add(`cut above or below: ${text} in ${nameOf(at)}`);
        }
        box = cut(box, frame);
        if (isEmpty(box)) return undefined;
        canBeAside ||= /^(auto|scroll)$/.test(style.overflowX);
        canBeBelow ||= /^(auto|scroll)$/.test(style.overflowY);
      }
      if (box.left < -1.5 || box.right > root.clientWidth + 1.5) faults.add(`outside the page: ${text}`);
      return box;
    };

    const overlaps = (one: Box, other: Box, aside: number, down: number): boolean => {
      const both = cut(one, other);
      return both.right - both.left > aside && both.bottom - both.top > down;
    };

    // The page.
    if (root.scrollWidth > root.clientWidth)
      faults.add(`the page scrolls sideways by ${root.scrollWidth - root.clientWidth}`);

    // What scrolls.
    for (const region of document.querySelectorAll("body *")) {
      const style = getComputedStyle(region);
      const isAside = /^(auto|scroll)$/.test(style.overflowX) && region.scrollWidth > region.clientWidth + 1;
      const isDown = /^(auto|scroll)$/.test(style.overflowY) && region.scrollHeight > region.clientHeight + 1;
      if ((!isAside && !isDown) || region.matches("textarea, select") || !isSeen(region)) continue;
      const isReached =
        region.matches("[tabindex]") || region.querySelector("a[href], button, input, [tabindex='0']") !== null;
      const isNamed =
        region.matches("[aria-label], [aria-labelledby], main, [data-scroll=list]") ||
        region.closest("main, nav, dialog") === null;
      if (!isReached) faults.add(`scrolls, and takes no focus: ${nameOf(region)}`);
      if (!isNamed) faults.add(`scrolls, and has no name: ${nameOf(region)}`);
    }

    // Words.
    const words: Words[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = (node.nodeValue ?? "").trim();
      if (element === null || text === "" || element.closest("script, noscript, option, textarea") !== null) continue;
      if (!isSeen(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const spoken = `"${text.slice(0, 40)}"`;
      for (const rect of range.getClientRects()) {
        if (isEmpty(rect)) continue;
        const box = visible(element, rect, spoken);
        if (box !== undefined) words.push({ element, box, text: spoken });
        if (words.length > 4000) break;
      }
    }
    words.sort((one, other) => one.box.top - other.box.top);
    for (const [index, one] of words.entries()) {
      for (let next = index + 1; next < words.length; next += 1) {
        const other = words[next];
        if (other === undefined || other.box.top > one.box.bottom) break;
        if (other.element === one.element || !overlaps(one.box, other.box, 3, 6)) continue;
        if (layerOf(one.element) !== layerOf(other.element)) continue;
        faults.add(`words on words: ${one.text} and ${other.text}`);
      }
    }

    // Controls.
    const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=switch]")]
      .filter((control) => isSeen(control))
      .flatMap((element) => {
        const box = visible(element.parentElement, element.getBoundingClientRect(), nameOf(element));
        return box === undefined || getComputedStyle(element).display === "inline" ? [] : [{ element, box }];
      });
    for (const [index, one] of controls.entries()) {
      for (const other of controls.slice(index + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        if (!overlaps(one.box, other.box, 2, 2) || layerOf(one.element) !== layerOf(other.element)) continue;
        faults.add(`controls on each other: ${nameOf(one.element)} and ${nameOf(other.element)}`);
      }
    }
    return [...faults].slice(0, 12);
  });
}

/** Controls that are smaller than this, as what can be pressed: a row with its link, a field with its label. */
export function smallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate((leastPx) => {
    const isInWords = (element: Element): boolean =>
      getComputedStyle(element).display === "inline" &&
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node !== element && (node.textContent ?? "").trim().length > 1,
      );
    const pressed = (element: Element): Element => {
      if (element.matches("[data-row-link]")) return element.closest("article, tr") ?? element;
      if (element.matches("input[type=checkbox], input[type=radio]")) return element.closest("label") ?? element;
      return element;
    };
    const selector =
      "a[href], button, input, select, textarea, summary, [role=switch], [role=separator], [role=menuitem], [tabindex='0']";
    return [...document.querySelectorAll(selector)].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(".skip, .unseen-by-eye") !== null) {
        return [];
      }
      if (element.matches("[role=region], section, pre, [role=feed]") || isInWords(element)) return [];
      const { width, height } = pressed(element).getBoundingClientRect();
      if (Math.round(width) >= leastPx && Math.round(height) >= leastPx) return [];
      const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40);
      const size = `${Math.round(width)}×${Math.round(height)}`;
      return [`${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${words}" ${size}`];
    });
  }, least);
}

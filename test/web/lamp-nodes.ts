// Where the lamp's colours are on the page (LAW-01).
import type { Page } from "@playwright/test";

const painted = [
  "color",
  "background-color",
  "border-block-start-color",
  "border-inline-start-color",
  "fill",
  "stroke",
];

export function lampNodes(page: Page): Promise<string[]> {
  return page.evaluate((properties) => {
    const probe = document.createElement("i");
    document.body.append(probe);
    const tokens = ["--lamp", "--lamp-wash"].map((token) => {
      probe.style.color = `var(${token})`;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    return [...document.querySelectorAll("body *")].flatMap((element) => {
      const style = getComputedStyle(element);
      return properties.some((property) => tokens.includes(style.getPropertyValue(property)))
        ? [element.className.toString()]
        : [];
    });
  }, painted);
}

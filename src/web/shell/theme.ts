// How the app looks on this device: light, dark, or as the device has it, followed while the app is open; how large its
// words are and how close its rows. `boot-theme.ts` does the first two before the first paint.
import { effect } from "@preact/signals";
import { density, textSize, theme } from "../data/preferences.ts";

export function startTheme(): void {
  const device = matchMedia("(prefers-color-scheme: dark)");
  const show = (): void => {
    const isDark = theme.value === "dark" || (theme.value === "device" && device.matches);
    document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
    const ground = getComputedStyle(document.documentElement).getPropertyValue("--ground").trim();
    // The bar around the app follows the choice, not the device, so both of the document's colours are this one.
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) meta.content = ground;
  };
  effect(show);
  effect(() => {
    const { dataset, style } = document.documentElement;
    style.fontSize = textSize.value === "100" ? "" : `${textSize.value}%`;
    dataset["density"] = density.value;
  });
  device.addEventListener("change", show);
}

// The theme of a public page: the one chosen on this device, else the device's own.
import type { FrameTheme } from "../frame/messages.ts";
import { readStored, store } from "./scope.ts";

export function isDarkChosen(): boolean {
  const stored = readStored("theme");
  return stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

export function currentTheme(): FrameTheme {
  return document.documentElement.dataset["theme"] === "dark" ? "dark" : "light";
}

/** Wires the control; `tell` hears every change. */
export function wireTheme(control: HTMLElement, tell: (theme: FrameTheme) => void): void {
  const apply = (theme: FrameTheme): void => {
    document.documentElement.dataset["theme"] = theme;
    control.setAttribute("aria-pressed", String(theme === "dark"));
    tell(theme);
  };
  apply(currentTheme());
  control.hidden = false;
  control.addEventListener("click", () => {
    const theme = currentTheme() === "dark" ? "light" : "dark";
    store("theme", theme);
    apply(theme);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => apply(isDarkChosen() ? "dark" : "light"));
}

// The one lamp: the number that waits for the operator, wherever it shows outside the page (web-app.md 5.2).
import { computed, effect, signal } from "@preact/signals";
import { homeSpec } from "../data/home.ts";
import { resource } from "../data/resource.ts";
import { token } from "../data/token.ts";
import { shellText } from "../text/en-shell.ts";

/** Title of the open screen. */
export const pageTitle = signal<string>(shellText.appName);

/** Undefined until the hub said it. */
const known = computed(() => (token.value === undefined ? 0 : resource(homeSpec).value.value?.waiting));

export function waitingCount(): number {
  return known.value ?? 0;
}

export function hubName(): string {
  return (token.value === undefined ? undefined : resource(homeSpec).value.value?.node.host) ?? shellText.appName;
}

export function startLamp(): void {
  effect(() => {
    const waiting = waitingCount();
    document.title = shellText.title(waiting, pageTitle.value, hubName());
  });
  effect(() => {
    if (known.value !== undefined) showBadge(known.value);
  });
  effect(() => showIcon(waitingCount() > 0));
}

// Only where installed apps have badges; silent elsewhere.
function showBadge(waiting: number): void {
  if (!("setAppBadge" in navigator)) return;
  void (waiting === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(waiting)).catch(() => undefined);
}

function showIcon(isLit: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon === null) return;
  const style = getComputedStyle(document.documentElement);
  icon.href = isLit ? lit(style.getPropertyValue("--text"), style.getPropertyValue("--lamp")) : "icon.svg";
}

// The mark with its middle lit, in the colours of the theme.
function lit(ink: string, lamp: string): string {
  const drawing = [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">',
    `<g fill="${ink}"><circle cx="50" cy="14" r="13"/><circle cx="82" cy="70" r="13"/><circle cx="18" cy="70" r="13"/></g>`,
    `<circle cx="50" cy="51" r="24" fill="${lamp}"/></svg>`,
  ].join("");
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}

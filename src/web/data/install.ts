// Installing the app (web-app.md 6.16): the browser offers it early and once, so the offer is kept for a press.
import { type ReadonlySignal, signal } from "@preact/signals";

/** Not in the DOM library, since not every browser has it. */
type Offer = Event & { prompt(): Promise<unknown> };

const offer = signal<Offer | undefined>(undefined);
const installed = signal(matchMedia("(display-mode: standalone)").matches);

/** Opens the browser's own question; undefined while it offers none. */
export function installAct(): (() => void) | undefined {
  const given = offer.value;
  if (given === undefined) return undefined;
  return () => {
    // One press each: whoever says no may be offered it again.
    offer.value = undefined;
    void given.prompt(); // what came of it, the browser tells
  };
}

export const isInstalled: ReadonlySignal<boolean> = installed;

export function watchInstall(): void {
  globalThis.addEventListener("beforeinstallprompt", (event) => {
    // Shown where the app offers it instead.
    event.preventDefault();
    offer.value = event as Offer; // what events of this name are
  });
  globalThis.addEventListener("appinstalled", () => {
    offer.value = undefined;
    installed.value = true;
  });
}

export type InstallWay = "https" | "share" | "menu" | "dock" | "bar";

/** How it is installed by hand on this device. */
export function installWay(): InstallWay {
  if (!isSecureContext) return "https";
  const { userAgent, maxTouchPoints } = navigator;
  const isMac = /Macintosh/.test(userAgent);
  if (/iPhone|iPad|iPod/.test(userAgent) || (isMac && maxTouchPoints > 1)) return "share";
  if (/Android/.test(userAgent)) return "menu";
  return isMac && !/Chrome|Firefox/.test(userAgent) ? "dock" : "bar";
}

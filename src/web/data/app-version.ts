// Whether the hub has a newer app than the one that runs (web-app.md 2.10). The app never reloads by itself.
import { type ReadonlySignal, signal } from "@preact/signals";
import { addressOf, ownBuild } from "./scope.ts";
import { trustedScript } from "./trusted-script.ts";

const newer = signal(false);
const hubIsNewer = signal(false);
let registration: ServiceWorkerRegistration | undefined;
let isChecking = false;

/** A newer app is at hand and waits for a press. */
export const hasNewerApp: ReadonlySignal<boolean> = newer;
/** The hub was replaced, so a call this app does not understand may be its age. */
export const hasNewerHub: ReadonlySignal<boolean> = hubIsNewer;

/** @param build `X-Hub-Build` of any answer */
export function noteBuild(build: string | null): void {
  if (build === null || ownBuild === "") return;
  hubIsNewer.value = build !== ownBuild;
  if (!hubIsNewer.value || isChecking || newer.value) return;
  isChecking = true;
  void lookForNewer().finally(() => {
    isChecking = false;
  });
}

/** Starts the worker where there is one; after the first paint, since nothing on screen needs it. */
export async function startWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    registration = await navigator.serviceWorker.register(trustedScript("sw.js"), { scope: addressOf("") });
  } catch {
    return; // no offline use then; everything else works
  }
  if (registration.waiting !== null && navigator.serviceWorker.controller !== null) newer.value = true;
  registration.addEventListener("updatefound", () => {
    const installing = registration?.installing ?? null;
    installing?.addEventListener("statechange", () => {
      // Without a controller it is the first one, which is this very app.
      if (installing.state === "installed" && navigator.serviceWorker.controller !== null) newer.value = true;
    });
  });
}

/** Changes to the newer app; the one press that reloads. */
export async function takeNewerApp(): Promise<void> {
  const waiting = registration?.waiting ?? null;
  if (waiting === null) return location.reload();
  const changed = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
  });
  waiting.postMessage("use");
  await changed;
  location.reload();
}

async function lookForNewer(): Promise<void> {
  // Without a worker the document itself is asked for anew on a reload.
  if (registration === undefined) newer.value = true;
  else await registration.update().catch(() => undefined); // the hub may be gone again; the next answer asks anew
}

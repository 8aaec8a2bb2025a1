// Whether this device shows notifications (web-app.md 8): what the browser allows and what the operator wants of it. The
// browser is asked only by a press.
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { notifications } from "../data/preferences.ts";

export type NotificationState = "insecure" | "unsupported" | "unasked" | "blocked" | "off" | "on";

const isSupported = "Notification" in globalThis && "serviceWorker" in navigator;
const permission = signal(read());

export const notificationState: ReadonlySignal<NotificationState> = computed(() => {
  if (!isSecureContext) return "insecure";
  if (!isSupported) return "unsupported";
  if (permission.value === "denied") return "blocked";
  // Read first, since whoever is not asked yet may want them all the same.
  const wanted = notifications.value;
  return permission.value === "granted" ? wanted : "unasked";
});

/** Switches them on; where the browser was not asked yet, it asks now. */
export async function turnOn(): Promise<void> {
  await Notification.requestPermission();
  notifications.value = "on";
  checkPermission();
}

/** The operator may have changed it in the browser's own settings, or in another tab. */
export function checkPermission(): void {
  permission.value = read();
}

function read(): NotificationPermission {
  return isSupported ? Notification.permission : "default";
}

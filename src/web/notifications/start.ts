// Notifications as the app's start needs them: the part that raises them is loaded once they are on, and a press on one
// brings the open app to its item.
import { effect, untracked } from "@preact/signals";
import { isObject } from "../../shared/json.ts";
import { token } from "../data/token.ts";
import { go } from "../shell/router.ts";
import { checkPermission, notificationState } from "./permission.ts";

export function startNotifications(): void {
  let running: AbortController | undefined;
  effect(() => {
    const isOn = token.value !== undefined && notificationState.value === "on";
    untracked(() => {
      running?.abort();
      running = isOn ? new AbortController() : undefined;
      if (running !== undefined) void raise(running.signal); // runs as long as they are on
    });
  });
  document.addEventListener("visibilitychange", checkPermission);
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (isObject(data) && data["type"] === "open" && typeof data["route"] === "string") go(data["route"]);
  });
}

async function raise(ended: AbortSignal): Promise<void> {
  // Without this build's chunk there are none until the app is loaded anew, which its bar offers.
  const loaded = await import("./notifier.ts").catch(() => undefined);
  if (!ended.aborted) loaded?.startNotifier(ended);
}

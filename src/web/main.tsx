// Where the app starts: what must come before the first paint, then the frame, then what can wait.
import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { startWorker } from "./data/app-version.ts";
import { watchInstall } from "./data/install.ts";
import { startLive } from "./data/live.ts";
import { forgetResources } from "./data/resource.ts";
import { followSignOut, loseSession } from "./data/session.ts";
import { token } from "./data/token.ts";
import { startNotifications } from "./notifications/start.ts";
import { removeOfferedToken } from "./screens/connect/offered-token.ts";
import { App } from "./shell/app.tsx";
import { startKeys } from "./shell/keys.ts";
import { startLamp } from "./shell/lamp.ts";
import { startRouter } from "./shell/router.ts";
import { startTheme } from "./shell/theme.ts";
import { watchKeyboard } from "./shell/touch-keyboard.ts";

watchInstall();
startRouter(removeOfferedToken);
startTheme();
startKeys();
startLamp();
watchKeyboard();
followSignOut();

const root = document.getElementById("app");
if (root !== null) {
  // The skeleton of the document stood in for what is rendered now.
  root.replaceChildren();
  render(<App />, root);
}

let live: AbortController | undefined;
effect(() => {
  const given = token.value;
  // What starting reads is no reason to start again.
  untracked(() => {
    live?.abort();
    if (given === undefined) return forgetResources();
    live = new AbortController();
    void startLive({ token: given, signal: live.signal, onRefused: loseSession }); // runs as long as the page
  });
});

startNotifications();
void startWorker(); // nothing on screen waits for it

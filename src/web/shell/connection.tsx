// How the app hears from the hub, in words: quiet when all is well, a bar under the header when not.
import { hasNewerApp, takeNewerApp } from "../data/app-version.ts";
import { type Link, link } from "../data/live.ts";
import { isTokenRefused, loseSession } from "../data/session.ts";
import { Button } from "../parts/button.tsx";
import { shellText } from "../text/en-shell.ts";
import { clockTime } from "../text/time.ts";

function linkWords({ kind, sinceMs }: Link): string {
  switch (kind) {
    case "live":
      return shellText.live;
    case "polling":
      return shellText.polling;
    case "reconnecting":
      return shellText.reconnecting;
    case "offline":
      return shellText.offlineSince(clockTime(sinceMs));
    case "restarting":
      return shellText.restarting;
    case "starting":
      return shellText.starting;
  }
}

/** `data-link` is the state, for whoever must wait for it. */
export function ConnectionLine() {
  return (
    <p class="connection note faint" data-link={link.value.kind}>
      {linkWords(link.value)}
    </p>
  );
}

export function Bars() {
  const { kind } = link.value;
  const isQuiet = kind === "live" || kind === "starting";
  return (
    <div class="bars">
      {isQuiet ? null : (
        <p class="bar thin" role="status">
          {linkWords(link.value)}
        </p>
      )}
      {isTokenRefused.value ? (
        <p class="bar" role="alert" data-refused>
          <span>{shellText.tokenRefused}</span>
          <Button look="quiet" onClick={loseSession}>
            {shellText.signInAgain}
          </Button>
        </p>
      ) : null}
      {hasNewerApp.value ? (
        <p class="bar" role="status" data-update>
          <span>{shellText.newerApp}</span>
          <Button look="quiet" onClick={() => void takeNewerApp()}>
            {shellText.useIt}
          </Button>
        </p>
      ) : null}
    </div>
  );
}

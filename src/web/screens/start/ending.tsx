// All of first run is done: where to go on, and what else this device can have (web-app.md 7).
import { useRef, useState } from "preact/hooks";
import { installAct } from "../../data/install.ts";
import { notificationState, turnOn } from "../../notifications/permission.ts";
import { Button } from "../../parts/button.tsx";
import { startText } from "../../text/en-start.ts";
import { useFocusHeir } from "../agents/use-focus-heir.ts";
import { PhoneCode } from "./phone-code.tsx";

export function Ending() {
  const extras = useRef<HTMLUListElement>(null);
  useFocusHeir(extras, `${notificationState.value} ${installAct() === undefined}`);
  return (
    <>
      <p>{startText.workingSentence}</p>
      <div class="control-line">
        <a class="button solid" href="#/inbox">
          {startText.openInbox}
        </a>
        <a class="button outline" href="#/start?step=agent">
          {startText.another}
        </a>
      </div>
      <ul ref={extras} class="extras" aria-label={startText.extras}>
        <Notified />
        <Install />
        <OnPhone />
      </ul>
    </>
  );
}

// Asked of the browser by this press alone; what it answered stays in the button's place.
function Notified() {
  const [isPressed, setPressed] = useState(false);
  const state = notificationState.value;
  if (state === "insecure" || state === "unsupported") return null;
  function press(): void {
    setPressed(true);
    void turnOn().finally(() => setPressed(false)); // its outcome is the state
  }
  return (
    <li class="extra">
      {state === "on" || state === "blocked" ? null : (
        <Button glyph="bell" isBusy={isPressed} onClick={press}>
          {startText.notified}
        </Button>
      )}
      <p class="note soft" role="status">
        {startText.notifiedStates[state]}
      </p>
    </li>
  );
}

function Install() {
  const install = installAct();
  if (install === undefined) return null;
  return (
    <li class="extra">
      <Button glyph="download" onClick={install}>
        {startText.install}
      </Button>
      <p class="note soft">{startText.installSentence}</p>
    </li>
  );
}

function OnPhone() {
  const [isShown, setShown] = useState(false);
  return (
    <li class="extra">
      <Button glyph="phone" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? startText.phoneHide : startText.phone}
      </Button>
      <p class="note soft">{startText.phoneSentence}</p>
      {isShown ? <PhoneCode /> : null}
    </li>
  );
}

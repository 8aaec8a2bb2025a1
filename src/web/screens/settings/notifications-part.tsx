// Notifications of this device (web-app.md 8): whether they are on, in words, and what they may say, and when.
import { useRef, useState } from "preact/hooks";
import { notifications, notificationText, quietFrom, quietHours, quietTo, reminders } from "../../data/preferences.ts";
import { showTest } from "../../notifications/notices.ts";
import { checkPermission, notificationState, turnOn } from "../../notifications/permission.ts";
import { Button } from "../../parts/button.tsx";
import { Switch } from "../../parts/switch.tsx";
import { notifyText } from "../../text/en-notifications.ts";
import { useFocusHeir } from "../agents/use-focus-heir.ts";
import { Setting, SwitchSetting, TimeField } from "./setting.tsx";

export function NotificationsPart() {
  const state = notificationState.value;
  const part = useRef<HTMLDivElement>(null);
  useFocusHeir(part, state);
  const isPossible = state === "on" || state === "off" || state === "unasked";
  function turn(to: boolean): void {
    if (to)
      void turnOn(); // what the browser answered is the state
    else notifications.value = "off";
  }
  return (
    <>
      <div ref={part}>
        <Setting name={notifyText.device} hint={notifyText.stateHints[state]}>
          <Switch
            label={notifyText.deviceSwitch}
            isOn={state === "on"}
            reason={isPossible ? undefined : notifyText.states[state]}
            onTurn={turn}
          />
          <output class="status-words" data-notifications={state}>
            {notifyText.states[state]}
          </output>
          {state === "blocked" ? (
            <Button look="quiet" onClick={checkPermission}>
              {notifyText.checkAgain}
            </Button>
          ) : null}
          {state === "on" ? <Test /> : null}
        </Setting>
      </div>
      {isPossible ? <Choices /> : null}
      <Setting name={notifyText.sent}>
        <p class="note faint">{notifyText.sentWords}</p>
      </Setting>
    </>
  );
}

function Choices() {
  return (
    <>
      <SwitchSetting name={notifyText.words} hint={notifyText.wordsHint} choice={notificationText} />
      <SwitchSetting name={notifyText.reminder} hint={notifyText.reminderHint} choice={reminders} />
      <SwitchSetting name={notifyText.quiet} hint={notifyText.quietHint} choice={quietHours}>
        {quietHours.value === "on" ? (
          <>
            <TimeField label={notifyText.quietFrom} choice={quietFrom} />
            <TimeField label={notifyText.quietTo} choice={quietTo} />
          </>
        ) : null}
      </SwitchSetting>
    </>
  );
}

function Test() {
  const [outcome, setOutcome] = useState("");
  async function test(): Promise<void> {
    setOutcome((await showTest()) ? notifyText.testShown : notifyText.testFailed);
  }
  return (
    <>
      <Button look="quiet" glyph="bell" onClick={() => void test() /* shown beside it */}>
        {notifyText.test}
      </Button>
      <output class="note faint">{outcome}</output>
    </>
  );
}

// Settings: choices of this device, each applied at once, and what the hub can send (web-app.md 6.16). Works without the
// hub, but for what is the hub's own.
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import {
  density,
  holdSeconds,
  inboxSort,
  shortcuts,
  textSize,
  textSizes,
  theme,
  undoMessages,
} from "../../data/preferences.ts";
import { isTokenLasting, keepToken, token } from "../../data/token.ts";
import { Button } from "../../parts/button.tsx";
import { SplitChoice } from "../../parts/split-choice.tsx";
import { tellProblem } from "../../parts/toasts.ts";
import { isKeyListShown } from "../../shell/key-list.tsx";
import { PlainScreen } from "../../shell/screen.tsx";
import { SignOutButton } from "../../shell/sign-out.tsx";
import { settingsText } from "../../text/en-settings.ts";
import { DraftsSetting } from "./drafts-setting.tsx";
import { InstallSetting } from "./install-setting.tsx";
import { NotificationsPart } from "./notifications-part.tsx";
import { NudgePart } from "./nudge-part.tsx";
import { SelectSetting, Setting } from "./setting.tsx";

export function Settings() {
  return (
    <PlainScreen title={settingsText.title}>
      <div class="choices">
        <DevicePart />
        <Part title={settingsText.notifications}>
          <NotificationsPart />
          <h3>{settingsText.nudge}</h3>
          <NudgePart />
        </Part>
        <Part title={settingsText.hub}>
          <ul class="link-rows">
            <li>
              <a href="#/agents">{settingsText.agents}</a>
            </li>
            <li>
              <a href="#/hub">{settingsText.about}</a>
            </li>
          </ul>
        </Part>
        <Part title={settingsText.session}>
          <div>
            <SignOutButton />
          </div>
        </Part>
      </div>
    </PlainScreen>
  );
}

function DevicePart() {
  const hasFinePointer = matchMedia("(pointer: fine)").matches;
  return (
    <Part title={settingsText.device}>
      <Split name={settingsText.theme} choice={theme} words={settingsText.themes} />
      {hasFinePointer ? <Split name={settingsText.density} choice={density} words={settingsText.densities} /> : null}
      <SelectSetting
        name={settingsText.textSize}
        value={textSize.value}
        choices={textSizes.map((value) => ({ value, words: settingsText.percent(value) }))}
        onChoose={set(textSize)}
      />
      <SelectSetting
        name={settingsText.hold}
        hint={settingsText.holdHint}
        value={holdSeconds.value}
        choices={(["5", "10", "20", "0", "ask"] as const).map((value) => ({ value, words: settingsText.holds[value] }))}
        onChoose={set(holdSeconds)}
      />
      <Split name={settingsText.undo} choice={undoMessages} words={settingsText.undos} />
      <Split name={settingsText.shortcuts} choice={shortcuts} words={settingsText.shortcutChoices}>
        <Button
          look="quiet"
          glyph="keyboard"
          aria-haspopup="dialog"
          onClick={() => {
            isKeyListShown.value = true;
          }}
        >
          {settingsText.showKeys}
        </Button>
      </Split>
      <Split name={settingsText.sort} choice={inboxSort} words={settingsText.sorts} />
      <KeepConnected />
      <DraftsSetting />
      <InstallSetting />
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="choices-part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

type SplitProps<T extends string> = {
  name: string;
  choice: Signal<T>;
  words: Record<T, string>;
  children?: ComponentChildren;
};

function Split<T extends string>({ name, choice, words, children }: SplitProps<T>) {
  // The keys of a record of all choices are the choices.
  const choices = (Object.keys(words) as T[]).map((value) => ({ value, words: words[value] }));
  return (
    <Setting name={name}>
      <SplitChoice label={name} value={choice.value} choices={choices} onChoose={set(choice)} />
      {children}
    </Setting>
  );
}

function set<T extends string>(choice: Signal<T>): (value: T) => void {
  return (value) => {
    choice.value = value;
  };
}

function KeepConnected() {
  const [isLasting, setLasting] = useState(isTokenLasting);
  function keep(isWanted: boolean): void {
    const held = token.peek();
    setLasting(isWanted);
    if (held !== undefined && !keepToken(held, isWanted)) tellProblem(settingsText.notKept);
  }
  return (
    <Setting name={settingsText.connected}>
      <label class="check">
        <input type="checkbox" checked={isLasting} onChange={(event) => keep(event.currentTarget.checked)} />
        {settingsText.connectedOn}
      </label>
    </Setting>
  );
}

// Installing the app: by a press where the browser offers it, else how it is done on this device.
import { useRef } from "preact/hooks";
import { installAct, installWay, isInstalled } from "../../data/install.ts";
import { Button } from "../../parts/button.tsx";
import { settingsText } from "../../text/en-settings.ts";
import { useFocusHeir } from "../agents/use-focus-heir.ts";
import { Setting } from "./setting.tsx";

export function InstallSetting() {
  const part = useRef<HTMLDivElement>(null);
  const install = installAct();
  useFocusHeir(part, install === undefined);
  return (
    <div ref={part}>
      <Setting name={settingsText.install}>
        {install === undefined ? (
          <p class="note faint" tabIndex={-1}>
            {isInstalled.value ? settingsText.installed : settingsText.installWays[installWay()]}
          </p>
        ) : (
          <Button glyph="download" onClick={install}>
            {settingsText.installDo}
          </Button>
        )}
      </Setting>
    </div>
  );
}

// Installing the app: by a press where the browser offers it, else how it is done on this device.
import { installAct, installWay, isInstalled } from "../../data/install.ts";
import { Button } from "../../parts/button.tsx";
import { settingsText } from "../../text/en-settings.ts";
import { Setting } from "./setting.tsx";

export function InstallSetting() {
  const install = installAct();
  return (
    <Setting name={settingsText.install}>
      {install === undefined ? (
        <p class="note faint">{isInstalled.value ? settingsText.installed : settingsText.installWays[installWay()]}</p>
      ) : (
        <Button glyph="download" onClick={install}>
          {settingsText.installDo}
        </Button>
      )}
    </Setting>
  );
}

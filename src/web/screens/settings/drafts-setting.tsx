// How many drafts this device keeps, and a way to be rid of them all.
import { useEffect, useState } from "preact/hooks";
import { countRecords } from "../../data/database.ts";
import { clearDrafts } from "../../data/drafts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { note } from "../../parts/toasts.ts";
import { settingsText } from "../../text/en-settings.ts";
import { Setting } from "./setting.tsx";

export function DraftsSetting() {
  const [drafts, setDrafts] = useState(0);
  const [isAsked, setAsked] = useState(false);
  const recount = (): void => void countRecords("drafts").then(setDrafts); // shown when it is known
  useEffect(recount, []);
  async function clear(): Promise<void> {
    await clearDrafts();
    setAsked(false);
    setDrafts(0);
    note(settingsText.cleared);
  }
  return (
    <Setting name={settingsText.drafts}>
      <div>
        <Button
          aria-haspopup="dialog"
          reason={drafts === 0 ? settingsText.noDrafts : undefined}
          onClick={() => setAsked(true)}
        >
          {settingsText.clearDrafts}
        </Button>
      </div>
      {drafts === 0 ? <p class="note faint">{settingsText.noDrafts}</p> : null}
      {isAsked ? (
        <Dialog
          title={settingsText.clearAsk}
          onClose={() => setAsked(false)}
          foot={
            <>
              <Button autofocus onClick={() => setAsked(false)}>
                {settingsText.keepDrafts}
              </Button>
              <Button look="destroy" onClick={() => void clear() /* its note tells */}>
                {settingsText.clearDrafts}
              </Button>
            </>
          }
        >
          <p>{settingsText.clearWords(drafts)}</p>
        </Dialog>
      ) : null}
    </Setting>
  );
}

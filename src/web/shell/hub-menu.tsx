// What belongs to this device and this hub, behind the hub's name: theme, keys, signing out.
import { useState } from "preact/hooks";
import { countRecords } from "../data/database.ts";
import { shortcuts, type Theme, theme } from "../data/preferences.ts";
import { signOut } from "../data/session.ts";
import { Glyph } from "../glyphs/glyph.tsx";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Menu, type MenuEntry } from "../parts/menu.tsx";
import { shellText } from "../text/en-shell.ts";
import { isKeyListShown } from "./key-list.tsx";
import { areShortcutsOn } from "./keys.ts";
import { hubName } from "./lamp.ts";

const themes: readonly { choice: Theme; words: string }[] = [
  { choice: "device", words: shellText.themeDevice },
  { choice: "light", words: shellText.themeLight },
  { choice: "dark", words: shellText.themeDark },
];

export function HubMenu() {
  const [anchor, setAnchor] = useState<HTMLElement | undefined>(undefined);
  const [drafts, setDrafts] = useState<number | undefined>(undefined);
  const entries: MenuEntry[] = [
    ...themes.map(({ choice, words }) => ({
      words,
      isChecked: theme.value === choice,
      onChoose: () => {
        theme.value = choice;
      },
    })),
    {
      words: areShortcutsOn.value ? shellText.shortcutsOff : shellText.shortcutsOn,
      glyph: "keyboard",
      onChoose: () => {
        shortcuts.value = areShortcutsOn.value ? "off" : "on";
      },
    },
    {
      words: shellText.showKeys,
      meta: "?",
      onChoose: () => {
        isKeyListShown.value = true;
      },
    },
    // The dialog says what goes, so it is counted first.
    { words: shellText.signOut, onChoose: () => void countRecords("drafts").then(setDrafts) },
  ];
  return (
    <>
      <button
        type="button"
        class="hub-menu"
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        aria-label={shellText.hubMenu(hubName())}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Glyph name="hub" />
        <span class="place-word theirs">{hubName()}</span>
      </button>
      {anchor === undefined ? null : (
        <Menu
          label={shellText.hubMenu(hubName())}
          anchor={anchor}
          entries={entries}
          onClose={() => setAnchor(undefined)}
        />
      )}
      {drafts === undefined ? null : <SignOut drafts={drafts} onStay={() => setDrafts(undefined)} />}
    </>
  );
}

function SignOut({ drafts, onStay }: { drafts: number; onStay: () => void }) {
  const foot = (
    <>
      <Button autofocus onClick={onStay}>
        {shellText.stay}
      </Button>
      <Button look="destroy" onClick={() => void signOut()}>
        {shellText.signOut}
      </Button>
    </>
  );
  return (
    <Dialog title={shellText.signOutAsk} onClose={onStay} foot={foot}>
      <p>{shellText.signOutWords(drafts)}</p>
    </Dialog>
  );
}

// The keys that do something right now, each with its words: what `?` opens.
import { signal } from "@preact/signals";
import { Dialog } from "../parts/dialog.tsx";
import { Kbd } from "../parts/kbd.tsx";
import { shellText } from "../text/en-shell.ts";
import { activeKeys } from "./keys.ts";

export const isKeyListShown = signal(false);

export function KeyList() {
  if (!isKeyListShown.value) return null;
  return (
    <Dialog
      title={shellText.keysTitle}
      shape="sheet"
      onClose={() => {
        isKeyListShown.value = false;
      }}
    >
      <dl class="key-list">
        {activeKeys().map(({ keys, words }) => (
          <div key={keys} data-key={keys}>
            <dt>
              <Kbd>{keys}</Kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

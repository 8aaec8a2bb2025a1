// Signing out: asked, since this device then forgets what it holds, drafts by their number.
import { useEffect, useState } from "preact/hooks";
import { countRecords } from "../data/database.ts";
import { signOut } from "../data/session.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { shellText } from "../text/en-shell.ts";

export function SignOutButton() {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setAsked(true)}>
        {shellText.signOut}
      </Button>
      {isAsked ? <SignOut onStay={() => setAsked(false)} /> : null}
    </>
  );
}

function SignOut({ onStay }: { onStay: () => void }) {
  const [drafts, setDrafts] = useState<number | undefined>(undefined);
  useEffect(() => void countRecords("drafts").then(setDrafts), []); // until then nothing can be pressed but the way back
  const foot = (
    <>
      <Button autofocus onClick={onStay}>
        {shellText.stay}
      </Button>
      <Button look="destroy" isBusy={drafts === undefined} onClick={() => void signOut()}>
        {shellText.signOut}
      </Button>
    </>
  );
  return (
    <Dialog title={shellText.signOutAsk} onClose={onStay} foot={foot}>
      <p>{drafts === undefined ? null : shellText.signOutWords(drafts)}</p>
    </Dialog>
  );
}

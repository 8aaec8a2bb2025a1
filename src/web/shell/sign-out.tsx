// Signing out: asked, since this device then forgets what it holds, drafts by their number.
import { useState } from "preact/hooks";
import { countRecords } from "../data/database.ts";
import { signOut } from "../data/session.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { shellText } from "../text/en-shell.ts";

export function SignOutButton() {
  const [drafts, setDrafts] = useState<number | undefined>(undefined);
  return (
    <>
      {/* The dialog says what goes, so it is counted first. */}
      <Button aria-haspopup="dialog" onClick={() => void countRecords("drafts").then(setDrafts)}>
        {shellText.signOut}
      </Button>
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

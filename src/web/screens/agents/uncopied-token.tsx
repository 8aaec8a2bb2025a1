// A token that nobody copied yet is asked about before the screen that shows it is left: it is not shown again.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { nameOfActor } from "../../items/agents.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { parseRoute } from "../../shell/route.ts";
import { go, guardLeaving } from "../../shell/router.ts";
import { agentsText } from "../../text/en-agents.ts";
import { forgetToken, freshToken } from "./fresh-token.ts";

export function UncopiedToken() {
  const [wanted, setWanted] = useState<string | undefined>(undefined);
  const unguard = useRef<() => void>(() => undefined);
  const fresh = freshToken.value;
  const isAtRisk = fresh !== undefined && !fresh.isCopied;
  useLayoutEffect(() => {
    if (!isAtRisk) return;
    const letGo = guardLeaving({
      // Another agent's page is part of this screen, which keeps the token.
      isUnsaved: (to) => to === undefined || parseRoute(to).segments[0] !== "agents",
      ask: setWanted,
    });
    unguard.current = letGo;
    return letGo;
  }, [isAtRisk]);
  if (wanted === undefined || fresh === undefined) return null;
  const stay = (): void => setWanted(undefined);
  return (
    <Dialog
      title={agentsText.leaveAsk}
      onClose={stay}
      foot={
        <>
          <Button autofocus onClick={stay}>
            {agentsText.stay}
          </Button>
          <Button
            look="destroy"
            onClick={() => {
              unguard.current();
              forgetToken();
              go(wanted);
            }}
          >
            {agentsText.leaveDo}
          </Button>
        </>
      }
    >
      <p>{agentsText.leaveSentence(nameOfActor(fresh.agent))}</p>
    </Dialog>
  );
}

// An agent's token: shown once when it is made, replaced and revoked only when asked (web-app.md 6.17).
import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentView } from "../../../shared/views.ts";
import { call } from "../../data/call.ts";
import { agentList } from "../../items/agents.ts";
import { Button } from "../../parts/button.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { note } from "../../parts/toasts.ts";
import { agentsText } from "../../text/en-agents.ts";
import { Ask } from "./ask.tsx";
import { forgetToken, makeToken, noteCopied, tokenOf } from "./fresh-token.ts";
import { Refusal } from "./refusal.tsx";
import { useAct } from "./use-act.ts";
import { useFocusHeir } from "./use-focus-heir.ts";

export function TokenPart({ agent }: { agent: AgentView }) {
  const [asked, setAsked] = useState<"replace" | "revoke" | undefined>(undefined);
  const issuing = useAct();
  const token = tokenOf(agent.id);
  const close = (): void => setAsked(undefined);
  async function issue(): Promise<void> {
    await makeToken(agent.id);
    void agentList().refresh(); // its state tells
  }
  async function revoke(): Promise<void> {
    await call("revokeToken", { params: { id: agent.id } });
    if (token !== undefined) forgetToken();
    note(agentsText.revoked(agent.display_name));
    void agentList().refresh(); // its state tells
  }
  const controls = useRef<HTMLDivElement>(null);
  useFocusHeir(controls, agent.token_live);
  // What stands beside the buttons is of this agent.
  useEffect(() => issuing.clear(), [agent.id]);
  return (
    <>
      {token === undefined ? (
        <p class="soft">{agent.token_live ? agentsText.tokenLive : agentsText.tokenNone}</p>
      ) : (
        <>
          <CopyField label={agentsText.tokenIs} value={token} onCopied={noteCopied} />
          <p class="note faint">{agentsText.tokenOnce}</p>
        </>
      )}
      <div ref={controls} class="control-line">
        {agent.token_live ? (
          <>
            <Button glyph="key" aria-haspopup="dialog" onClick={() => setAsked("replace")}>
              {agentsText.replace}
            </Button>
            <Button look="quiet" aria-haspopup="dialog" onClick={() => setAsked("revoke")}>
              {agentsText.revoke}
            </Button>
          </>
        ) : (
          <Button glyph="key" isBusy={issuing.isBusy} onClick={() => issuing.run(issue)}>
            {agentsText.issue}
          </Button>
        )}
      </div>
      <Refusal words={issuing.refusal} />
      {asked === "replace" ? (
        <Ask
          title={agentsText.replaceAsk(agent.display_name)}
          sentence={agentsText.replaceSentence}
          safe={agentsText.keepToken}
          act={agentsText.replace}
          run={issue}
          onClose={close}
        />
      ) : null}
      {asked === "revoke" ? (
        <Ask
          title={agentsText.revokeAsk(agent.display_name)}
          sentence={agentsText.revokeSentence}
          safe={agentsText.keepToken}
          act={agentsText.revokeDo}
          run={revoke}
          onClose={close}
        />
      ) : null}
    </>
  );
}

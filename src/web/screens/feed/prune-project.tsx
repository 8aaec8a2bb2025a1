// Pruning the ended sessions of a project: reviewed by name and size first, then undone for as long as the hub allows it
// (web-app.md 4.5).
import { useState } from "preact/hooks";
import type { PrunedSessionsView } from "../../../shared/views.ts";
import { call } from "../../data/call.ts";
import { CallFailed, noAnswer } from "../../data/call-failed.ts";
import { hubNow } from "../../data/clock.ts";
import { projectSessionsSpec } from "../../data/project-content.ts";
import { useResource } from "../../data/resource.ts";
import { nameOfActor } from "../../items/agents.ts";
import { isOffline } from "../../items/holds.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { note, offerUndo, tellProblem } from "../../parts/toasts.ts";
import { wordsOf } from "../../shell/load-states.tsx";
import { bytes } from "../../text/bytes.ts";
import { feedText } from "../../text/en-feed.ts";
import { itemText } from "../../text/en-items.ts";

const { prune } = feedText;
const namedMost = 8;

type PruneProps = { id: string; sessions: number; freed: number };

export function PruneProject({ id, sessions, freed }: PruneProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <p class="num">{prune.offer(sessions, freed)}</p>
      <div>
        <Button
          aria-haspopup="dialog"
          reason={isOffline() ? itemText.offline : undefined}
          onClick={() => setAsked(true)}
        >
          {prune.review}
        </Button>
      </div>
      {isAsked ? <Review id={id} sessions={sessions} freed={freed} onClose={() => setAsked(false)} /> : null}
    </>
  );
}

function Review({ id, sessions, freed, onClose }: PruneProps & { onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const ended = (useResource(projectSessionsSpec(id)).value.value?.sessions ?? []).filter(
    ({ status }) => status === "ended",
  );
  async function run(): Promise<void> {
    setBusy(true);
    try {
      const pruned = await call("pruneProjectSessions", { params: { id } });
      offerWayBack(pruned);
    } catch (error) {
      tellFailure(error);
    }
    onClose();
  }
  return (
    <Dialog
      title={prune.ask(sessions)}
      isBusy={isBusy}
      onClose={onClose}
      foot={
        <>
          <Button autofocus onClick={onClose}>
            {prune.keep}
          </Button>
          <Button look="destroy" isBusy={isBusy} onClick={() => void run() /* its message tells */}>
            {prune.run(sessions)}
          </Button>
        </>
      }
    >
      <p>{prune.means(freed)}</p>
      <ul class="context-lines">
        {ended.slice(0, namedMost).map((session) => (
          <li key={session.id}>
            <p>
              <bdi>{session.session_name}</bdi>
              <span class="note faint">
                <bdi>{nameOfActor(session.agent)}</bdi>
              </span>
            </p>
            <span class="note num">{bytes(session.brain_bytes)}</span>
          </li>
        ))}
      </ul>
      {ended.length <= namedMost ? null : <p class="note faint num">{prune.more(ended.length - namedMost)}</p>}
    </Dialog>
  );
}

function offerWayBack({ sessions, undo_expires_at: until }: PrunedSessionsView): void {
  if (sessions.length === 0) {
    note(prune.nothing);
    return;
  }
  offerUndo(prune.done(sessions.length), () => void restore(sessions) /* its message tells */, {
    leftMs: Date.parse(until) - hubNow(),
    isServerWindow: true,
  });
}

async function restore(sessions: PrunedSessionsView["sessions"]): Promise<void> {
  try {
    for (const { undo_token: token } of sessions) await call("undoPrune", { params: { token } });
  } catch (error) {
    tellFailure(error);
  }
}

function tellFailure(error: unknown): void {
  tellProblem(wordsOf(error instanceof CallFailed ? error : noAnswer(error)));
}

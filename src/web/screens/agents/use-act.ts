// One write of the operator's: busy while it runs, refused in words, refused before anything is sent when offline.
import { useState } from "preact/hooks";
import { CallFailed, noAnswer } from "../../data/call-failed.ts";
import { isOffline } from "../../items/holds.ts";
import { wordsOf } from "../../shell/load-states.tsx";
import { agentsText } from "../../text/en-agents.ts";

export type Act = {
  isBusy: boolean;
  refusal: string | undefined;
  /** Runs it unless one runs already; what follows success belongs into `work`. */
  run(work: () => Promise<unknown>): void;
  clear(): void;
};

export function useAct(): Act {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  async function act(work: () => Promise<unknown>): Promise<void> {
    if (isBusy) return;
    if (isOffline()) return setRefusal(agentsText.offline);
    setBusy(true);
    setRefusal(undefined);
    try {
      await work();
    } catch (error) {
      setRefusal(wordsOf(error instanceof CallFailed ? error : noAnswer(error)));
    }
    setBusy(false);
  }
  // What became of it is its state.
  return { isBusy, refusal, run: (work) => void act(work), clear: () => setRefusal(undefined) };
}

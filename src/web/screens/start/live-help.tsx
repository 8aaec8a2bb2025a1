// Help that unfolds by itself when nothing comes: what the hub has seen, and what to look at (web-app.md 7).
import { useRef } from "preact/hooks";
import { isLoopback, listTools } from "../../../shared/snippets.ts";
import type { AgentView } from "../../../shared/views.ts";
import { hubNow, secondClock } from "../../data/clock.ts";
import { agentAddresses, hubSpec } from "../../data/hub.ts";
import { useResource } from "../../data/resource.ts";
import { CodeBlock } from "../../parts/copy-field.tsx";
import { startText } from "../../text/en-start.ts";
import { ago } from "../../text/time.ts";
import { noteCopied, tokenOf } from "../agents/fresh-token.ts";
import type { Progress } from "./progress.ts";

const patienceMs = 45_000;
const secondsUntilMinutes = 60;

export function LiveHelp({ agent, progress }: { agent: AgentView; progress: Progress }) {
  const hub = useResource(hubSpec).value.value;
  const openedMs = useRef(hubNow()).current;
  const connectedMs = useRef<number | undefined>(undefined);
  if (progress.isConnected) connectedMs.current ??= hubNow();
  const nowMs = secondClock.value;
  const isLate = nowMs - (connectedMs.current ?? openedMs) > patienceMs;
  const refusedAt = hub?.refused_calls.last_at ?? null;
  // A call that was refused before this page was open may be anyone's.
  const isRefused = refusedAt !== null && Date.parse(refusedAt) > openedMs && !progress.isConnected;
  if (isRefused) {
    return (
      <p class="notice" data-help="refused">
        {startText.refused(agoInSeconds(refusedAt, nowMs))}
      </p>
    );
  }
  if (!isLate || progress.isIntroduced) return null;
  if (progress.isConnected) {
    return (
      <p class="notice" data-help="idle">
        {startText.idle}
      </p>
    );
  }
  const { mcp } = agentAddresses(hub);
  const checks = [...startText.checks, ...(isLoopback(mcp) ? [startText.checkMachine] : [])];
  const command = listTools({ mcp, token: tokenOf(agent.id) });
  return (
    <div class="notice live-help" data-help="nothing">
      <p>{startText.nothing}</p>
      <ul>
        {checks.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <p class="note">{startText.tryIt}</p>
      <CodeBlock label={startText.tryIt} text={command.text} language={command.language} onCopied={noteCopied} />
    </div>
  );
}

function agoInSeconds(at: string, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(at)) / 1000));
  return seconds < secondsUntilMinutes ? startText.secondsAgo(seconds) : ago(at, nowMs);
}

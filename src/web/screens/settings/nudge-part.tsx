// The hub's own outbound nudge: where it goes, how the last one went, and a test (web-app.md 8). It is set in the hub's
// configuration, not here.
import { useState } from "preact/hooks";
import type { HubView } from "../../../shared/views.ts";
import { call } from "../../data/call.ts";
import { CallFailed, noAnswer } from "../../data/call-failed.ts";
import { minuteClock } from "../../data/clock.ts";
import { hubSpec } from "../../data/hub.ts";
import { useResource } from "../../data/resource.ts";
import { Button } from "../../parts/button.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { LoadedContent, wordsOf } from "../../shell/load-states.tsx";
import { settingsText } from "../../text/en-settings.ts";
import { ago, fullStamp } from "../../text/time.ts";

export function NudgePart() {
  const hub = useResource(hubSpec);
  return (
    <>
      <p class="soft">{settingsText.nudgeHint}</p>
      <LoadedContent resource={hub} what={settingsText.nudgeWhat} skeleton={<Skeleton shape="prose" amount={1} />}>
        {({ notify }) =>
          notify.origin === null ? (
            <p class="notice note">{settingsText.nudgeNone}</p>
          ) : (
            <Target notify={notify} onSent={() => void hub.refresh() /* its state tells */} />
          )
        }
      </LoadedContent>
    </>
  );
}

function Target({ notify, onSent }: { notify: HubView["notify"]; onSent: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState("");
  async function test(): Promise<void> {
    setBusy(true);
    setOutcome("");
    try {
      const { delivered, error } = await call("testNudge");
      setOutcome(delivered ? settingsText.nudgeSent : settingsText.nudgeFailed(error ?? settingsText.nudgeUnknown));
      onSent();
    } catch (error) {
      setOutcome(wordsOf(error instanceof CallFailed ? error : noAnswer(error)));
    }
    setBusy(false);
  }
  const { last_result, last_at } = notify;
  return (
    <>
      <dl class="facts">
        <dt>{settingsText.nudgeTarget}</dt>
        <dd class="data theirs">{notify.origin}</dd>
        <dt>{settingsText.nudgeLast}</dt>
        {last_result === null || last_at === null ? (
          <dd>{settingsText.nudgeNever}</dd>
        ) : (
          <dd title={fullStamp(last_at)}>
            {settingsText.nudgeResult[last_result]} · {ago(last_at, minuteClock.value)}
          </dd>
        )}
      </dl>
      <div class="control-line">
        <Button glyph="bell" isBusy={isBusy} onClick={() => void test() /* shown beside it */}>
          {settingsText.nudgeTest}
        </Button>
        <p role="status" class="status-words">
          {outcome}
        </p>
      </div>
    </>
  );
}

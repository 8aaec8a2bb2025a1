// Back up now: busy while the hub copies, and it goes on copying when this page is left (rest-api.md 17).
import { signal } from "@preact/signals";
import { call } from "../../data/call.ts";
import { CallFailed, noAnswer } from "../../data/call-failed.ts";
import { Button } from "../../parts/button.tsx";
import { wordsOf } from "../../shell/load-states.tsx";
import { bytes } from "../../text/bytes.ts";
import { hubText } from "../../text/en-hub.ts";

type Backup = { phase: "idle" | "running" } | { phase: "done" | "refused"; words: string; path?: string };

// Of the page, not of the screen: leaving and coming back shows the same copy.
const state = signal<Backup>({ phase: "idle" });

export function BackupPart({ isConfigured }: { isConfigured: boolean }) {
  if (!isConfigured) return <p class="notice note">{hubText.backupNotConfigured}</p>;
  const backup = state.value;
  return (
    <div class="backup">
      <Button glyph="history" isBusy={backup.phase === "running"} onClick={() => void take() /* its state tells */}>
        {hubText.backUp}
      </Button>
      <div role="status">
        {backup.phase === "running" ? <p class="note faint">{hubText.backingUp}</p> : null}
        {backup.phase === "done" ? <p>{backup.words}</p> : null}
        {backup.phase === "done" && backup.path !== undefined ? <p class="data theirs">{backup.path}</p> : null}
      </div>
      <p class="refusal" role="alert">
        {backup.phase === "refused" ? backup.words : null}
      </p>
    </div>
  );
}

async function take(): Promise<void> {
  if (state.value.phase === "running") return;
  state.value = { phase: "running" };
  try {
    const { manifest, duration_ms, path } = await call("takeBackup");
    const words = hubText.backedUp(bytes(manifest.bytes), manifest.files, duration_ms / 1000);
    state.value = { phase: "done", words, path };
  } catch (error) {
    state.value = { phase: "refused", words: wordsOf(error instanceof CallFailed ? error : noAnswer(error)) };
  }
}

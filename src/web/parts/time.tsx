// A time as a row says it, with the whole stamp as title and accessible name; a press swaps the stamp in.
import { useState } from "preact/hooks";
import { fullStamp, rowTime } from "../text/time.ts";

export function Time({ at, nowMs }: { at: string; nowMs: number }) {
  const [isWhole, setWhole] = useState(false);
  const stamp = fullStamp(at);
  return (
    // Not a control: the stamp is in the title and in the name already, so nobody needs the press to learn it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <time
      class="time"
      dateTime={at}
      title={stamp}
      onClick={(event) => {
        event.preventDefault();
        setWhole(!isWhole);
      }}
    >
      {isWhole ? (
        stamp
      ) : (
        <>
          <span aria-hidden="true">{rowTime(at, nowMs)}</span>
          <span class="unseen-by-eye">{stamp}</span>
        </>
      )}
    </time>
  );
}

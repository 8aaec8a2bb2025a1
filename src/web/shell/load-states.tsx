// What stands in the place of content, or above it, while the hub is slow, busy, away or says no (web-app.md 5.4).
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { errorCodes } from "../../shared/errors.ts";
import { problemWords } from "../../shared/words.ts";
import { hasNewerHub } from "../data/app-version.ts";
import type { CallFailed } from "../data/call-failed.ts";
import type { Resource } from "../data/resource.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { partsText } from "../text/en-parts.ts";
import { shellText } from "../text/en-shell.ts";
import { clockTime } from "../text/time.ts";

const skeletonAfterMs = 120;
/** A skeleton that was shown stays this long, so that it never flickers. */
const skeletonForMs = 300;
const slowAfterMs = 8000;
const busySeconds = 8;

type LoadedProps<T> = {
  resource: Resource<T>;
  what: string;
  skeleton: ComponentChildren;
  parent?: { words: string; to: string };
  /** Stands in for it until it was read: the same thing, as another read had it. */
  meanwhile?: { value: T; asOfMs: number | undefined } | undefined;
  children: (value: T) => ComponentChildren;
};

export function LoadedContent<T>({ resource, what, skeleton, parent, meanwhile, children }: LoadedProps<T>) {
  const value = resource.value.value ?? meanwhile?.value;
  const state = resource.state.value;
  const shownAtMs = useRef<number | undefined>(undefined);
  const [, setTurn] = useState(0);
  const heldMs = shownAtMs.current === undefined ? 0 : shownAtMs.current + skeletonForMs - Date.now();
  const isHeld = value !== undefined && heldMs > 0;
  useEffect(() => {
    if (!isHeld) return;
    const timer = setTimeout(setTurn, heldMs, (turn: number) => turn + 1);
    return () => clearTimeout(timer);
  }, [isHeld]);
  if (state === "gone") return <Gone parent={parent} onRetry={() => void resource.refresh() /* its state tells */} />;
  if (isHeld) return <>{skeleton}</>;
  if (value === undefined) {
    const noteShown = (): void => {
      shownAtMs.current ??= Date.now();
    };
    return <Without resource={resource} what={what} skeleton={skeleton} onSkeleton={noteShown} />;
  }
  shownAtMs.current = undefined;
  return (
    <>
      <AboveContent resource={resource} asOfMs={resource.asOfMs.value ?? meanwhile?.asOfMs} />
      {children(value)}
    </>
  );
}

type WithoutProps<T> = Omit<LoadedProps<T>, "children" | "parent" | "meanwhile"> & { onSkeleton: () => void };

function Without<T>({ resource, what, skeleton, onSkeleton }: WithoutProps<T>) {
  const failed = resource.failure.value;
  const retry = (): void => void resource.refresh(); // its outcome is its state
  switch (resource.state.value) {
    case "offline":
      return (
        <Empty glyph="offline" title={shellText.needsHub} action={<Button onClick={retry}>{partsText.retry}</Button>} />
      );
    case "error":
      if (failed !== undefined && isBusy(failed)) return <Busy onRetry={retry} />;
      return (
        <Problem
          words={shellText.couldNotLoad(what)}
          detail={failed === undefined ? undefined : reasonOf(failed)}
          code={failed?.code === "" ? undefined : failed?.code}
          onRetry={retry}
        />
      );
    default:
      return <Loading skeleton={skeleton} onSkeleton={onSkeleton} onStop={resource.stop} onRetry={retry} />;
  }
}

// Shown content stays whatever happens; a line says how old it is, or that the hub will be asked again.
function AboveContent<T>({ resource, asOfMs = 0 }: { resource: Resource<T>; asOfMs: number | undefined }) {
  const state = resource.state.value;
  const failed = resource.failure.value;
  const time = clockTime(asOfMs);
  if (state !== "offline" && state !== "error") return null;
  if (failed !== undefined && isBusy(failed))
    return <Busy onRetry={() => void resource.refresh() /* its state tells */} />;
  return (
    <p class="bar above" role="status">
      <span>{state === "offline" ? shellText.offlineSnapshot(time) : shellText.couldNotRefresh(time)}</span>
      <Button look="quiet" onClick={() => void resource.refresh()}>
        {partsText.retry}
      </Button>
    </p>
  );
}

type LoadingProps = { skeleton: ComponentChildren; onSkeleton: () => void; onStop: () => void; onRetry: () => void };

function Loading({ skeleton, onSkeleton, onStop, onRetry }: LoadingProps) {
  const [stage, setStage] = useState<"quick" | "skeleton" | "slow" | "stopped">("quick");
  useEffect(() => {
    const timers = [setTimeout(setStage, skeletonAfterMs, "skeleton"), setTimeout(setStage, slowAfterMs, "slow")];
    return () => timers.forEach(clearTimeout);
  }, []);
  useEffect(() => {
    if (stage === "skeleton") onSkeleton();
  }, [stage]);
  if (stage === "quick") return null;
  if (stage === "stopped") {
    return (
      <p class="bar" role="status">
        <span>{shellText.stopped}</span>
        <Button
          look="quiet"
          onClick={() => {
            setStage("skeleton");
            onRetry();
          }}
        >
          {partsText.retry}
        </Button>
      </p>
    );
  }
  return (
    <>
      {stage === "slow" ? (
        <p class="bar" role="status">
          <span>{shellText.slow}</span>
          <Button
            look="quiet"
            onClick={() => {
              setStage("stopped");
              onStop();
            }}
          >
            {shellText.stop}
          </Button>
        </p>
      ) : null}
      {skeleton}
    </>
  );
}

function Busy({ onRetry }: { onRetry: () => void }) {
  const [left, setLeft] = useState<number | undefined>(busySeconds);
  const retry = useRef(onRetry);
  retry.current = onRetry;
  useEffect(() => {
    if (left === undefined) return;
    const timer = setTimeout(() => {
      setLeft(left > 1 ? left - 1 : busySeconds);
      if (left === 1) retry.current();
    }, 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <p class="bar above" role="status">
      <span>{left === undefined ? shellText.busyStopped : shellText.busy(left)}</span>
      {left === undefined ? (
        <Button look="quiet" onClick={onRetry}>
          {partsText.retry}
        </Button>
      ) : (
        <Button look="quiet" onClick={() => setLeft(undefined)}>
          {shellText.stop}
        </Button>
      )}
    </p>
  );
}

function Gone({ parent, onRetry }: { parent: LoadedProps<unknown>["parent"]; onRetry: () => void }) {
  // What is listed nowhere, a list itself, can only be asked for again.
  const action =
    parent === undefined ? (
      <Button onClick={onRetry}>{partsText.retry}</Button>
    ) : (
      <a href={`#${parent.to}`}>{parent.words}</a>
    );
  return <Empty glyph="cross" title={shellText.notHere} action={action} />;
}

function isBusy({ status }: CallFailed): boolean {
  return status === 429 || status === 503;
}

/** Why a read failed, in the hub's own words: it changed nothing, so there is nothing to warn of. */
function reasonOf(failed: CallFailed): string | undefined {
  if (failed.isAtEdge || isOfNewerHub(failed)) return wordsOf(failed);
  return failed.detail === "" ? undefined : failed.detail;
}

// A code this app was not built with is a sign of its age.
function isOfNewerHub({ code }: CallFailed): boolean {
  return hasNewerHub.value && !errorCodes.some((known) => known === code);
}

/** A failed write as the operator reads it. */
export function wordsOf(failed: CallFailed): string {
  if (failed.kind === "network") return shellText.offlineRefusal;
  if (isOfNewerHub(failed)) return shellText.hubUpdated;
  return problemWords({ code: failed.code, detail: failed.detail, details: failed.details, isAtEdge: failed.isAtEdge });
}

// The frame of one screen: its heading, its landmark, and the states every screen has alike (web-app.md 5.4).
import { useSignal } from "@preact/signals";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import type { LoadState } from "../data/resource.ts";
import { StandingSkeletons } from "../parts/skeleton.tsx";
import { announce } from "./announcer.tsx";
import { pageTitle } from "./lamp.ts";
import { arrivedBy, restoreScroll } from "./router.ts";

/** `data-screen` of what is shown, and whether it has just taken the place of another screen. */
export const ScreenName = createContext("");

type Shown = {
  /** In the title of the window, and what the heading says unless that says more. */
  title: string;
  heading?: string;
  /** Beside the heading: counts, filters, Refresh. */
  head?: ComponentChildren;
  /** `wide` fills the stage: lists with panes. `outside` stands alone. */
  shape?: "column" | "wide" | "outside";
};

/** The states of what it loads are drawn by `LoadedContent`; `state` is that of the resource it is about. */
export function PlainScreen(props: Shown & { state?: LoadState; children: ComponentChildren }) {
  const { title, heading: words = title, head, shape = "column", state = "ready", children } = props;
  const name = useContext(ScreenName);
  const heading = useRef<HTMLHeadingElement>(null);
  const skeletons = useSignal(0);
  const wasShown = useRef(false);
  // A skeleton stands a while after what it stands for has come; those of parts that come later are their parts' own.
  const isBusy = state === "loading" || state === "idle" || (!wasShown.current && skeletons.value > 0);
  useLayoutEffect(() => {
    pageTitle.value = title;
  }, [title]);
  useLayoutEffect(() => {
    // On the first screen of a visit the reader is at the top already.
    if (arrivedBy() === "load") return;
    heading.current?.focus({ preventScroll: true });
    announce(title);
    // Once a screen; a title that changes while it is open is no new screen.
  }, [name]);
  useLayoutEffect(() => {
    wasShown.current = !isBusy;
    if (!isBusy) restoreScroll();
    // When its content is there, and once.
  }, [name, isBusy]);
  return (
    <main id="content" class={`screen ${shape}`} tabIndex={-1} data-screen={name} data-state={state} aria-busy={isBusy}>
      <div class="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          {words}
        </h1>
        {head}
      </div>
      <StandingSkeletons.Provider value={skeletons}>{children}</StandingSkeletons.Provider>
    </main>
  );
}

// The frame around every screen: skip link, header, navigation, bars, messages (web-app.md 5.1, 5.2).
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { homeSpec } from "../data/home.ts";
import { undoMessages } from "../data/preferences.ts";
import { useResource } from "../data/resource.ts";
import { AskDialog } from "../items/held-line.tsx";
import { lazily } from "../parts/lazily.tsx";
import { ToastHost } from "../parts/toast-host.tsx";
import { dismissShown, shownToast, undoNewest } from "../parts/toasts.ts";
import { shellText } from "../text/en-shell.ts";
import { announce, announceNow } from "./announcer.tsx";
import { Bars, ConnectionLine } from "./connection.tsx";
import { isKeyListShown, KeyList } from "./key-list.tsx";
import { type KeyBinding, useKeys } from "./keys.ts";
import { hubName, pageTitle } from "./lamp.ts";
import { Places } from "./places.tsx";
import { go } from "./router.ts";
import { jumps } from "./screens.ts";

const JoinDialog = lazily(async () => (await import("../items/join-dialogs.tsx")).JoinDialog);

export function Frame({ current, children }: { current: string; children: ComponentChildren }) {
  useResource(homeSpec);
  useKeys(useMemo(frameKeys, []));
  const isTitleGone = useTitleGone(current);
  return (
    <div class="frame">
      {/* biome-ignore lint/a11y/useValidAnchor: it does lead there, though not by the address */}
      <a class="skip" href="#content" onClick={skip}>
        {shellText.skip}
      </a>
      <header class="top">
        <p class="top-title" aria-hidden="true" data-shown={isTitleGone}>
          {pageTitle.value}
        </p>
        <p class="hub-name theirs" dir="auto">
          {hubName()}
        </p>
        <ConnectionLine />
      </header>
      <Places current={current} />
      <div class="stage">
        <Bars />
        {children}
      </div>
      <ToastHost announce={announceToast} doUndosStay={undoMessages.value === "stay"} />
      <KeyList />
      {/* About an item wherever it is shown: on Home, in the Inbox, in a feed, and once where two places show it. */}
      <AskDialog />
      <JoinDialog />
    </div>
  );
}

function announceToast(words: string): void {
  if (shownToast.value?.kind === "problem") announceNow(words);
  else announce(words);
}

function frameKeys(): KeyBinding[] {
  return [
    ...jumps.map(({ word, to, key }) => ({
      keys: `g ${key}`,
      words: shellText.keysGo(word),
      run: () => go(to),
    })),
    { keys: "z", words: shellText.keysUndo, run: () => void undoNewest() },
    { keys: "Escape", words: shellText.keysDismiss, isAlways: true, run: () => void dismissShown() },
    {
      keys: "F6",
      words: shellText.keysToast,
      isAlways: true,
      run: () => document.querySelector<HTMLElement>("[data-toasts]")?.focus(),
    },
    {
      keys: "?",
      words: shellText.keysHelp,
      run: () => {
        isKeyListShown.value = true;
      },
    },
  ];
}

// The address is the router's: a link to a place in the page must not change it.
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

// On a phone the title moves into the bar once it is scrolled past.
function useTitleGone(current: string): boolean {
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const heading = document.querySelector("main h1");
    if (heading === null) return;
    const observer = new IntersectionObserver(([entry]) => setGone(entry?.isIntersecting === false), {
      rootMargin: "-52px 0px 0px",
    });
    observer.observe(heading);
    return () => observer.disconnect();
  }, [current, pageTitle.value]);
  return isGone;
}

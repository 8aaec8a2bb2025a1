// Turns a token into a working app, once per device (web-app.md 6.1). The token is tried before it is kept.
import { useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { call } from "../../data/call.ts";
import { CallFailed } from "../../data/call-failed.ts";
import { addressOf, hubAddress } from "../../data/scope.ts";
import { keepToken } from "../../data/token.ts";
import { Button } from "../../parts/button.tsx";
import { tellProblem } from "../../parts/toasts.ts";
import { routeText } from "../../shell/route.ts";
import { replace, route } from "../../shell/router.ts";
import { PlainScreen } from "../../shell/screen.tsx";
import { shellText } from "../../text/en-shell.ts";
import { offeredToken, takeOfferedToken } from "./offered-token.ts";

export function Connect() {
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [isShown, setShown] = useState(false);
  const [isLasting, setLasting] = useState(true);
  const field = useRef<HTMLInputElement>(null);

  async function connect(typed: string): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    const words = typed === "" ? shellText.tokenMissing : await refusalOf(typed);
    setRefusal(words);
    if (words === undefined && (await isFirstRun(typed))) replace(routeText(["connect"], { next: "/start" }));
    setBusy(false);
    if (words !== undefined) field.current?.focus();
    else if (!keepToken(typed, isLasting)) tellProblem(shellText.notKept);
  }

  useLayoutEffect(() => field.current?.focus(), []);
  useSignalEffect(() => {
    if (offeredToken.value === undefined) return;
    const offered = takeOfferedToken() ?? "";
    if (field.current !== null) field.current.value = offered;
    void connect(offered); // its outcome is on screen
  });

  return (
    <PlainScreen title={shellText.connectPage} heading={shellText.connectTitle} shape="outside">
      <p class="data faint">{hubAddress}</p>
      <form
        class="connect"
        onSubmit={(event) => {
          event.preventDefault();
          void connect(field.current?.value.trim() ?? ""); // its outcome is on screen
        }}
      >
        {/* Password managers keep pairs. */}
        <input
          class="unseen-by-eye"
          type="text"
          name="username"
          autocomplete="username"
          value={shellText.operator}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <label for="token">{shellText.tokenLabel}</label>
        <div class="field-with-button">
          <input
            id="token"
            ref={field}
            {...(isShown ? { type: "text" as const } : { type: "password" as const })}
            name="password"
            autocomplete="current-password"
            autocapitalize="none"
            spellcheck={false}
            aria-invalid={refusal !== undefined || undefined}
            aria-describedby="token-refusal token-where"
            onInput={() => setRefusal(undefined)}
          />
          <Button look="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? shellText.hideToken : shellText.showToken}
          </Button>
        </div>
        <p id="token-refusal" class="refusal" role="alert">
          {refusal}
        </p>
        <p id="token-where" class="note faint">
          {shellText.tokenWhere}
        </p>
        <label class="check">
          <input type="checkbox" checked={isLasting} onChange={(event) => setLasting(event.currentTarget.checked)} />
          {shellText.keepConnected}
        </label>
        {isPlain() ? <p class="note">{shellText.plainHttp}</p> : null}
        <Button type="submit" look="solid" isBusy={isBusy} isWide>
          {shellText.connect}
        </Button>
      </form>
    </PlainScreen>
  );
}

/** Why a token cannot be kept; undefined when it is the operator's. */
async function refusalOf(typed: string): Promise<string | undefined> {
  if (!(await isHubThere())) return shellText.noHub(hubAddress);
  try {
    await call("getHome", { as: typed });
    return undefined;
  } catch (error) {
    if (!(error instanceof CallFailed) || error.kind !== "problem") return shellText.noHub(hubAddress);
    if (error.isAtEdge) return shellText.refusedAddress;
    if (error.status !== 401) return error.detail;
    return (await isOfAgent(typed)) ? shellText.agentToken : shellText.refusedToken(error.detail);
  }
}

/** A hub where nothing was begun leads to first run, unless this visit has a place to go to. */
async function isFirstRun(typed: string): Promise<boolean> {
  if (route.peek().query.get("next") !== null) return false;
  const nothing = await Promise.all([call("listAgents", { as: typed }), call("listProjects", { as: typed })]).then(
    ([{ agents }, { projects }]) => agents.length === 0 && projects.every(({ is_personal }) => is_personal),
    () => false, // the screen it goes to will say what is wrong
  );
  return nothing;
}

async function isHubThere(): Promise<boolean> {
  const answer = await fetch(addressOf("healthz"), { cache: "no-store" }).catch(() => undefined); // nobody answers
  return answer?.ok === true;
}

// Where agents are let in and strangers are not, an agent's token shows.
async function isOfAgent(typed: string): Promise<boolean> {
  return call("getVersion", { as: typed }).then(
    () => true,
    () => false,
  );
}

function isPlain(): boolean {
  return location.protocol === "http:" && !globalThis.isSecureContext;
}

// A hub in trouble, as one page meets it: calls are held back, refused or lost as a test says, and the stream says that
// everything changed when a test wants a refresh.
import type { Page, Route } from "@playwright/test";

/** What becomes of a call: its own answer, none yet, none at all, or a refusal. */
export type Mode = "well" | "held" | "lost" | { status: number; code: string; detail: string };

export type Trouble = {
  /** From here on, and for what is held back now; `of` names the calls: `GET inbox`, `PATCH projects/lab`. */
  set(mode: Mode, of?: RegExp): void;
  /** Everything that is shown is read again. */
  stir(): Promise<void>;
};

export const broken: Mode = { status: 500, code: "internal", detail: "something broke" };
export const busy: Mode = { status: 503, code: "unavailable", detail: "the hub is draining" };
export const tooMany: Mode = { status: 429, code: "rate_limited", detail: "slow down" };
export const gone: Mode = { status: 404, code: "not_found", detail: "no such thing" };
export const refused: Mode = { status: 401, code: "unauthenticated", detail: "a valid bearer token is needed" };

/** Call before the page is opened. */
export async function openTrouble(page: Page): Promise<Trouble> {
  let mode: Mode = "well";
  let concerned = /./;
  let held: Route[] = [];
  const answer = (route: Route): void => {
    const path = new URL(route.request().url()).pathname.replace(/^.*\/api\/v1\//, "");
    const isConcerned = concerned.test(`${route.request().method()} ${path}`);
    if (mode === "held" && isConcerned) held.push(route);
    // A page that has moved on takes no answer any more.
    else void meet(route, isConcerned ? mode : "well").catch(() => undefined);
  };
  await page.route(/\/api\/v1\/(?!stream)/, answer);
  await page.addInitScript(steerStream);
  return {
    set(next, of = /./) {
      mode = next;
      concerned = of;
      const waiting = held;
      held = [];
      for (const route of waiting) answer(route);
    },
    stir: () => page.evaluate(() => void dispatchEvent(new Event("test:stir"))),
  };
}

function refusal({ status, code, detail }: Exclude<Mode, string>) {
  const body = { type: "about:blank", title: "", status, code, detail, retryable: status > 499, details: {} };
  return { status, contentType: "application/problem+json", body: JSON.stringify(body) };
}

function meet(route: Route, mode: Mode): Promise<void> {
  if (mode === "well") return route.continue();
  if (mode === "lost") return route.abort();
  return typeof mode === "string" ? Promise.resolve() : route.fulfill(refusal(mode));
}

/** Runs in the page: the stream is open and quiet, but for what a test says. */
function steerStream(): void {
  const send = globalThis.fetch;
  const steered = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (!String(input).endsWith("/api/v1/stream")) return send(input, init);
    const words = new TextEncoder();
    const say = (controller: ReadableStreamDefaultController, event: string, data: object): void =>
      controller.enqueue(words.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
    const body = new ReadableStream({
      start(controller) {
        const stir = (): void => say(controller, "reset", { cursor: "1" });
        addEventListener("test:stir", stir);
        init?.signal?.addEventListener("abort", () => {
          removeEventListener("test:stir", stir);
          controller.error(init.signal?.reason);
        });
        say(controller, "hello", { cursor: "1" });
      },
    });
    return Promise.resolve(new Response(body));
  };
  globalThis.fetch = Object.assign(steered, send);
}

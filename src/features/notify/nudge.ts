// The outbound, contentless nudge (operations.md 14): one fixed sentence when something starts waiting on the operator.
import type { Services } from "../../kernel/ctx.ts";
import type { Log } from "../../kernel/log.ts";

const nudgeSentence = "Something is waiting for you in Agent Hub.";
const timeoutMs = 10_000;

export type NudgeResult = { isDelivered: boolean; error: string | null };

export type Nudge = Disposable & {
  /** Something started waiting. Sends at once, then at most once an interval. Never delays the caller. */
  trigger(): void;
  /** Sends now, outside the quiet period; undefined when no target is set. */
  test(): Promise<NudgeResult> | undefined;
};

/** @param onSent hears of every send that came to an end */
export function createNudge(
  config: Services["config"],
  log: Log,
  onSent: (result: NudgeResult) => void = () => undefined,
): Nudge {
  const { notifyUrl: url, notifyToken: token } = config;
  const intervalMs = config.notifyIntervalSecs * 1000;
  const stopping = new AbortController();
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;

  async function send(target: string): Promise<NudgeResult> {
    const result = await post(target, token, stopping.signal);
    if (!stopping.signal.aborted) onSent(result);
    if (!result.isDelivered && !stopping.signal.aborted) {
      log.warn("nudge not delivered", { target: originOf(target), cause: result.error });
    }
    return result;
  }

  function sendAndRest(target: string): void {
    isDue = false;
    // Its own task: a failure is logged by send, and nobody waits for it.
    void send(target);
    quiet = setTimeout(() => {
      quiet = undefined;
      if (isDue) sendAndRest(target);
    }, intervalMs);
  }

  return {
    trigger() {
      if (url === null || stopping.signal.aborted) return;
      if (quiet === undefined) sendAndRest(url);
      else isDue = true;
    },
    test: () => (url === null ? undefined : send(url)),
    // What is due is dropped, and what is under way does not hold up the process.
    [Symbol.dispose]() {
      stopping.abort();
      clearTimeout(quiet);
    },
  };
}

async function post(url: string, token: string | null, stopping: AbortSignal): Promise<NudgeResult> {
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stopping]),
      headers: {
        "content-type": "text/plain; charset=utf-8",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: nudgeSentence,
    });
    await response.body?.cancel();
    return response.ok
      ? { isDelivered: true, error: null }
      : { isDelivered: false, error: `${originOf(url)} answered ${response.status}` };
  } catch (error) {
    return { isDelivered: false, error: `${originOf(url)} ${causeOf(error)}` };
  }
}

// The cause is one of these and never the error's own text, which may hold the address with its path and query.
function causeOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "did not answer in 10 s";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^[A-Za-z_]{1,40}$/.test(code) ? `could not be reached (${code})` : "could not be reached";
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "the target";
}

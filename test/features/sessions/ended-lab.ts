// A hub with one ended session that left traces everywhere, for the tests of pruning.
import { sessions } from "../../../src/features/sessions/index.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { end, type Named, put } from "./working.ts";

/** In which a prune can be taken back. */
export const windowMs = 30_000;

/** What the sweeper of `serve` does every 30 s. */
export async function sweep(hub: TestHub): Promise<void> {
  for (const each of sessions.sweeps ?? []) await each.run(hub.hub.kernel.services);
}

type Lab = { hub: TestHub; alice: Caller; session: Named } & AsyncDisposable;
/** A hub with an ended session of alice's that left traces everywhere. */
export async function endedLab(): Promise<Lab> {
  const hub = await openTestHub();
  const alice = await hub.agent("alice");
  await hub.project("p");
  const connection = await hub.connect(alice);
  const started = await alice.call("session_start", { project_id: "p", session_name: "work" }, { connection });
  const session = { session_id: String(started["session_id"]) };
  await put(alice, session, "/fs/plan.md", "the wombat plan");
  await put(alice, session, "/kv/k", "v");
  await alice.call("signal_append", { project_id: "p", kind: "signal", summary: "wombat signal" }, { connection });
  await alice.call("question_post", { project_id: "p", subject: "wombat?" }, { connection });
  await end(alice, session, "a note");
  return { hub, alice, session, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

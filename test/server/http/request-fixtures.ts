// What the right call of a row needs to be there, made the way it comes to be.
import type { Caller } from "../../support/hub.ts";
import type { HttpHub } from "./requests.ts";

export type Input = { params?: Record<string, string>; query?: string; body?: unknown };

export type Lab = { http: HttpHub; alice: Caller; connection: string };

export const inP = { params: { id: "p" } };

export async function question(lab: Lab, more: object = {}): Promise<string> {
  return String(
    (await lab.alice.call("question_post", { project_id: "p", subject: "Which?", ...more }))["question_id"],
  );
}

export async function approval(lab: Lab): Promise<string> {
  const sent = { project_id: "p", kind: "approval", summary: "May I?" };
  return String((await lab.alice.call("signal_append", sent))["event_id"]);
}

export async function finished(lab: Lab): Promise<string> {
  const sent = { project_id: "p", kind: "finished", summary: "Done" };
  return String((await lab.alice.call("signal_append", sent))["event_id"]);
}

export async function session(lab: Lab, isEnded = false): Promise<string> {
  const on = { connection: lab.connection };
  const started = await lab.alice.call("session_start", { project_id: "p", session_name: "work" }, on);
  await lab.alice.call("brain_put", { store: "session", path: "/fs/a.md", content: "hello" }, on);
  const id = String(started["session_id"]);
  if (isEnded) await lab.http.hub.rest("endSession", { params: { id } });
  return id;
}

export async function pruned(lab: Lab): Promise<string> {
  const gone = await lab.http.hub.rest("pruneSession", { params: { id: await session(lab, true) } });
  return String(gone["undo_token"]);
}

export async function page(lab: Lab): Promise<string> {
  const put = { params: { id: "p", path: "a.md" }, body: { content: "# A\n" } };
  return String((await lab.http.hub.rest("putPage", put))["version"]);
}

export async function comment(lab: Lab): Promise<Input> {
  await page(lab);
  const posted = await lab.http.hub.rest("postPageComment", { ...inP, body: { path: "a.md", body: "Why?" } });
  return { params: { id: "p", comment_id: String(Object(posted["comment"]).id) } };
}

export async function newcomer(lab: Lab): Promise<Input> {
  await lab.http.send("POST", "/api/v1/enrol", {
    as: "none",
    body: { display_name: "Ada", suggested_id: "ada", why: "x" },
  });
  return { params: { agent_id: "ada" } };
}

export const onEvent =
  (make: (lab: Lab) => Promise<string>, key = "event_id") =>
  async (lab: Lab): Promise<Input> => ({
    params: { [key]: await make(lab) },
  });
export const onSession =
  (isEnded: boolean) =>
  async (lab: Lab): Promise<Input> => ({ params: { id: await session(lab, isEnded) } });
export const onPage = async (lab: Lab): Promise<Input> => {
  await page(lab);
  return { params: { id: "p", path: "a.md" } };
};
export const noPage = { params: { id: "p", path: "none.md" } };
export const atPath = "?path=a.md";

export const onEnded =
  (input: Input) =>
  async (lab: Lab): Promise<Input> => {
    await session(lab, true);
    return input;
  };

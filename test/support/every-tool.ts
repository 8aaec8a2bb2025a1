// One valid call of each tool, for tests that hold a rule over all of them. A tool that is listed and has no entry here
// fails those tests: add one line.
import { isObject, type JsonObject } from "../../src/shared/json.ts";

/** Calls a tool as the agent under test and returns its structured result. */
export type Prepare = (tool: string, args: object) => Promise<JsonObject>;

/** Project the agent may write; the tests make it. */
export const walkedProject = "walked";

const idOf = async (prepare: Prepare, tool: string, args: object, member: string): Promise<string> =>
  String((await prepare(tool, args))[member]);

const session = (prepare: Prepare): Promise<string> =>
  idOf(prepare, "session_start", { project_id: walkedProject, session_name: "walk" }, "session_id");

const published = { project_id: walkedProject, kind: "markdown", content: "# Walked" };
const artifact = (prepare: Prepare): Promise<string> => idOf(prepare, "artifact_publish", published, "artifact_id");

async function comment(prepare: Prepare): Promise<object> {
  const artifact_id = await artifact(prepare);
  const posted = await prepare("comment_post", { artifact_id, body: "seen" });
  return { artifact_id, comment_id: isObject(posted["comment"]) ? posted["comment"]["id"] : "" };
}

/** Arguments of a call that succeeds. What a call needs first is made through `prepare`. */
export const validCalls: Readonly<Record<string, (prepare: Prepare) => Promise<object>>> = {
  session_start: async () => ({ project_id: walkedProject, session_name: "started" }),
  session_end: async (prepare) => ({ session_id: await session(prepare) }),
  brain_get: async (prepare) => {
    const session_id = await session(prepare);
    await prepare("brain_put", { session: { session_id }, store: "session", path: "/kv/walk", content: "x" });
    return { session: { session_id }, path: "/kv/walk" };
  },
  brain_put: async (prepare) => ({
    session: { session_id: await session(prepare) },
    store: "session",
    path: "/kv/walk",
    content: "y",
  }),
  brain_list: async (prepare) => ({ session: { session_id: await session(prepare) } }),
  brain_delete: async (prepare) => ({
    session: { session_id: await session(prepare) },
    store: "session",
    path: "/kv/walk",
  }),
  brain_promote: async (prepare) => {
    const session_id = await session(prepare);
    await prepare("brain_put", { session: { session_id }, store: "session", path: "/fs/promoted.md", content: "x" });
    return { from_path: "/fs/promoted.md", to_path: "/fs/walked/promoted.md" };
  },
  brain_history: async () => ({ project_id: walkedProject, path: "/fs/walked/page.md" }),
  brain_revert: async (prepare) => {
    const page = { project_id: walkedProject, path: "/fs/walked/page.md" };
    const { version } = await prepare("brain_put", { ...page, store: "project", content: "once" });
    await prepare("brain_put", { ...page, store: "project", content: "twice" });
    return { ...page, version };
  },
  artifact_publish: async () => published,
  artifact_update: async (prepare) => ({ artifact_id: await artifact(prepare), content: "# Again" }),
  artifact_draft: async (prepare) => ({ artifact_id: await artifact(prepare), content: "# Soon" }),
  artifact_get: async (prepare) => ({ artifact_id: await artifact(prepare) }),
  artifact_versions: async (prepare) => ({ artifact_id: await artifact(prepare) }),
  artifact_list: async () => ({ project_id: walkedProject }),
  artifact_delete: async (prepare) => ({ artifact_id: await artifact(prepare) }),
  comment_post: async (prepare) => ({ artifact_id: await artifact(prepare), body: "hm" }),
  comment_list: async (prepare) => ({ artifact_id: await artifact(prepare) }),
  comment_resolve: async (prepare) => ({ ...(await comment(prepare)), done: true }),
  comment_delete: comment,
  session_list: async () => ({}),
  session_brief: async () => ({ project_id: walkedProject }),
  feed_read: async () => ({ project_id: walkedProject }),
  signal_append: async () => ({ project_id: walkedProject, kind: "idea", summary: "walked by" }),
  question_post: async () => ({ project_id: walkedProject, subject: "May I?" }),
  answer_post: async (prepare) => ({
    question_id: await idOf(prepare, "question_post", { project_id: walkedProject, subject: "Who?" }, "question_id"),
    body: "I.",
  }),
  inbox_read: async () => ({}),
  inbox_wait: async () => ({ wait_seconds: 0 }),
  notify_subscribe: async () => ({ kinds: ["finished"], project_id: walkedProject }),
  notify_unsubscribe: async (prepare) => ({
    subscription_id: await idOf(prepare, "notify_subscribe", { kinds: ["finished"] }, "subscription_id"),
  }),
  notify_list: async () => ({}),
  notify_wait: async () => ({ wait_seconds: 0 }),
  search: async () => ({ query: "walked" }),
  whoami: async () => ({}),
  version: async () => ({}),
};

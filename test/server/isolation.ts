// The world of the isolation matrix: who calls, which projects there are, what each holds, and for every tool and
// resource what it takes to reach a project through it. A new one needs an entry here; routes have theirs beside this.
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../support/hub.ts";

/** Agents of the world: owners of spaces, one with a grant, one with none. */
export const agentNames = ["olive", "vera", "grace", "nina"] as const;
export type AgentName = (typeof agentNames)[number];
export const insiders = ["operator", ...agentNames] as const;
export type Insider = (typeof insiders)[number];
/** Who never gets past the token. */
export const strangers = ["revoked", "garbage", "none"] as const;
export type CallerName = Insider | (typeof strangers)[number];

export const projectNames = ["open", "space of olive", "secret", "space of vera", "missing"] as const;
export type ProjectName = (typeof projectNames)[number];

type Rights = "rw" | "r" | "-";

/** mcp-tools.md 6.2. Grace holds a grant on both confidential ones; Vera's space is confidential. */
export const matrix: Readonly<Record<ProjectName, Readonly<Record<Insider, Rights>>>> = {
  open: { operator: "rw", olive: "rw", vera: "rw", grace: "rw", nina: "rw" },
  "space of olive": { operator: "rw", olive: "rw", vera: "r", grace: "r", nina: "r" },
  secret: { operator: "rw", olive: "-", vera: "-", grace: "rw", nina: "-" },
  "space of vera": { operator: "rw", olive: "-", vera: "rw", grace: "r", nina: "-" },
  missing: { operator: "-", olive: "-", vera: "-", grace: "-", nina: "-" },
};

/** Who wrote what a project holds; nobody else works there. */
const authors: Readonly<Record<Exclude<ProjectName, "missing">, AgentName>> = {
  open: "nina",
  "space of olive": "olive",
  secret: "grace",
  "space of vera": "vera",
};

/** What there is to name in a project; ids that never were for the missing one. */
export type Target = {
  name: ProjectName;
  project: string;
  /** A word that stands in everything the project holds. */
  word: string;
  author: string;
  root: string;
  question: string;
  approval: string;
  session: string;
  sessionName: string;
  subscription: string;
  /** A page of its knowledge base, and the version that is there. */
  page: string;
  version: string;
  /** An artifact of its own, and a comment on it. */
  artifact: string;
  comment: string;
  /** The same to be deleted. */
  doomed: string;
  doomedComment: string;
};

export type World = AsyncDisposable & {
  hub: TestHub;
  url: string;
  agents: Record<AgentName, Caller>;
  targets: readonly Target[];
  /** The `Authorization` of each; null for none. */
  authorization: Readonly<Record<CallerName, string | null>>;
};

export async function openWorld(): Promise<World> {
  const hub = await openTestHub();
  const [olive, vera, grace, nina, rex] = await Promise.all(
    ["olive", "vera", "grace", "nina", "rex"].map((name) => hub.agent(name)),
  );
  if (olive === undefined || vera === undefined || grace === undefined || nina === undefined || rex === undefined) {
    throw new Error("an agent is missing");
  }
  const agents = { olive, vera, grace, nina };
  await hub.rest("revokeToken", { params: { id: "rex" } });
  const spaceOf = async (caller: Caller): Promise<string> =>
    String((await caller.call("whoami"))["personal_project_id"]);
  const ids = {
    open: await hub.project("open"),
    "space of olive": await spaceOf(olive),
    secret: await hub.project("secret", { confidential: true }),
    "space of vera": await spaceOf(vera),
  };
  await hub.rest("updateProject", { params: { id: ids["space of vera"] }, body: { confidential: true } });
  for (const project of [ids.secret, ids["space of vera"]]) {
    await hub.rest("createGrant", { params: { id: "grace" }, body: { project_id: project } });
  }
  const targets: Target[] = [];
  for (const name of projectNames) {
    if (name !== "missing")
      targets.push(await furnish(name, ids[name], agents[authors[name]], `word${targets.length}`));
  }
  const url = await hub.listen();
  return {
    hub,
    url,
    agents,
    targets: [...targets, nothing],
    authorization: {
      operator: `Bearer ${hub.operator.token}`,
      olive: `Bearer ${olive.token}`,
      vera: `Bearer ${vera.token}`,
      grace: `Bearer ${grace.token}`,
      nina: `Bearer ${nina.token}`,
      revoked: `Bearer ${rex.token}`,
      garbage: `Bearer ${"0".repeat(64)}`,
      none: null,
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

/** Of the form of a ULID, and never minted. */
const neverMinted = (digit: number): string => `01ARZ3NDEKTSV4RRFFQ69G5FA${digit}`;

const nothing: Target = {
  name: "missing",
  project: "missing",
  word: "nowhereword",
  author: "nobody",
  root: neverMinted(0),
  question: neverMinted(1),
  approval: neverMinted(2),
  session: neverMinted(3),
  sessionName: "never",
  subscription: neverMinted(4),
  page: "/fs/never.md",
  version: `sha256:${"0".repeat(64)}`,
  artifact: neverMinted(5),
  comment: neverMinted(6),
  doomed: neverMinted(5),
  doomedComment: neverMinted(6),
};

async function furnish(name: ProjectName, project: string, by: Caller, word: string): Promise<Target> {
  const sessionName = `${word}-session`;
  const idOf = async (tool: string, args: object, member: string): Promise<string> =>
    String((await by.call(tool, { project_id: project, ...args }))[member]);
  const subscription = await idOf("notify_subscribe", { kinds: ["finished"], exclude_own: true }, "subscription_id");
  const session = await idOf("session_start", { session_name: sessionName }, "session_id");
  for (const path of ["/fs/RECOVERY.md", `/kv/${word}`]) {
    await by.call("brain_put", { session: { session_id: session }, store: "session", path, content: `${word} kept` });
  }
  await idOf("signal_append", { kind: "finished", summary: `${word} finished` }, "event_id");
  const page = `/fs/${word}.md`;
  const version = await idOf("brain_put", { store: "project", path: page, content: `# ${word} page` }, "version");
  const document = { kind: "markdown", title: `${word} artifact`, content: word };
  const artifact = await idOf("artifact_publish", document, "artifact_id");
  const doomed = await idOf("artifact_publish", document, "artifact_id");
  const commentOn = async (artifact_id: string): Promise<string> => {
    const posted = await by.call("comment_post", { artifact_id, body: word });
    return isObject(posted["comment"]) ? String(posted["comment"]["id"]) : "";
  };
  return {
    name,
    project,
    word,
    author: by.actor,
    root: await idOf("signal_append", { kind: "signal", summary: `${word} said`, payload: { body: word } }, "event_id"),
    question: await idOf("question_post", { subject: `${word}?`, options: [word, "no"] }, "question_id"),
    approval: await idOf("signal_append", { kind: "approval", summary: `${word}!` }, "event_id"),
    session,
    sessionName,
    subscription,
    page,
    version,
    artifact,
    comment: await commentOn(artifact),
    doomed,
    doomedComment: await commentOn(doomed),
  };
}

/**
 * One way to a project through a tool.
 *
 * `read`, `write`: who has the right gets through, or one of the refusals in `may`, which are no denial; anybody else is
 * told what he is told of a missing one. `view`: nobody is refused; who may not read gets what he gets for a missing
 * one. `foreign`: the id counts only in its own place, and is as unknown elsewhere. `self`: names no project.
 */
export type Way = {
  title: string;
  right: "read" | "write" | "view" | "foreign" | "self";
  args(target: Target): object;
  may?: readonly string[];
  /** For `foreign`: the place in which the id counts. */
  counts?(target: Target, caller: string): boolean;
};

const way = (right: Way["right"], title: string, args: Way["args"], more: Partial<Way> = {}): Way => ({
  right,
  title,
  args,
  ...more,
});
const byId = (target: Target): object => ({ session_id: target.session });
const byName = (target: Target): object => ({
  agent: target.author,
  name: target.sessionName,
  project_id: target.project,
});
/** Another agent's session is refused by its owner's name, one that has ended as such. */
const notOwn = { may: ["owner", "conflict"] };
const inProject = (args: object) => (target: Target) => ({ project_id: target.project, ...args });
/** The first who may has removed it. */
const gone = { may: ["forbidden", "not_found"] };
const brainWrite = { store: "session", path: "/kv/probe" };
const pageOf = (target: Target): object => ({ store: "project", project_id: target.project, path: target.page });
const onArtifact = (args: object) => (target: Target) => ({ artifact_id: target.artifact, ...args });
const onComment = (args: object) => (target: Target) => ({
  artifact_id: target.artifact,
  comment_id: target.comment,
  ...args,
});
const probePage = { store: "project", path: "/fs/probe.md" };

/** What removes comes after what reads; `session_end` comes last: what it ends is written no more. */
export const toolWays: Readonly<Record<string, readonly Way[]>> = {
  session_start: [
    way("write", "in a project", inProject({ session_name: "probe" })),
    way("read", "from an id", (target) => ({ project_id: "open", session_name: "by-id", from: byId(target) }), {
      may: ["invalid_argument", "conflict"],
    }),
    way("read", "from a name", (target) => ({ project_id: "open", session_name: "by-name", from: byName(target) }), {
      may: ["invalid_argument", "conflict"],
    }),
  ],
  session_list: [way("read", "of a project", inProject({}))],
  session_brief: [way("read", "of a project", inProject({}))],
  brain_get: [
    way("read", "by id", (target) => ({ session: byId(target), path: "/fs/RECOVERY.md" })),
    way("read", "by name", (target) => ({ session: byName(target), path: "/fs/RECOVERY.md" })),
    way("read", "a page", pageOf),
    way("read", "a version of a page", (target) => ({ ...pageOf(target), version: target.version })),
  ],
  brain_list: [
    way("read", "by id", (target) => ({ session: byId(target), path: "/fs" })),
    way("read", "by name", (target) => ({ session: byName(target), path: "/kv/" })),
    way("read", "pages", inProject({ store: "project" })),
  ],
  brain_put: [
    way("write", "by id", (target) => ({ session: byId(target), ...brainWrite, content: "x" }), notOwn),
    way("write", "by name", (target) => ({ session: byName(target), ...brainWrite, content: "x" }), notOwn),
    way("write", "a page", inProject({ ...probePage, content: "x" })),
  ],
  brain_delete: [
    way("write", "by id", (target) => ({ session: byId(target), ...brainWrite }), notOwn),
    way("write", "by name", (target) => ({ session: byName(target), ...brainWrite }), notOwn),
    way("write", "a page", inProject(probePage), { may: ["not_found"] }),
  ],
  brain_history: [way("read", "of a page", (target) => ({ project_id: target.project, path: target.page }))],
  brain_revert: [
    way("write", "a page", (target) => ({ project_id: target.project, path: target.page, version: target.version })),
  ],
  brain_promote: [
    // Without a connection there is no active session to promote from, whatever is named; with one the test of its own says.
    way("foreign", "without a session", inProject({ from_path: "/kv/x", to_path: "/fs/promoted.md" }), {
      counts: () => false,
    }),
  ],
  artifact_publish: [way("write", "in a project", inProject({ kind: "html", title: "probe", content: "<p>probe" }))],
  artifact_update: [way("write", "by id", onArtifact({ content: "probe" }))],
  artifact_draft: [way("write", "by id", onArtifact({ content: "probe" }))],
  artifact_get: [way("read", "by id", onArtifact({})), way("read", "a version of it", onArtifact({ version: 1 }))],
  artifact_versions: [way("read", "by id", onArtifact({}))],
  artifact_list: [
    way("read", "of a project", inProject({})),
    way("foreign", "of a session", (target) => ({ project_id: "open", session: target.session }), {
      counts: (target) => target.name === "open",
    }),
  ],
  comment_post: [
    way("write", "on an artifact", onArtifact({ body: "probe" })),
    way("write", "on a quote", onArtifact({ body: "probe", anchor: { mode: "text", quote: "probe" } })),
  ],
  comment_list: [way("read", "on an artifact", onArtifact({}))],
  comment_resolve: [
    way("write", "by id", onComment({ done: true })),
    way("write", "with a wrong token", onComment({ done: false, delete_token: "0".repeat(64) })),
  ],
  feed_read: [
    way("read", "of a project", inProject({ before: "Z".repeat(26) })),
    way("foreign", "of a session", (target) => ({ project_id: "open", session: target.session, since: "0" }), {
      counts: (target) => target.name === "open",
    }),
  ],
  signal_append: [
    way("write", "to a project", inProject({ kind: "idea", summary: "probe" })),
    way(
      "foreign",
      "to a thread",
      (target) => ({ project_id: "open", kind: "signal", summary: "re", thread_id: target.root }),
      { counts: (target) => target.name === "open" },
    ),
  ],
  question_post: [way("write", "in a project", inProject({ subject: "probe?" }))],
  answer_post: [
    way("write", "a question", (target) => ({ question_id: target.question, body: "yes" }), { may: ["conflict"] }),
    way("write", "an approval", (target) => ({ question_id: target.approval, body: "yes" }), {
      may: ["invalid_argument"],
    }),
  ],
  inbox_read: [way("view", "of a project", inProject({}))],
  inbox_wait: [way("view", "in a project", inProject({ wait_seconds: 0 }))],
  notify_subscribe: [way("read", "to a project", inProject({ kinds: ["idea"], exclude_own: true }))],
  notify_unsubscribe: [
    way("foreign", "by id", (target) => ({ subscription_id: target.subscription }), {
      counts: (target, caller) => target.author === caller,
    }),
  ],
  notify_list: [way("self", "own", () => ({}))],
  notify_wait: [way("self", "own", () => ({ wait_seconds: 0 }))],
  search: [
    way("read", "in a project", (target) => ({ query: target.word, project_id: target.project })),
    way("view", "everywhere", (target) => ({ query: target.word })),
    way("view", "in a session", (target) => ({ query: target.word, session_id: target.session })),
  ],
  whoami: [way("self", "own", () => ({}))],
  version: [way("self", "own", () => ({}))],
  comment_delete: [
    way("write", "by id", (target) => ({ artifact_id: target.doomed, comment_id: target.doomedComment }), gone),
  ],
  artifact_delete: [way("write", "by id", (target) => ({ artifact_id: target.doomed }), gone)],
  session_end: [way("write", "by id", byId, notOwn)],
};

/** Resources that every caller reads alike; the others are pages. */
export const openResources: readonly string[] = [
  "agenthub://skill",
  "skill://agent-hub/SKILL.md",
  "skill://agent-hub/references/artifacts.md",
  "skill://agent-hub/references/errors.md",
  "skill://agent-hub/references/feed-inbox.md",
  "skill://agent-hub/references/knowledge-base.md",
  "skill://agent-hub/references/notifications.md",
  "skill://agent-hub/references/sessions.md",
  "skill://agent-hub/references/subscriptions.md",
  "skill://agent-hub/references/tools.md",
];

/** The page of a target as a resource: its readers are those who may read the project. */
export const pageResource = (target: Target): string =>
  `agenthub://kb/${target.project}/${target.page.slice("/fs/".length)}`;

/** Requests of the Skills extension, which answer every caller alike. */
export const skillRequests: readonly (readonly [method: string, params: JsonObject])[] = [
  ["skills/list", {}],
  ["skills/get", { uri: "skill://agent-hub/SKILL.md" }],
  ["resources/directory/read", { uri: "skill://agent-hub" }],
];

// One row a call of the shared table: what it takes to succeed, what it says, which events it leaves, and how it is
// called wrongly. A call without a row fails request-tables.test.ts.
import type { CallName } from "../../../src/shared/api.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import type { EventKind } from "../../../src/shared/views.ts";
import { migrations } from "../../../src/storage/migrations/index.ts";
import { artifactRows } from "./artifact-rows.ts";
import {
  approval,
  atPath,
  comment,
  finished,
  type Input,
  inP,
  type Lab,
  newcomer,
  noPage,
  onEnded,
  onEvent,
  onPage,
  onSession,
  page,
  pruned,
  question,
  session,
} from "./request-fixtures.ts";

/** `p` is the project of all; a test's own begin where a row says so. */
export type Row = {
  right?: Input;
  /** Makes what the right call needs and completes it. */
  prepare?: (lab: Lab) => Promise<Input>;
  /** Members of the answer. */
  says?: JsonObject;
  /** Kinds of the events the right call appends. */
  events?: readonly EventKind[];
  /** The right call with one thing changed, and the field that is named in the 400. */
  wrong?: readonly (readonly [Input, string])[];
  over?: readonly (readonly [Input, 400 | 413])[];
  /** The right call on something that is not there. */
  unknown?: Input;
  /** The same for an agent, where agents may call at all: the status of the right call. */
  agent?: number;
};

const long = (length: number): string => "a".repeat(length);
const id = { id: "nothing-here" };
const noProject = { params: id };
const name = [{ body: { display_name: " " } }, "display_name"] as const;

const limits = [
  [{ query: "?limit=0" }, "limit"],
  [{ query: "?limit=x" }, "limit"],
] as const;

export const rows: Partial<Record<CallName, Row>> = {
  listProjects: { agent: 200 },
  createProject: {
    right: { body: { id: "new", display_name: "New" } },
    says: { id: "new", is_personal: false },
    wrong: [[{ body: { id: "no slug!" } }, "id"], name, [{ body: { confidential: "yes" } }, "confidential"]],
    over: [
      [{ body: { id: long(65) } }, 400],
      [{ body: { display_name: long(201) } }, 400],
    ],
    agent: 200,
  },
  getProject: { right: inP, says: { id: "p" }, unknown: noProject, agent: 200 },
  getProjectStats: {
    right: inP,
    says: { project_id: "p", events: 0, artifacts: 0, kb_pages: 0 },
    unknown: noProject,
    agent: 200,
  },
  updateProject: {
    right: { ...inP, body: { confidential: true } },
    says: { confidential: true },
    wrong: [[{ body: { id: "q" } }, "id"], name],
    over: [[{ body: { display_name: long(201) } }, 400]],
    unknown: noProject,
    agent: 200,
  },
  deleteProject: { right: inP, unknown: noProject },
  listAgents: {},
  createAgent: {
    right: { body: { id: "zoe", display_name: "Zoe" } },
    says: { id: "zoe", state: "active" },
    events: ["system"],
    wrong: [[{ body: { id: "hub" } }, "id"], name, [{ body: { role: "x" } }, "role"]],
    over: [[{ body: { id: long(201) } }, 400]],
  },
  updateAgent: {
    right: { params: { id: "alice" }, body: { display_name: "Al" } },
    says: { id: "alice", display_name: "Al" },
    wrong: [name, [{ body: { state: "x" } }, "state"]],
    over: [[{ body: { display_name: long(201) } }, 400]],
    unknown: noProject,
  },
  issueToken: { right: { params: { id: "mallory" } }, events: ["system"], unknown: noProject },
  revokeToken: { right: { params: { id: "alice" } }, events: ["system"], unknown: noProject },
  listGrants: { right: { params: { id: "alice" } }, says: { grants: [] }, unknown: noProject },
  createGrant: {
    right: { params: { id: "alice" }, body: { project_id: "p" } },
    says: { agent_id: "alice", project_id: "p" },
    events: ["system"],
    wrong: [[{ body: { project_id: 5 } }, "project_id"]],
    unknown: { body: { project_id: "nowhere" } },
  },
  deleteGrant: {
    prepare: async (lab) => {
      await lab.http.hub.rest("createGrant", { params: { id: "alice" }, body: { project_id: "p" } });
      return { params: { id: "alice", project_id: "p" } };
    },
    events: ["system"],
    unknown: { params: { project_id: "nowhere" } },
  },
  askIn: {
    right: { body: { display_name: "Ada", why: "to help" } },
    says: { agent_id: "ada", status: "pending" },
    events: ["approval"],
    wrong: [name, [{ body: { why: "" } }, "why"], [{ body: { suggested_id: "hub" } }, "suggested_id"]],
    over: [
      [{ body: { why: long(200) } }, 400],
      [{ body: { display_name: long(201) } }, 400],
    ],
  },
  // The operator asked for nothing: enrolment/waiting.test.ts has those who did.
  admitAgent: {
    prepare: newcomer,
    says: { id: "ada", state: "active" },
    events: ["system", "answer"],
    wrong: [[{ body: { id: "x" } }, "id"], name, [{ body: { share: 1 } }, "share"]],
    over: [[{ body: { display_name: long(201) } }, 400]],
    unknown: { params: { agent_id: "nobody" } },
  },
  refuseAgent: { prepare: newcomer, unknown: { params: { agent_id: "nobody" } } },
  listInbox: {
    says: { items: [], next_before: null },
    wrong: [
      ...limits,
      [{ query: "?status=x" }, "status"],
      [{ query: "?group=x" }, "group"],
      [{ query: "?kind=x" }, "kind"],
    ],
  },
  markRead: {
    prepare: onEvent(finished),
    says: { status: "read", changed: true },
    unknown: { params: { event_id: "x" } },
  },
  markUnread: { prepare: onEvent(finished), says: { changed: false }, unknown: { params: { event_id: "x" } } },
  markAllRead: { says: { marked: 0, event_ids: [] }, wrong: [[{ body: { up_to: 5 } }, "up_to"]] },
  snoozeItem: {
    prepare: async (lab) => ({
      params: { event_id: await question(lab) },
      body: { until: new Date(lab.http.hub.clock.now + 60_000).toISOString() },
    }),
    wrong: [
      [{ body: { until: "soon" } }, "until"],
      [{ body: { until: 5 } }, "until"],
    ],
    over: [[{ body: { until: "2999-01-01T00:00:00Z" } }, 400]],
    unknown: { params: { event_id: "x" } },
  },
  wakeItem: { prepare: onEvent(question), unknown: { params: { event_id: "x" } } },
  extendItem: {
    prepare: async (lab) => ({
      params: { event_id: await question(lab, { expires_in_seconds: 60 }) },
      body: { seconds: 600 },
    }),
    wrong: [
      [{ body: { seconds: "600" } }, "seconds"],
      [{ body: { seconds: 1.5 } }, "seconds"],
    ],
    over: [[{ body: { seconds: 2_592_001 } }, 400]],
    unknown: { params: { event_id: "x" } },
  },
  listFeed: {
    says: { last_seen: null },
    wrong: [...limits, [{ query: "?kinds=x" }, "kinds.0"], [{ query: "?nope=1" }, "nope"]],
  },
  listProjectFeed: { right: inP, wrong: [...limits, [{ query: "?nope=1" }, "nope"]], unknown: noProject },
  markFeedSeen: {
    prepare: async (lab) => ({ ...inP, body: { event_id: await finished(lab) } }),
    says: { project_id: "p", advanced: true },
    wrong: [[{ body: { event_id: 5 } }, "event_id"]],
    unknown: noProject,
  },
  answerQuestion: {
    prepare: async (lab) => ({ params: { id: await question(lab) }, body: { body: "this" } }),
    events: ["answer"],
    wrong: [
      [{ body: { body: " " } }, "body"],
      [{ body: { idempotency_key: "" } }, "idempotency_key"],
    ],
    over: [
      [{ body: { body: long(262_145) } }, 413],
      [{ body: { idempotency_key: long(256) } }, 400],
    ],
    unknown: noProject,
  },
  decideApproval: {
    prepare: async (lab) => ({ params: { id: await approval(lab) }, body: { decision: "approve" } }),
    events: ["answer"],
    wrong: [
      [{ body: { decision: "maybe" } }, "decision"],
      [{ body: { note: 5 } }, "note"],
    ],
    over: [[{ body: { note: long(2001) } }, 413]],
    unknown: noProject,
  },
  listSessions: {
    right: { query: "?project=p" },
    says: { sessions: [] },
    wrong: [[{ query: "" }, "project"]],
    unknown: { query: "?project=no" },
  },
  getSession: { prepare: onSession(false), says: { session_name: "work", status: "active" }, unknown: noProject },
  endSession: { prepare: onSession(false), says: { ok: true }, events: ["session"], unknown: noProject },
  reassignSession: {
    prepare: async (lab) => ({ params: { id: await session(lab) }, body: { agent: "mallory" } }),
    says: { agent: "mallory" },
    events: ["session"],
    wrong: [[{ body: { agent: 5 } }, "agent"]],
    unknown: noProject,
  },
  listBrain: {
    prepare: onSession(false),
    says: { path: "/", truncated: false },
    wrong: [[{ query: "?path=/x" }, "path"]],
    unknown: noProject,
  },
  getBrainEntry: {
    prepare: async (lab) => ({ params: { id: await session(lab) }, query: "?path=/fs/a.md" }),
    says: { content: "hello" },
    wrong: [
      [{ query: "" }, "path"],
      [{ query: "?path=/x" }, "path"],
    ],
    unknown: { query: "?path=/fs/none" },
  },
  listPages: {
    right: inP,
    says: { entries: [], truncated: false },
    wrong: [...limits, [{ query: "?nope=1" }, "nope"]],
    unknown: noProject,
  },
  getPage: {
    prepare: onPage,
    says: { content: "# A\n" },
    wrong: [[{ query: "?version=x" }, "version"]],
    unknown: noPage,
  },
  putPage: {
    right: { params: { id: "p", path: "b.md" }, body: { content: "x" } },
    says: { ok: true, path: "/fs/b.md" },
    wrong: [
      [{ body: { content: 5 } }, "content"],
      [{ body: { nope: 1 } }, "nope"],
      [{ query: "?if_version=x" }, "?if_version"],
    ],
    over: [[{ body: { content: long(1_048_577) } }, 413]],
    unknown: { params: id },
  },
  deletePage: {
    prepare: onPage,
    says: { ok: true },
    events: ["signal"],
    wrong: [[{ query: "?if_version=x" }, "if_version"]],
    unknown: noPage,
  },
  reviewPage: {
    prepare: onPage,
    says: { ok: true },
    events: ["signal"],
    wrong: [[{ body: { nope: 1 } }, "nope"]],
    unknown: noPage,
  },
  revertPage: {
    prepare: async (lab) => {
      const version = await page(lab);
      await lab.http.hub.rest("deletePage", { params: { id: "p", path: "a.md" } });
      return { params: { id: "p", path: "a.md" }, body: { version } };
    },
    says: { changed: true },
    events: ["signal"],
    wrong: [[{ body: { version: "x" } }, "version"]],
    unknown: noPage,
  },
  promoteEntry: {
    prepare: async (lab) => ({
      ...inP,
      body: { from_session_id: await session(lab), from_path: "/fs/a.md", to_path: "c.md" },
    }),
    says: { path: "/fs/c.md" },
    events: ["signal"],
    wrong: [[{ body: { to_path: 5 } }, "to_path"]],
    unknown: { body: { from_session_id: "none" } },
  },
  listPageLog: {
    right: inP,
    says: { rows: [], total: 0 },
    wrong: [
      [{ query: "?limit=x" }, "limit"],
      [{ query: "?op=x" }, "op"],
    ],
    over: [[{ query: "?limit=201" }, 400]],
    unknown: noProject,
  },
  listPageVersions: {
    prepare: async (lab) => ({ ...(await onPage(lab)), query: atPath }),
    says: { total: 1 },
    wrong: [[{ query: "" }, "path"]],
    over: [[{ query: `${atPath}&limit=201` }, 400]],
    unknown: noProject,
  },
  forgetVersions: {
    prepare: async (lab) => ({ ...(await onPage(lab)), query: atPath }),
    says: { ok: true, versions_forgotten: 0 },
    events: ["system"],
    wrong: [
      [{ query: "" }, "path"],
      [{ query: `${atPath}&plan=x` }, "plan"],
    ],
    unknown: { query: "?path=none.md" },
  },
  listBacklinks: {
    prepare: async (lab) => ({ ...(await onPage(lab)), query: atPath }),
    wrong: [[{ query: "" }, "path"]],
    unknown: noProject,
  },
  lintPages: { right: inP, wrong: [[{ query: "?fresh=x" }, "fresh"]], unknown: noProject },
  getPageStats: { right: inP, says: { pages: 0 }, wrong: [[{ query: "?nope=1" }, "nope"]], unknown: noProject },
  listPageComments: {
    right: { ...inP, query: atPath },
    says: { comments: [] },
    wrong: [[{ query: "" }, "path"]],
    unknown: noProject,
  },
  postPageComment: {
    right: { ...inP, body: { path: "a.md", body: "Why?" } },
    wrong: [
      [{ body: { body: " " } }, "body"],
      [{ body: { author: "alice" } }, "author"],
    ],
    over: [[{ body: { body: long(2001) } }, 400]],
    unknown: noProject,
  },
  markPageComment: {
    prepare: async (lab) => ({ ...(await comment(lab)), body: { done: true } }),
    wrong: [[{ body: { done: "x" } }, "done"]],
    unknown: { params: { comment_id: "x" } },
  },
  deletePageComment: { prepare: comment, unknown: { params: { comment_id: "x" } } },
  ...artifactRows,
  getStorage: {},
  pruneSession: { prepare: onSession(true), unknown: noProject },
  pruneSessions: { prepare: onEnded({}) },
  pruneProjectSessions: { prepare: onEnded(inP), unknown: noProject },
  undoPrune: {
    prepare: async (lab) => ({ params: { token: await pruned(lab) } }),
    says: { ok: true },
    unknown: { params: { token: "x" } },
  },
  getHome: { says: { unread: 0 } },
  search: {
    right: { query: "?q=x" },
    says: { count: 0 },
    wrong: [
      [{ query: "" }, "q"],
      [{ query: "?q=x&limit=0" }, "limit"],
      [{ query: "?q=x&type=y" }, "type"],
      [{ query: "?q=x&nope=1" }, "nope"],
    ],
  },
  takeBackup: { says: { manifest: { schema_version: migrations.at(-1)?.version ?? 0, files: 1 } } },
  testNudge: {},
  getHub: { says: { enrol_ttl_secs: 86_400 } },
  getVersion: { agent: 200 },
};

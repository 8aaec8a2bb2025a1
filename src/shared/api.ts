// The shared table of REST calls: both sides are typed by it (rest-api.md 1, 2). A route adds one row here, its answer
// below, and one entry in its feature's routes.ts.
import { type ArtifactAnswers, artifactCalls } from "./artifacts.ts";
import type { Json } from "./json.ts";
import { type KnowledgeAnswers, knowledgeCalls } from "./knowledge.ts";
import type {
  AgentView,
  BackupTakenView,
  BrainEntryView,
  FeedView,
  GrantView,
  HomeView,
  HubView,
  InboxItemView,
  InboxStatus,
  ListedSessionView,
  ProjectStatsView,
  ProjectView,
  PrunedSessionsView,
  SearchView,
  SessionView,
  StorageView,
} from "./views.ts";

export type CallSpec = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:name` stands for one percent-encoded segment, `*` for one or more: the parameter `path`. */
  path: string;
  /**
   * `operator`: admin token. `token`: any active agent's too. `enrolment`: an agent's, pending or active. `none`: no
   * token is read. The last two are not for browsers: an Origin header is refused (rest-api.md 10).
   */
  auth: "operator" | "token" | "enrolment" | "none";
  /** Status of success; 204 has no body. */
  status: 200 | 201 | 202 | 204;
  /** `text`: JSON, or the text of its member `content` as markdown or plain text. */
  body: "none" | "json" | "optional" | "text";
  query?: Readonly<Record<string, "text" | "integer" | "flag" | "list">>;
  /** Unknown query parameters are refused (rest-api.md 0.5). */
  strictQuery?: true;
  /** A body may not name what the address says. */
  strictBody?: true;
  /** Answers in its own time, so that its connection is not closed for being silent. */
  isLong?: true;
  /** An answer that is bytes is plain text; JSON otherwise. */
  answersText?: true;
};

const feedQuery = {
  since: "text",
  before: "text",
  limit: "integer",
  kinds: "list",
  session: "text",
  session_id: "text",
  actor: "text",
} as const;

export const calls = {
  listProjects: { method: "GET", path: "/api/v1/projects", auth: "token", status: 200, body: "none" },
  createProject: { method: "POST", path: "/api/v1/projects", auth: "token", status: 200, body: "json" },
  getProject: { method: "GET", path: "/api/v1/projects/:id", auth: "token", status: 200, body: "none" },
  updateProject: { method: "PATCH", path: "/api/v1/projects/:id", auth: "token", status: 200, body: "json" },
  deleteProject: { method: "DELETE", path: "/api/v1/projects/:id", auth: "operator", status: 204, body: "none" },
  getProjectStats: { method: "GET", path: "/api/v1/projects/:id/stats", auth: "token", status: 200, body: "none" },
  listAgents: { method: "GET", path: "/api/v1/agents", auth: "operator", status: 200, body: "none" },
  createAgent: { method: "POST", path: "/api/v1/agents", auth: "operator", status: 201, body: "json" },
  updateAgent: { method: "PATCH", path: "/api/v1/agents/:id", auth: "operator", status: 200, body: "json" },
  issueToken: { method: "POST", path: "/api/v1/agents/:id/token", auth: "operator", status: 201, body: "none" },
  revokeToken: { method: "DELETE", path: "/api/v1/agents/:id/token", auth: "operator", status: 204, body: "none" },
  askIn: { method: "POST", path: "/api/v1/enrol", auth: "none", status: 202, body: "json" },
  getEnrolStatus: {
    method: "GET",
    path: "/api/v1/enrol/status",
    auth: "enrolment",
    status: 200,
    body: "none",
    query: { wait: "integer" },
  },
  admitAgent: {
    method: "POST",
    path: "/api/v1/enrol/:agent_id/approve",
    auth: "operator",
    status: 200,
    body: "optional",
    strictBody: true,
  },
  refuseAgent: { method: "POST", path: "/api/v1/enrol/:agent_id/refuse", auth: "operator", status: 204, body: "none" },
  listGrants: { method: "GET", path: "/api/v1/agents/:id/grants", auth: "operator", status: 200, body: "none" },
  createGrant: { method: "POST", path: "/api/v1/agents/:id/grants", auth: "operator", status: 201, body: "json" },
  deleteGrant: {
    method: "DELETE",
    path: "/api/v1/agents/:id/grants/:project_id",
    auth: "operator",
    status: 204,
    body: "none",
  },
  listInbox: {
    method: "GET",
    path: "/api/v1/inbox",
    auth: "operator",
    status: 200,
    body: "none",
    query: {
      status: "text",
      group: "text",
      project: "text",
      actor: "text",
      kind: "text",
      event_id: "text",
      before: "text",
      limit: "integer",
      unread_only: "flag",
    },
  },
  markRead: { method: "POST", path: "/api/v1/inbox/:event_id/read", auth: "operator", status: 200, body: "none" },
  markUnread: { method: "POST", path: "/api/v1/inbox/:event_id/unread", auth: "operator", status: 200, body: "none" },
  markAllRead: { method: "POST", path: "/api/v1/inbox/read-all", auth: "operator", status: 200, body: "optional" },
  snoozeItem: { method: "PUT", path: "/api/v1/inbox/:event_id/snooze", auth: "operator", status: 200, body: "json" },
  wakeItem: { method: "DELETE", path: "/api/v1/inbox/:event_id/snooze", auth: "operator", status: 204, body: "none" },
  extendItem: { method: "POST", path: "/api/v1/inbox/:event_id/extend", auth: "operator", status: 200, body: "json" },
  listFeed: {
    method: "GET",
    path: "/api/v1/feed",
    auth: "operator",
    status: 200,
    body: "none",
    query: feedQuery,
    strictQuery: true,
  },
  listProjectFeed: {
    method: "GET",
    path: "/api/v1/projects/:id/feed",
    auth: "operator",
    status: 200,
    body: "none",
    query: { ...feedQuery, around: "text" },
    strictQuery: true,
  },
  markFeedSeen: {
    method: "POST",
    path: "/api/v1/projects/:id/feed/seen",
    auth: "operator",
    status: 200,
    body: "json",
  },
  answerQuestion: {
    method: "POST",
    path: "/api/v1/questions/:id/answer",
    auth: "operator",
    status: 200,
    body: "json",
  },
  decideApproval: {
    method: "POST",
    path: "/api/v1/approvals/:id/decision",
    auth: "operator",
    status: 200,
    body: "json",
  },
  listSessions: {
    method: "GET",
    path: "/api/v1/sessions",
    auth: "operator",
    status: 200,
    body: "none",
    query: { project: "text", agent: "text" },
  },
  getSession: { method: "GET", path: "/api/v1/sessions/:id", auth: "operator", status: 200, body: "none" },
  endSession: { method: "POST", path: "/api/v1/sessions/:id/end", auth: "operator", status: 200, body: "none" },
  reassignSession: {
    method: "POST",
    path: "/api/v1/sessions/:id/reassign",
    auth: "operator",
    status: 200,
    body: "json",
  },
  listBrain: {
    method: "GET",
    path: "/api/v1/sessions/:id/brain",
    auth: "operator",
    status: 200,
    body: "none",
    query: { path: "text" },
  },
  getBrainEntry: {
    method: "GET",
    path: "/api/v1/sessions/:id/brain/entry",
    auth: "operator",
    status: 200,
    body: "none",
    query: { path: "text" },
  },
  ...artifactCalls,
  ...knowledgeCalls,
  getStorage: { method: "GET", path: "/api/v1/storage", auth: "operator", status: 200, body: "none" },
  pruneSession: {
    method: "DELETE",
    path: "/api/v1/storage/sessions/:id",
    auth: "operator",
    status: 200,
    body: "none",
  },
  pruneSessions: { method: "DELETE", path: "/api/v1/storage/sessions", auth: "operator", status: 200, body: "none" },
  pruneProjectSessions: {
    method: "DELETE",
    path: "/api/v1/storage/projects/:id/sessions",
    auth: "operator",
    status: 200,
    body: "none",
  },
  undoPrune: { method: "POST", path: "/api/v1/prune/undo/:token", auth: "operator", status: 200, body: "none" },
  getHome: { method: "GET", path: "/api/v1/home", auth: "operator", status: 200, body: "none" },
  search: {
    method: "GET",
    path: "/api/v1/search",
    auth: "operator",
    status: 200,
    body: "none",
    query: {
      q: "text",
      scope: "text",
      project: "text",
      type: "text",
      session_id: "text",
      session: "text",
      limit: "integer",
    },
    strictQuery: true,
  },
  takeBackup: { method: "POST", path: "/api/v1/backups", auth: "operator", status: 201, body: "none", isLong: true },
  testNudge: { method: "POST", path: "/api/v1/notify/test", auth: "operator", status: 200, body: "none" },
  getHub: { method: "GET", path: "/api/v1/hub", auth: "operator", status: 200, body: "none" },
  getVersion: { method: "GET", path: "/api/v1/version", auth: "token", status: 200, body: "none" },
} as const satisfies Record<string, CallSpec>;

export type CallName = keyof typeof calls;

type OfNouns = ArtifactAnswers & KnowledgeAnswers;

/** What each call answers with. */
export type Answers = OfNouns & {
  listProjects: { projects: ProjectView[] };
  createProject: ProjectView;
  getProject: ProjectView;
  updateProject: ProjectView;
  deleteProject: undefined;
  getProjectStats: ProjectStatsView;
  listAgents: { agents: AgentView[] };
  createAgent: AgentView;
  updateAgent: AgentView;
  issueToken: { token: string; created_at: string };
  revokeToken: undefined;
  askIn: { token: string; agent_id: string; status: "pending" };
  getEnrolStatus: { status: "pending" } | { status: "approved"; agent_id: string; share: boolean };
  admitAgent: AgentView;
  refuseAgent: undefined;
  listGrants: { grants: GrantView[] };
  createGrant: GrantView;
  deleteGrant: undefined;
  listInbox: {
    items: InboxItemView[];
    next_before: string | null;
    counts: { waiting: number; snoozed: number; unread: number; earlier: number };
  };
  markRead: { event_id: string; status: InboxStatus; changed: boolean };
  markUnread: { event_id: string; status: InboxStatus; changed: boolean };
  markAllRead: { marked: number; event_ids: string[] };
  snoozeItem: { event_id: string; snoozed_until: string };
  wakeItem: undefined;
  extendItem: { event_id: string; expires_at: string };
  listFeed: FeedView;
  listProjectFeed: FeedView;
  markFeedSeen: { project_id: string; last_seen: string | null; advanced: boolean };
  answerQuestion: { event_id: string };
  decideApproval: { event_id: string };
  listSessions: { sessions: ListedSessionView[] };
  getSession: ListedSessionView & {
    events: number;
    last_event: { at: string; actor: string; summary: string } | null;
  };
  endSession: { ok: true };
  reassignSession: SessionView;
  listBrain: { entries: BrainEntryView[]; path: string; truncated: boolean };
  getBrainEntry: {
    path: string;
    type: "key" | "file";
    size_bytes: number;
    version: string;
    content: string;
    written_at: string | null;
  };
  getStorage: StorageView;
  pruneSession: { undo_token: string; undo_expires_at: string };
  pruneSessions: PrunedSessionsView;
  pruneProjectSessions: PrunedSessionsView;
  undoPrune: { ok: true };
  getHome: HomeView;
  search: SearchView;
  takeBackup: BackupTakenView;
  testNudge: { delivered: boolean; error: string | null };
  getHub: HubView;
  getVersion: { version: string; commit: string | null };
};

/** RFC 9457, as every failure over HTTP (rest-api.md 0.4). */
export type Problem = {
  type: "about:blank";
  title: string;
  status: number;
  detail: string;
  code: string;
  retryable: boolean;
  details: { [fact: string]: Json };
};

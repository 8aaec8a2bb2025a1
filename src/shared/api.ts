// The shared table of REST calls: both sides are typed by it (rest-api.md 1, 2). A route adds one row here, its answer
// below, and one entry in its feature's routes.ts.
import type { Json } from "./json.ts";

export type CallSpec = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:name` stands for one percent-encoded segment. */
  path: string;
  /** `operator`: admin token. `token`: any active agent's too. */
  auth: "operator" | "token";
  /** Status of success; 204 has no body. */
  status: 200 | 201 | 204;
  body: "none" | "json" | "optional";
  query?: Readonly<Record<string, "text" | "integer" | "flag" | "list">>;
  /** Unknown query parameters are refused (rest-api.md 0.5). */
  strictQuery?: true;
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
  listAgents: { method: "GET", path: "/api/v1/agents", auth: "operator", status: 200, body: "none" },
  createAgent: { method: "POST", path: "/api/v1/agents", auth: "operator", status: 201, body: "json" },
  updateAgent: { method: "PATCH", path: "/api/v1/agents/:id", auth: "operator", status: 200, body: "json" },
  issueToken: { method: "POST", path: "/api/v1/agents/:id/token", auth: "operator", status: 201, body: "none" },
  revokeToken: { method: "DELETE", path: "/api/v1/agents/:id/token", auth: "operator", status: 204, body: "none" },
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
  getHome: { method: "GET", path: "/api/v1/home", auth: "operator", status: 200, body: "none" },
  testNudge: { method: "POST", path: "/api/v1/notify/test", auth: "operator", status: 200, body: "none" },
  getVersion: { method: "GET", path: "/api/v1/version", auth: "token", status: 200, body: "none" },
} as const satisfies Record<string, CallSpec>;

export type CallName = keyof typeof calls;

export const eventKinds = [
  "signal",
  "finished",
  "question",
  "answer",
  "approval",
  "artifact",
  "session",
  "idea",
  "system",
] as const;
export type EventKind = (typeof eventKinds)[number];

export const inboxStatuses = ["unread", "read", "action", "waiting", "resolved"] as const;
export type InboxStatus = (typeof inboxStatuses)[number];

export type ItemKind = "finished" | "question" | "approval";
export type OnExpiry = "approve" | "decline" | "close";

export type EventView = {
  id: string;
  project_id: string;
  kind: EventKind;
  actor: string;
  summary: string;
  payload: Json;
  thread_id: string | null;
  session_id: string | null;
  needs_action: boolean;
  created_at: string;
  inbox_status: InboxStatus | null;
};

export type ProjectView = {
  id: string;
  display_name: string;
  owner_agent: string | null;
  is_personal: boolean;
  confidential: boolean;
  created_at: string;
  unseen_events: number;
  agents_active: number;
};

export type DecisionView = {
  decision: "approved" | "declined";
  note: string | null;
  actor: string;
  event_id: string;
  decided_at: string;
  expired?: true;
};

export type AnswerView = {
  body: string | null;
  actor: string;
  event_id: string;
  answered_at: string;
  expired?: true;
};

export type InboxItemView = {
  event_id: string;
  project_id: string;
  project_display_name: string | null;
  kind: ItemKind;
  actor: string;
  summary: string;
  payload: Json;
  status: InboxStatus;
  created_at: string;
  updated_at: string;
  expires_at?: string;
  on_expiry?: OnExpiry;
  decision?: DecisionView;
  answer?: AnswerView;
  /** Only while snoozed; the operator's alone. */
  snoozed_until?: string;
};

export type FeedView = {
  events: EventView[];
  next_since: string | null;
  next_before: string | null;
  last_seen: string | null;
};

export type AgentView = {
  id: string;
  display_name: string;
  personal_project_id: string;
  created_at: string;
  last_seen_at: string | null;
  state: "active" | "pending";
  first_seen_at: string | null;
  first_call_at: string | null;
  token_live: boolean;
  at_work: boolean;
  open_items: number;
  last_refused_at: string | null;
};

export type GrantView = { agent_id: string; project_id: string; created_at: string };

export type HomeView = {
  unread: number;
  waiting: number;
  snoozed: number;
  waiting_items: InboxItemView[];
  node: { host: string; mode: "local" };
  agents_active: number;
  active_sessions: {
    session_id: string;
    session_name: string;
    agent: string;
    project_id: string;
    project_display_name: string | null;
    since: string;
    last_activity: string;
    last_event: string | null;
  }[];
  last_event_at: string | null;
  recent: (EventView & { project_display_name: string | null })[];
  unseen: { project_id: string; events: number; project_display_name: string | null }[];
  storage: { used_bytes: number; capacity_bytes: number | null; free_bytes: number | null };
  /** Null while the hub cannot prune. */
  prunable: { sessions: number; bytes: number } | null;
  /** Null while the hub keeps no pages. */
  needs_review: number | null;
};

/** What each call answers with. */
export type Answers = {
  listProjects: { projects: ProjectView[] };
  createProject: ProjectView;
  getProject: ProjectView;
  updateProject: ProjectView;
  deleteProject: undefined;
  listAgents: { agents: AgentView[] };
  createAgent: AgentView;
  updateAgent: AgentView;
  issueToken: { token: string; created_at: string };
  revokeToken: undefined;
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
  getHome: HomeView;
  testNudge: { delivered: boolean; error: string | null };
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

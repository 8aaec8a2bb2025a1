// What REST answers show, as types of both sides (rest-api.md 2): names and shapes of the wire.
import type { Json } from "./json.ts";

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

export type ProjectStatsView = {
  project_id: string;
  events: number;
  artifacts: number;
  sessions: number;
  kb_pages: number;
  agents_active: number;
  events_by_kind: Record<Exclude<EventKind, "system">, number>;
  waiting: number;
  live_sessions: number;
  threads: number;
  agents_written: number;
  /** Absent when it cannot be measured. */
  disk_bytes?: number;
};

export type HubView = {
  version: string;
  commit: string | null;
  build: string;
  node: { host: string; mode: "local" };
  started_at: string;
  public_url: string | null;
  mcp_url: string;
  data_path: string;
  schema_version: number;
  features: { enrol: boolean; notify: boolean; backups: boolean };
  limits: {
    body_bytes: number;
    artifact_bytes: number;
    page_bytes: number;
    brain_value_bytes: number;
    note_chars: number;
    comment_chars: number;
    handoff_chars: number;
  };
  enrol_ttl_secs: number;
  notify: { origin: string | null; last_result: "delivered" | "failed" | null; last_at: string | null };
  refused_calls: { count: number; last_at: string | null };
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
  enrol_note?: string;
  enrol_source?: string;
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
  prunable: Prunable;
  needs_review: number;
};

export type SessionView = {
  id: string;
  project_id: string;
  session_name: string;
  agent: string;
  status: "active" | "ended";
  created_at: string;
  last_activity: string;
  forked_from: string | null;
  adopted_from: string | null;
  handoff: string | null;
};

export type ListedSessionView = SessionView & {
  lineage: null | { kind: "adopted" | "forked"; session_id: string; agent: string | null; pruned: boolean };
  brain_bytes: number;
};

export type BrainEntryView = { path: string; type: "key" | "file" | "dir"; size_bytes: number };

export type PrunedSessionsView = {
  sessions: { session_id: string; undo_token: string }[];
  undo_expires_at: string;
};

export type Prunable = { sessions: number; bytes: number };

export type StorageView = {
  total_bytes: number;
  used_bytes: number;
  capacity_bytes: number | null;
  free_bytes: number | null;
  data_path: string;
  node: { host: string; mode: "local" };
  by_kind: { events: number; sessions: number; artifacts: number; knowledge: number };
  events_shared_bytes: number;
  prunable: Prunable;
  projects: {
    project_id: string;
    project_display_name: string | null;
    events_bytes: number;
    artifact_bytes: number;
    session_bytes: number;
    kb_bytes: number;
    prunable_sessions: number;
    prunable_bytes: number;
    last_write?: string;
  }[];
};

export type BackupTakenView = {
  /** Name of the new directory under `backup_dir`. */
  directory: string;
  path: string;
  manifest: { schema_version: number; created_at: string; files: number; bytes: number };
  duration_ms: number;
};

export type SearchFamily = "feed" | "artifact" | "brain" | "kb";

export type SearchHitView = {
  doc_id: string;
  project_id: string;
  project_display_name: string | null;
  kind: SearchFamily;
  ref_id: string;
  session_id: string | null;
  title: string | null;
  snippet: string;
  updated_at: string;
  event_kind?: EventKind;
  actor?: string;
  /** Of an artifact's current version. */
  version?: number;
  size_bytes?: number;
  session_name?: string;
  session_status?: string;
};

export type SearchView = {
  count: number;
  truncated: boolean;
  took_ms: number;
  groups: { kind: SearchFamily; count: number; hits: SearchHitView[] }[];
};

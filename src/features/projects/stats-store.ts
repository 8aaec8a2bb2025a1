// SQL of what one project holds (rest-api.md 4): figures over other nouns' tables, read only.
import { type EventKind, eventKinds } from "../../shared/views.ts";
import type { Db } from "../../storage/database.ts";

type FeedKind = Exclude<EventKind, "system">;

export type ProjectStats = {
  projectId: string;
  events: number;
  eventsByKind: Record<FeedKind, number>;
  threads: number;
  writers: number;
  sessions: number;
  liveSessions: number;
  agentsActive: number;
  artifacts: number;
  pages: number;
  waiting: number;
  diskBytes: number;
};

const feedKinds = eventKinds.filter((kind): kind is FeedKind => kind !== "system");

// So many events take a few tens of milliseconds, and a project may hold a million: others are served in between.
const eventsAtOnce = 5000;
// Far more than the ceiling of a project.
const roundsMax = 10_000;

type Slice = Record<FeedKind, number> & { threads: number; last: string | null };

const sliceSql =
  "FROM (SELECT id, kind, actor, thread_id FROM events WHERE project_id = ? AND id > ? ORDER BY id LIMIT ?) e";

// The kinds are a closed list of our own. A thread whose root names itself is counted at its root.
const countSql = `SELECT ${feedKinds.map((kind) => `count(*) FILTER (WHERE kind = '${kind}') AS "${kind}"`).join(", ")},
    count(*) FILTER (WHERE thread_id = id) AS threads, max(id) AS last ${sliceSql}`;
const actorsSql = `SELECT DISTINCT actor ${sliceSql} WHERE kind <> 'system'`;
const otherThreadsSql = `SELECT DISTINCT e.thread_id ${sliceSql} LEFT JOIN events r ON r.id = e.thread_id
  WHERE e.thread_id <> e.id AND r.thread_id IS NOT r.id`;

async function countEvents(
  db: Db,
  projectId: string,
): Promise<{ eventsByKind: Record<FeedKind, number>; threads: number; writers: number }> {
  const eventsByKind = { ...noEvents };
  const writers = new Set<string>();
  const otherThreads = new Set<string>();
  let threads = 0;
  let after = "";
  for (let round = 0; round < roundsMax; round += 1) {
    const slice = [projectId, after, eventsAtOnce] as const;
    const counts = db.get<Slice>(countSql, ...slice);
    if (counts === undefined || counts.last === null) break;
    for (const kind of feedKinds) eventsByKind[kind] += counts[kind];
    threads += counts.threads;
    for (const { actor } of db.all<{ actor: string }>(actorsSql, ...slice)) writers.add(actor);
    for (const { thread_id } of db.all<{ thread_id: string }>(otherThreadsSql, ...slice)) otherThreads.add(thread_id);
    after = counts.last;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { eventsByKind, threads: threads + otherThreads.size, writers: writers.size };
}

const sessionsSql = `SELECT count(*) AS sessions, count(*) FILTER (WHERE last_activity >= ?) AS live,
    count(DISTINCT CASE WHEN last_activity >= ? THEN agent END) AS agents, coalesce(sum(brain_bytes), 0) AS bytes
  FROM sessions WHERE project_id = ? AND pruned_at IS NULL`;

// An item past its deadline waits on nobody, even before the sweep has said so.
const waitingSql = `SELECT count(*) AS waiting FROM items
  WHERE project_id = ? AND status IN ('action', 'waiting')
    AND coalesce(snoozed_until, 0) <= ? AND (expires_at IS NULL OR expires_at > ?)`;

/** `activeSince` in milliseconds: sessions touched since then are live. */
export async function countProject(
  db: Db,
  projectId: string,
  at: { now: number; activeSince: number },
): Promise<ProjectStats> {
  const { eventsByKind, threads, writers } = await countEvents(db, projectId);
  const sessions = db.get<{ sessions: number; live: number; agents: number; bytes: number }>(
    sessionsSql,
    at.activeSince,
    at.activeSince,
    projectId,
  );
  const base = db.get<{ pages: number; bytes: number }>(
    "SELECT pages, kept_bytes AS bytes FROM knowledge_bases WHERE project_id = ?",
    projectId,
  );
  const documents = db.get<{ artifacts: number; bytes: number }>(
    "SELECT count(*) AS artifacts, coalesce(sum(bytes), 0) AS bytes FROM artifacts WHERE project_id = ?",
    projectId,
  );
  return {
    projectId,
    events: Object.values(eventsByKind).reduce((sum, count) => sum + count, 0),
    eventsByKind,
    threads,
    writers,
    sessions: sessions?.sessions ?? 0,
    liveSessions: sessions?.live ?? 0,
    agentsActive: sessions?.agents ?? 0,
    artifacts: documents?.artifacts ?? 0,
    pages: base?.pages ?? 0,
    waiting: db.get<{ waiting: number }>(waitingSql, projectId, at.now, at.now)?.waiting ?? 0,
    diskBytes: (sessions?.bytes ?? 0) + (documents?.bytes ?? 0) + (base?.bytes ?? 0),
  };
}

const noEvents: Record<FeedKind, number> = {
  signal: 0,
  finished: 0,
  question: 0,
  answer: 0,
  approval: 0,
  artifact: 0,
  session: 0,
  idea: 0,
};

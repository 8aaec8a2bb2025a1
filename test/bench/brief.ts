// The brief of a project with 600,000 events, over MCP one call at a time: of an agent that has read most of the feed, of
// one that is hundreds of thousands behind, and of one that never came. All have answers, open items and stale pages to be
// told of. The floor reads the same newest events from the same store and nothing else.
import { Database } from "bun:sqlite";
import { type Figure, median, type Row, repetitions } from "./figure.ts";
import { type LargeHub, largeProject, startLargeHub } from "./million-events.ts";
import { callOnce } from "./requests.ts";
import { type Taken, timed } from "./timed.ts";

const calls = 40;
/** What the slowest twentieth of the briefs may take, milliseconds. */
const budgetMs = 15;
const readers = [
  { agent: "reader", name: "12 unread", behind: 12 },
  { agent: "late", name: "300,000 unread", behind: 300_000 },
  { agent: "stranger", name: "a first look", behind: null },
] as const;

export const briefFigure: Figure = {
  name: "brief",
  async measure(subject) {
    await using hub = await startLargeHub(subject);
    using bare = new Database(hub.storePath, { readonly: true, strict: true });
    bare.run("PRAGMA cache_size = -65536");
    const newest = bare.query(
      "SELECT id, kind, actor, summary FROM events WHERE project_id = ? ORDER BY id DESC LIMIT 200",
    );
    const rows: Row[] = [];
    for (const { agent, name, behind } of readers) {
      const token = await settle(hub, bare, agent, behind);
      const brief = (): Promise<void> =>
        callOnce(hub.url, token, { name: "session_brief", arguments: { project_id: largeProject } });
      const ofHub: Taken[] = [];
      const ofFloor: Taken[] = [];
      const turns = Array.from({ length: calls }, () => undefined);
      for (let repetition = 0; repetition <= repetitions; repetition += 1) {
        const taken = await timed(turns, brief);
        const floor = await timed(turns, async () => newest.all(largeProject));
        // The first round fills caches and is thrown away.
        if (repetition > 0) ofHub.push(taken);
        if (repetition > 0) ofFloor.push(floor);
      }
      const p50 = median(ofHub.map((taken) => taken.p50)).toFixed(1);
      const bareP95 = median(ofFloor.map((taken) => taken.p95)).toFixed(1);
      rows.push({
        name: `brief: ${name}: p95 (p50 ${p50}, bare newest 200 p95 ${bareP95})`,
        unit: "ms",
        hub: ofHub.map((taken) => taken.p95),
        floor: ofHub.map(() => budgetMs),
        against: "the target, 15 ms",
        target: { kind: "at most", must: 1, ambitious: 0.5 },
        ofServers: null,
      });
    }
    return rows;
  },
};

/** Makes the agent, gives it something of everything, and puts its cursor where it stopped reading. */
async function settle(
  { url, adminToken }: LargeHub,
  bare: Database,
  agent: string,
  behind: number | null,
): Promise<string> {
  const post = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
    // Every answer of these calls is a JSON object.
    return (await response.json()) as Record<string, unknown>;
  };
  await post("/agents", { id: agent, display_name: agent });
  const token = String((await post(`/agents/${agent}/token`))["token"]);
  const call = (name: string, args: object): Promise<void> =>
    callOnce(url, token, { name, arguments: { project_id: largeProject, ...args } });
  if (behind !== null) {
    const cursor = bare
      .query<{ id: string }, [string, number]>(
        "SELECT id FROM events WHERE project_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?",
      )
      .get(largeProject, behind);
    await call("feed_read", { since: cursor?.id ?? "0", limit: 1 });
  }
  for (let index = 0; index < 30; index += 1) {
    // A session is history: who never came has none.
    if (behind !== null) await call("session_start", { session_name: `s${index}` });
    await call("question_post", { subject: `Is it ${index}?` });
    await call("brain_put", {
      store: "project",
      path: `/fs/${agent}/${index}.md`,
      content: "---\ntype: Guide\nstale_after: 2001-01-01\n---\n",
    });
  }
  const asked = bare
    .query<{ id: string }, [string]>("SELECT id FROM events WHERE kind = 'question' AND actor = ? ORDER BY id LIMIT 15")
    .all(agent);
  for (const { id } of asked) await post(`/questions/${id}/answer`, { body: "yes" });
  return token;
}

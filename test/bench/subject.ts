// The hub under measurement: a copy of the compiled binary on a store of its own with agents, projects and a log that is
// large enough for its indexes to matter. The floor of the appends works on a copy of the same store.
import { Database } from "bun:sqlite";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeTime } from "../../src/shared/ids.ts";
import { root } from "../support/source-files.ts";
import { type Server, startServer } from "./programs.ts";
import { callOnce, initialize, signal } from "./requests.ts";

const agents = 64;
const projects = 50;
/** Rows of the log before the first call. An empty table would flatter both sides. */
const seededEvents = 200_000;

export type BenchAgent = {
  readonly token: string;
  readonly projectId: string;
  /** Connection of the 2025 line. */
  readonly sessionId: string;
};

export type Subject = AsyncDisposable & {
  /** Temporary; gone with the subject. */
  readonly folder: string;
  /** The copy of the binary that runs. */
  readonly binary: string;
  readonly hub: Server & { readonly url: string };
  readonly agents: readonly BenchAgent[];
  /** A copy of the hub's store as it was before the first call. */
  readonly storeCopy: string;
};

/** Starts the binary that was built last. */
export async function startSubject(): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), "agent-hub-bench-"));
  try {
    return await start(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function start(folder: string): Promise<Subject> {
  const binary = join(folder, "agent-hub");
  await copyFile(join(root, "dist", "agent-hub"), binary);
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  const serve = (): Promise<Server> => startServer([binary, "serve"], environmentOf(folder), folder);
  const tokens = await populate(await serve(), dataDir);
  const storeCopy = join(folder, "floor.db");
  await copyFile(join(dataDir, "hub.db"), storeCopy);
  const server = await serve();
  const url = `http://127.0.0.1:${server.port}`;
  const members: BenchAgent[] = [];
  for (const [index, token] of tokens.entries()) {
    members.push({ token, projectId: projectName(index % projects), sessionId: await initialize(url, token) });
  }
  return {
    folder,
    binary,
    hub: { ...server, url },
    agents: members,
    storeCopy,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Nothing of the machine's or the person's own configuration. */
export function environmentOf(folder: string): Record<string, string> {
  return {
    HOME: folder,
    AGENT_HUB_SYSTEM_CONFIG: join(folder, "no-system-config.toml"),
    HUB_BIND: "127.0.0.1:0",
    HUB_DATA_DIR: join(folder, "data"),
    HUB_LOG: "warn",
  };
}

// Agents and projects the way the operator makes them, then rows straight into the stopped store.
async function populate(server: Server, dataDir: string): Promise<string[]> {
  const origin = `http://127.0.0.1:${server.port}`;
  const admin = (await Bun.file(join(dataDir, "admin-token")).text()).trim();
  const post = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
    // Every answer of these calls is a JSON object.
    return (await response.json()) as Record<string, unknown>;
  };
  for (let index = 0; index < projects; index += 1) {
    await post("/projects", { id: projectName(index), display_name: projectName(index) });
  }
  const tokens: string[] = [];
  for (let index = 0; index < agents; index += 1) {
    await post("/agents", { id: agentName(index), display_name: agentName(index) });
    tokens.push(String((await post(`/agents/${agentName(index)}/token`))["token"]));
  }
  for (let index = 0; index < projects; index += 1) {
    await callOnce(origin, tokens[index] ?? "", signal(projectName(index)));
  }
  await server.stop();
  fill(join(dataDir, "hub.db"));
  return tokens;
}

// Copies of the rows the hub wrote itself, so that they are whatever rows are in this version.
function fill(path: string): void {
  using database = new Database(path, { strict: true });
  database.run("PRAGMA cache_size = -262144");
  const table = database.prepare<{ name: string }, []>("SELECT name FROM pragma_table_info('events')").all();
  const copied = table.map(({ name }) => name).filter((name) => name !== "seq" && name !== "id");
  // Ids of a past minute, in order: below every id the hub will mint.
  const past = encodeTime(Date.now() - 600_000);
  database.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?),
       first (place, ${copied}) AS MATERIALIZED (
         SELECT row_number() OVER (ORDER BY id) - 1, ${copied} FROM events WHERE kind = 'signal')
     INSERT INTO events (id, ${copied})
     SELECT ? || printf('%016d', i), ${copied} FROM n JOIN first ON place = i * 7919 % (SELECT count(*) FROM first)`,
    [seededEvents, past],
  );
  database.run(
    "UPDATE event_totals SET events = (SELECT count(*) FROM events e WHERE e.project_id = event_totals.project_id)",
  );
  // As if they had been taken in: the measurement is not to find them waiting.
  database.run("INSERT OR REPLACE INTO search_feed_mark (only, event_id) SELECT 1, max(id) FROM events");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

function projectName(index: number): string {
  return `project-${index}`;
}

function agentName(index: number): string {
  return `agent-${index}`;
}

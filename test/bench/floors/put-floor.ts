// Floor of a durable value: a bare Bun.serve that looks the bearer up, parses the JSON, hashes the content and writes
// blob and entry into the hub's own tables in group commit with synchronous=FULL. A path under /fs/ has its bytes in a
// file: written aside, synced, renamed, its directory synced, all in the thread pool. No rules, no index, no protocol.
import { Database } from "bun:sqlite";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";

type Call = { params: { arguments: { path: string; content: string } } };
type Job = { write: () => void; done: () => void };

const [store = "", blobs = ""] = process.argv.slice(2);
const filesAtOnce = 16;
const database = new Database(store, { readwrite: true, strict: true });
for (const setting of [
  "journal_mode = WAL",
  "synchronous = FULL",
  "cache_size = -65536",
  "wal_autocheckpoint = 4000",
  "journal_size_limit = 67108864",
]) {
  database.run(`PRAGMA ${setting}`);
}
const holder = database.prepare<{ agent_id: string }, [string]>("SELECT agent_id FROM tokens WHERE hash = ?");
const insertBlob = database.prepare<undefined, [string, number, Uint8Array | null, number]>(
  "INSERT INTO blobs (hash, size, bytes, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING",
);
const upsertEntry = database.prepare<undefined, [string, string, number, number, string]>(
  `INSERT INTO brain_entries (session_id, path, blob, size, written_at) SELECT ?, ?, id, ?, ? FROM blobs WHERE hash = ?
   ON CONFLICT (session_id, path) DO UPDATE SET blob = excluded.blob, size = excluded.size, written_at = excluded.written_at`,
);
const begin = database.prepare("BEGIN IMMEDIATE");
const commit = database.prepare("COMMIT");
let waiting: Job[] = [];

function drain(): void {
  const batch = waiting;
  waiting = [];
  begin.run();
  for (const { write } of batch) write();
  commit.run();
  for (const { done } of batch) done();
}

function inGroup(write: () => void): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(drain);
    waiting.push({ write, done: resolve });
  });
}

let free = filesAtOnce;
const queue: (() => void)[] = [];
async function writeFile(hash: string, bytes: Uint8Array): Promise<void> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => queue.push(resolve));
  try {
    const folder = join(blobs, hash.slice(0, 2));
    const temporary = join(blobs, randomUUID());
    const file = await open(temporary, "wx", 0o600);
    await file.writeFile(bytes);
    await file.sync();
    await file.close();
    await mkdir(folder, { recursive: true });
    await rename(temporary, join(folder, hash.slice(2)));
    const directory = await open(folder, "r");
    await directory.sync();
    await directory.close();
  } finally {
    const next = queue.shift();
    if (next === undefined) free += 1;
    else next();
  }
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const token = (request.headers.get("authorization") ?? "").slice("Bearer ".length);
    const agent = holder.get(Bun.SHA256.hash(token, "hex"));
    if (agent === null) return new Response(null, { status: 401 });
    // Only the benchmark asks.
    const { params } = (await request.json()) as Call;
    const { path, content } = params.arguments;
    const bytes = new TextEncoder().encode(content);
    const hash = createHash("sha256").update(bytes).digest("hex");
    const isFile = path.startsWith("/fs/");
    if (isFile) await writeFile(hash, bytes);
    await inGroup(() => {
      insertBlob.run(hash, bytes.byteLength, isFile ? null : bytes, Date.now());
      upsertEntry.run(agent.agent_id, path, bytes.byteLength, Date.now(), hash);
    });
    return Response.json({ version: `sha256:${hash}` });
  },
});
process.stderr.write(`listening on http://127.0.0.1:${server.port}\n`);

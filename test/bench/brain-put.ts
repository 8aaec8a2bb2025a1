// A value of 4 KiB written by each of 64 agents into its own brain, new bytes every time: as a key, whose bytes live in
// a row, and as a file. The floor does the same durable writes and nothing else.
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { numberPlace, openWriters } from "./changing-load.ts";
import { type Figure, inTurns, type Row, repetitions } from "./figure.ts";
import { compile, startServer } from "./programs.ts";
import { call2025 } from "./requests.ts";
import type { BenchAgent, Subject } from "./subject.ts";

const valueBytes = 4096;
const sliceMs = 500;
const target = { kind: "at least", must: 0.4, ambitious: 0.6 } as const;

export const brainPutFigure: Figure = {
  name: "brain-put",
  async measure({ hub, agents, folder, storeCopy }) {
    const program = await compile("floors/put-floor.ts", folder, "put-floor");
    const store = `${storeCopy}.put`;
    await copyFile(storeCopy, store);
    const blobs = join(folder, "put-floor-blobs");
    await mkdir(blobs);
    await using floor = await startServer([program, store, blobs], {}, folder);
    for (const agent of agents) await startSession(hub, agent);
    const rows: Row[] = [];
    for (const [name, path, against] of [
      [
        "brain_put of 4 KiB, a key",
        "/kv/bench",
        "compiled Bun.serve: bearer, JSON, hash, blob in its row, group commit FULL",
      ],
      ["brain_put of 4 KiB, a file", "/fs/bench", "the same with the blob in a file, file and directory synced"],
    ] as const) {
      const requests = (port: number) =>
        agents.map(({ token, sessionId }, index) => call2025(port, token, sessionId, put(path, index)));
      const contenders = [
        await openWriters(hub.port, requests(hub.port)),
        await openWriters(floor.port, requests(floor.port)),
      ];
      for (const writers of contenders) await writers.slice(sliceMs);
      const slices = contenders.map((writers) => () => writers.slice(sliceMs));
      const [ofHub = [], ofFloor = []] = await inTurns(slices, repetitions);
      rows.push({ name, unit: "calls/s", hub: ofHub, floor: ofFloor, against, target, ofServers: null });
    }
    return rows;
  },
};

function put(path: string, agent: number): { name: string; arguments: object } {
  // Words, since they are indexed; every agent has its own.
  const text = Array.from(
    { length: valueBytes / 6 },
    (_, index) => `w${((index * 7919 + agent * 104_729) % 5000).toString(36)}`,
  );
  const content = `${numberPlace} ${text.join(" ")}`.padEnd(valueBytes, " x").slice(0, valueBytes);
  return { name: "brain_put", arguments: { store: "session", path, content } };
}

async function startSession(hub: Subject["hub"], { token, sessionId, projectId }: BenchAgent): Promise<void> {
  const params = { name: "session_start", arguments: { project_id: projectId, session_name: "bench" } };
  const response = await fetch(`${hub.url}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "mcp-session-id": sessionId },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"isError":true')) throw new Error(`session_start failed: ${text}`);
}

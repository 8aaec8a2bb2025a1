// The live stream of the compiled binary, cut, behind nginx, and left by many (rest-api.md 16, web-app.md 2.8).
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { createAgent } from "../support/agents.ts";
import { type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { eventsOf, type LiveStreamReader, openLiveStream, topicsOf } from "../support/live-stream.ts";
import { callOnWire } from "../support/mcp-wire.ts";
import { type NginxProxy, startNginx } from "../support/nginx.ts";
import { operate } from "../support/operator.ts";
import { within } from "../support/processes.ts";
import { eventually } from "../support/proxy-harness.ts";

const boundMs = 60_000;

let folder: TempDir;
let hub: RunningHub;
let nginx: NginxProxy;
let alice: string;

beforeAll(async () => {
  folder = await TempDir.create();
  hub = await startHub({ dataDir: `${folder.path}/data` });
  nginx = await startNginx(hub.url);
  await operate(hub, "createProject", { body: { id: "p", display_name: "P" } });
  alice = await createAgent(hub, "alice");
}, boundMs);
afterAll(async () => {
  await nginx[Symbol.asyncDispose]();
  await hub[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const ask = (subject: string) => callOnWire(hub.url, alice, "2025", "question_post", { project_id: "p", subject });
const openFiles = async (): Promise<number> => (await readdir(`/proc/${hub.pid}/fd`)).length;

async function opened(url: string, lastEventId?: string): Promise<LiveStreamReader> {
  const stream = await openLiveStream(url, {
    token: hub.adminToken,
    ...(lastEventId === undefined ? {} : { lastEventId }),
  });
  expect((await stream.next()).event).toBe("hello");
  expect((await stream.next()).event).toBe("tick");
  return stream;
}

/** A stream over a socket that can be cut without a word. */
async function rawStream(
  lastEventId?: string,
): Promise<{ socket: Socket; text(): string; has(part: string): Promise<void> }> {
  const socket = connect(hub.port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  socket.on("error", () => undefined);
  const resume = lastEventId === undefined ? "" : `Last-Event-ID: ${lastEventId}\r\n`;
  socket.write(
    `GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1:${hub.port}\r\nAuthorization: Bearer ${hub.adminToken}\r\n${resume}\r\n`,
  );
  const has = (part: string): Promise<void> => eventually(part, () => text.includes(part)).then(() => undefined);
  await has("event: tick");
  return { socket, text: () => text, has };
}

test("after a cut five events that landed meanwhile are there, none twice", async () => {
  const first = await rawStream();
  await ask("before the cut");
  await first.has("event: change");
  const lastEventId = /\nid: (\S+)\n/.exec(first.text())?.[1] ?? "";
  const ids = new Set<unknown>();
  first.socket.resetAndDestroy();
  for (let landed = 0; landed < 5; landed += 1) ids.add((await ask(`question ${landed}`)).content["question_id"]);

  await using again = await opened(hub.url, lastEventId);
  const change = await again.next();
  expect([change.event, topicsOf(change).sort()]).toEqual(["change", ["feed:p", "inbox"]]);
  // One change for the five, and what it names holds each of them once.
  const { items } = await operate(hub, "listInbox", { query: { status: "action" } });
  const listed = (items as { event_id: string }[]).map(({ event_id }) => event_id); // items by contract
  expect(listed.filter((id) => ids.has(id))).toHaveLength(5);
  await operate(hub, "markFeedSeen", { params: { id: "p" }, body: { event_id: listed[0] ?? "" } });
  expect(await again.next()).toMatchObject({ event: "tick" });
  expect(await again.next()).toMatchObject({ event: "change", data: { topics: ["projects"] } });
});

test("behind nginx with its default buffering hello comes at once, changes do, and a cut resumes", async () => {
  const stream = await opened(nginx.url);
  await ask("through nginx");
  const { found } = await stream.until("change");
  expect(topicsOf(found).sort()).toEqual(["feed:p", "inbox"]);
  await stream[Symbol.asyncDispose]();
  await ask("while it was gone");
  await using again = await opened(nginx.url, found.id ?? "");
  expect(topicsOf(await again.next()).sort()).toEqual(["feed:p", "inbox"]);
});

test(
  "a client that leaves behind nginx is noticed: no connection stays open to the hub",
  async () => {
    const before = await openFiles();
    const streams = await Promise.all(Array.from({ length: 20 }, () => opened(nginx.url)));
    expect(await openFiles()).toBeGreaterThan(before + 10);
    await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()));
    // nginx closes its side when it next has something to pass on, or at once.
    for (let turn = 0; turn < 1000 && (await openFiles()) > before + 2; turn += 1) await ask(`turn ${turn}`);
    expect(await openFiles()).toBeLessThanOrEqual(before + 2);
  },
  boundMs,
);

test(
  "200 streams opened and dropped leave no connection",
  async () => {
    const before = await openFiles();
    const streams = await Promise.all(Array.from({ length: 200 }, () => rawStream()));
    expect(await openFiles()).toBeGreaterThan(before + 190);
    await ask("for all of them");
    await Promise.all(streams.map((stream) => stream.has("event: change")));
    for (const { socket } of streams) socket.resetAndDestroy();
    for (let turn = 0; turn < 1000 && (await openFiles()) > before + 2; turn += 1)
      await fetch(`${hub.url}/healthz`).then((answer) => answer.text());
    expect(await openFiles()).toBeLessThanOrEqual(before + 2);
  },
  boundMs,
);

test(
  "a reader that stops reading holds up nobody and gets a union later",
  async () => {
    const stalled = await rawStream();
    stalled.socket.pause();
    await using brisk = await opened(hub.url);
    const started = performance.now();
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          callOnWire(hub.url, alice, "2026", "signal_append", {
            project_id: "p",
            kind: "signal",
            summary: `${round} ${index}`,
          }),
        ),
      );
    }
    expect(performance.now() - started).toBeLessThan(boundMs);
    await operate(hub, "createProject", { body: { id: "last", display_name: "Last" } });
    await brisk.has('"projects"');
    stalled.socket.resume();
    await stalled.has('"projects"');
    stalled.socket.destroy();
  },
  boundMs * 2,
);

test(
  "an orderly stop says goodbye on every stream, and a restart resets",
  async () => {
    const direct = await opened(hub.url);
    const proxied = await opened(nginx.url);
    await ask("before the stop");
    const { found } = await direct.until("change");
    const exit = hub.stop();
    for (const stream of [direct, proxied]) {
      await within(boundMs, "end of the stream", stream.ended);
      expect(eventsOf(stream.text()).at(-1)).toEqual({ event: "bye", id: undefined, data: { retry_ms: 2000 } });
    }
    expect(await exit).toBe(0);
    hub = await startHub({ dataDir: hub.dataDir, port: hub.port });
    await using again = await opened(hub.url, found.id ?? "");
    expect((await again.next()).event).toBe("reset");
  },
  boundMs,
);

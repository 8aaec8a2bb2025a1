// The live stream, byte by byte and over real connections (rest-api.md 16).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createLiveStream, type LiveStream } from "../../../src/server/http/stream.ts";
import { webFiles } from "../../../src/server/http/web-files.ts";
import { openTestHub, type TestHub } from "../../support/hub.ts";
import {
  eventsOf,
  type LiveStreamReader,
  openLiveStream,
  readLiveStream,
  topicsOf,
} from "../../support/live-stream.ts";
import { within } from "../../support/processes.ts";

const boundMs = 20_000;

let hub: TestHub;
let url: string;
let token: string;

beforeEach(async () => {
  hub = await openTestHub();
  url = await hub.listen();
  token = hub.operator.token;
});
afterEach(() => hub[Symbol.asyncDispose]());

const publish = (...topics: string[]): void => hub.hub.kernel.bus.publish(topics);

async function skipOpening(stream: LiveStreamReader): Promise<string> {
  const hello = await stream.next();
  expect(hello.event).toBe("hello");
  expect((await stream.next()).event).toBe("tick");
  return String((hello.data as { cursor: string }).cursor); // the shape of the contract
}

describe("the bytes", () => {
  test("of the opening, a change and the goodbye are exactly these", async () => {
    await using stream = await openLiveStream(url, { token });
    const cursor = await skipOpening(stream);
    expect(cursor).toMatch(/^[0-9a-f-]{36}\.0$/);
    const epoch = cursor.slice(0, -2);
    const opening = `event: hello\ndata: ${JSON.stringify({ cursor, build: webFiles().build, now: new Date(hub.clock.now).toISOString() })}\n\nevent: tick\ndata: 1\n\n`;
    expect(stream.text()).toBe(opening);
    publish("inbox", "feed:p");
    await stream.until("change");
    const change = `event: tick\ndata: 1\n\nevent: change\nid: ${epoch}.1\ndata: {"topics":["inbox","feed:p"]}\n\n`;
    expect(stream.text()).toBe(opening + change);
    hub.hub.drain();
    await within(boundMs, "end of the stream", stream.ended);
    expect(stream.text()).toBe(`${opening}${change}event: bye\ndata: {"retry_ms":2000}\n\n`);
  });

  test("come with these headers", async () => {
    await using stream = await openLiveStream(url, { token });
    expect(stream.response.status).toBe(200);
    const { headers } = stream.response;
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-hub-build")).toBe(webFiles().build);
  });

  test("of a hub that drains are an opening and a goodbye, and nothing is left behind", async () => {
    const live = createLiveStream(hub.hub);
    hub.hub.drain();
    const response = live.open(new Request("http://hub.test/api/v1/stream"));
    expect(eventsOf(await response.text()).map(({ event }) => event)).toEqual(["hello", "tick", "bye"]);
    expect(live.size()).toBe(0);
  });

  test("of one whose caller is gone already leave nothing behind", async () => {
    const live = createLiveStream(hub.hub);
    const response = live.open(new Request("http://hub.test/api/v1/stream", { signal: AbortSignal.abort() }));
    expect(live.size()).toBe(0);
    expect(eventsOf(await response.text()).map(({ event }) => event)).toEqual(["hello", "tick"]);
  });
});

describe("who may read it", () => {
  test.each(["GET", "POST", "HEAD"])("%s without the operator's token is 401", async (method) => {
    const alice = await hub.agent("alice");
    for (const authorization of [undefined, `Bearer ${alice.token}`, "Bearer nonsense"]) {
      const response = await fetch(`${url}/api/v1/stream`, {
        method,
        headers: authorization === undefined ? {} : { authorization },
      });
      expect([authorization, response.status]).toEqual([authorization, 401]);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      await response.body?.cancel();
    }
  });

  test.each(["HEAD", "POST", "PUT", "DELETE", "PATCH"])("%s is 405", async (method) => {
    const response = await fetch(`${url}/api/v1/stream`, { method, headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET");
    await response.body?.cancel();
  });
});

/** A relay that can be cut in the middle of what it carries. */
async function startRelay(): Promise<{ url: string; cut(): void; [Symbol.asyncDispose](): Promise<void> }> {
  const target = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("after a cut", () => {
  test("the next connection brings what landed meanwhile in one change, nothing lost and nothing twice", async () => {
    await hub.project("p");
    const alice = await hub.agent("alice");
    await using relay = await startRelay();
    let lastId: string | undefined;
    for (let round = 0; round < 5; round += 1) {
      const stream = await openLiveStream(relay.url, {
        token,
        ...(lastId === undefined ? {} : { lastEventId: lastId }),
      });
      const cursor = await skipOpening(stream);
      if (round > 0) {
        const resumed = await stream.next();
        expect(resumed).toEqual({ event: "change", id: cursor, data: { topics: ["feed:p", "inbox"] } });
      }
      publish("storage");
      const { found } = await stream.until("change");
      // Nothing of before the cut comes again.
      expect(found.data).toEqual({ topics: ["storage"] });
      lastId = found.id;
      relay.cut();
      await within(boundMs, "end of the stream", stream.ended);
      for (let landed = 0; landed < 5; landed += 1) {
        await alice.call("question_post", { project_id: "p", subject: `question ${landed} of ${round}` });
      }
    }
  });

  test("a cut in the middle of many changes loses none: the union of what was seen and of the resumption is all", async () => {
    await using relay = await startRelay();
    const seen = new Set<string>();
    let lastId: string | undefined;
    let landed = 0;
    for (let round = 0; round < 10; round += 1) {
      const stream = await openLiveStream(relay.url, {
        token,
        ...(lastId === undefined ? {} : { lastEventId: lastId }),
      });
      lastId ??= await skipOpening(stream);
      for (let burst = 0; burst < 60; burst += 1) {
        publish(`feed:p${landed}`);
        landed += 1;
        // A few turns now and then, so that the cut falls anywhere in what is under way.
        if (burst % 7 === round % 7) await new Promise((resolve) => setImmediate(resolve));
      }
      relay.cut();
      await within(boundMs, "end of the stream", stream.ended);
      for (const event of eventsOf(stream.text())) {
        expect(event.event).not.toBe("reset");
        if (event.event !== "change") continue;
        for (const topic of topicsOf(event)) {
          expect(seen.has(topic)).toBe(false);
          seen.add(topic);
        }
        lastId = event.id;
      }
    }
    await using last = await openLiveStream(url, { token, lastEventId: lastId ?? "" });
    publish("hub");
    await last.has('"hub"');
    for (const event of eventsOf(last.text())) {
      if (event.event !== "change") continue;
      for (const topic of topicsOf(event)) {
        expect(seen.has(topic)).toBe(false);
        seen.add(topic);
      }
    }
    expect(seen.size).toBe(landed + 1);
  });
});

describe("Last-Event-ID", () => {
  test("of the opening itself is a place like any other", async () => {
    await using first = await openLiveStream(url, { token });
    const cursor = await skipOpening(first);
    await using nothingNew = await openLiveStream(url, { token, lastEventId: cursor });
    await skipOpening(nothingNew);
    publish("inbox");
    expect(topicsOf((await nothingNew.until("change")).found)).toEqual(["inbox"]);
    await using behind = await openLiveStream(url, { token, lastEventId: cursor });
    await skipOpening(behind);
    expect(await behind.next()).toMatchObject({ event: "change", data: { topics: ["inbox"] } });
  });

  test("that is unknown resets", async () => {
    await using first = await openLiveStream(url, { token });
    const cursor = await skipOpening(first);
    const epoch = cursor.slice(0, -2);
    const strange = [
      "0",
      "nonsense",
      epoch,
      `${epoch}.`,
      `${epoch}.-1`,
      `${epoch}.1`,
      `${epoch}.0.0`,
      `${epoch}.0x0`,
      `${epoch}.00`,
      `${crypto.randomUUID()}.0`,
      `${epoch}.9007199254740993`,
      "é",
    ];
    for (const lastEventId of strange) {
      await using stream = await openLiveStream(url, { token, lastEventId });
      await skipOpening(stream);
      expect([lastEventId, await stream.next()]).toEqual([
        lastEventId,
        { event: "reset", id: undefined, data: { cursor } },
      ]);
    }
  });

  test("older than the last 1,000 changes resets, the oldest of them resumes", async () => {
    await using first = await openLiveStream(url, { token });
    const start = await skipOpening(first);
    for (let change = 0; change < 1001; change += 1) publish(`feed:p${change}`);
    const resumedFrom = start.replace(/0$/, "1");
    await using tooOld = await openLiveStream(url, { token, lastEventId: start });
    const cursor = await skipOpening(tooOld);
    expect(cursor).toBe(start.replace(/0$/, "1001"));
    expect(await tooOld.next()).toEqual({ event: "reset", id: undefined, data: { cursor } });
    await using resumed = await openLiveStream(url, { token, lastEventId: resumedFrom });
    await skipOpening(resumed);
    const change = await resumed.next();
    expect(change.id).toBe(cursor);
    expect(topicsOf(change)).toEqual(Array.from({ length: 1000 }, (_, index) => `feed:p${index + 1}`));
  });

  test("of before a restart resets", async () => {
    const stream = await openLiveStream(url, { token });
    await skipOpening(stream);
    publish("inbox");
    const { found } = await stream.until("change");
    await hub.reopen();
    await within(boundMs, "end of the stream", stream.ended);
    await using again = await openLiveStream(await hub.listen(), { token, lastEventId: found.id ?? "" });
    const cursor = await skipOpening(again);
    expect(await again.next()).toEqual({ event: "reset", id: undefined, data: { cursor } });
  });
});

describe("a slow reader", () => {
  test("gets one union of all it did not take, under the newest cursor", async () => {
    const live = createLiveStream(hub.hub);
    const leaving = new AbortController();
    const response = live.open(new Request("http://hub.test/api/v1/stream", { signal: leaving.signal }));
    for (let change = 0; change < 10_000; change += 1) publish(`feed:p${change % 20}`, "inbox");
    // Nothing was read, so nothing but the opening may be there yet.
    await using stream = readLiveStream(response, () => leaving.abort());
    const cursor = await skipOpening(stream);
    expect(await stream.next()).toMatchObject({ event: "tick", data: 1 });
    const union = await stream.next();
    expect(union.id).toBe(cursor.replace(/0$/, "10000"));
    expect(topicsOf(union).sort()).toEqual(
      [...Array.from({ length: 20 }, (_, index) => `feed:p${index}`), "inbox"].sort(),
    );
    publish("storage");
    expect((await stream.until("change")).found.data).toEqual({ topics: ["storage"] });
    expect(eventsOf(stream.text()).map(({ event }) => event)).toEqual([
      "hello",
      "tick",
      "tick",
      "change",
      "tick",
      "change",
    ]);
  });

  test("over a connection costs a bounded piece of memory, and none of the others a thing", async () => {
    await using brisk = await openLiveStream(url, { token });
    await skipOpening(brisk);
    const { socket, received } = await stalledReader(token);
    // Each change is about 2 KiB, so the connection takes a part of them and then no more.
    const wide = Array.from({ length: 40 }, (_, index) => `feed:${String(index).padStart(40, "p")}`);
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    for (let change = 0; change < 10_000; change += 1) {
      publish(...wide);
      if (change % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    publish("hub");
    await brisk.has('"hub"');
    Bun.gc(true);
    const grown = process.memoryUsage().rss - before;
    // Unbounded, it would be 20 MB of text alone for the stalled one; the brisk one's own text is counted here too.
    expect(grown).toBeLessThan(150 * 2 ** 20);
    const text = await received();
    socket.destroy();
    const changes = eventsOf(`${text.slice(text.indexOf("event: hello"))}`.replaceAll(/\r\n[0-9a-f]+\r\n/g, "")).filter(
      ({ event }) => event === "change",
    );
    expect(changes.length).toBeLessThan(9_000);
    expect(topicsOf(changes.at(-1) ?? { event: "", id: "", data: { topics: [] } })).toContain("hub");
  }, 60_000);
});

/** Opens a stream and stops reading; `received` reads on until the topic `hub` comes. */
async function stalledReader(bearer: string): Promise<{ socket: Socket; received(): Promise<string> }> {
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  let text = "";
  const hello = Promise.withResolvers<void>();
  const hubSeen = Promise.withResolvers<void>();
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    if (text.includes("event: hello")) hello.resolve();
    if (text.includes('"hub"')) hubSeen.resolve();
  });
  socket.write(`GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${bearer}\r\n\r\n`);
  await within(boundMs, "hello", hello.promise);
  socket.pause();
  return {
    socket,
    async received() {
      socket.resume();
      await within(boundMs, "the last change", hubSeen.promise);
      return text;
    },
  };
}

test("200 streams opened and dropped leave none behind", async () => {
  const live: LiveStream = createLiveStream(hub.hub);
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: (request) => live.open(request),
  });
  const address = `http://127.0.0.1:${server.port}`;
  const streams = await Promise.all(Array.from({ length: 200 }, () => openLiveStream(address, { token })));
  await Promise.all(streams.map(skipOpening));
  expect(live.size()).toBe(200);
  publish("inbox");
  await Promise.all(streams.map((stream) => stream.until("change")));
  await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()));
  // The hub hears of each departure on its own; a bounded number of turns is enough.
  for (let turn = 0; turn < 2000 && live.size() > 0; turn += 1)
    await fetch(`${url}/healthz`).then((answer) => answer.text());
  expect(live.size()).toBe(0);
});

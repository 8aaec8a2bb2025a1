// Clients that take their time (rest-api.md 0.5, 0.10): none keeps another waiting, and each is cut off in the end. The
// end is the runtime's idle limit, which real seconds would have to pass for: what is held here is that the limit is
// set, that it is above every wait of ours, and that the runtime does what it is counted on for, with a shorter one.
import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { waitMsLongest } from "../../../src/shared/limits.ts";
import { startHub } from "../../support/binary.ts";
import { operate } from "../../support/operator.ts";
import { within } from "../../support/processes.ts";
import { eventually } from "../../support/proxy-harness.ts";
import { root } from "../../support/source-files.ts";
import { openHttpHub } from "./requests.ts";

const shortSeconds = 2;
// The runtime looks every few seconds.
const cutWithinMs = 20_000;

/** Sends the start of a request, then a byte at a time; resolves when the other side ends the connection. */
function drip(port: number, start: string, byte: string): { closed: Promise<void>; socket: Socket } {
  const socket = connect(port, "127.0.0.1", () => socket.write(start));
  const timer = setInterval(() => {
    if (byte !== "") socket.write(byte);
  }, 200);
  const closed = new Promise<void>((resolve) => {
    socket.on("error", () => undefined);
    socket.on("data", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      resolve();
    });
  });
  return { closed, socket };
}

const slowRequests: readonly [string, string, string][] = [
  ["nothing at all", "", ""],
  ["half a header", "GET / HTTP/1.1\r\nHost: x\r\nX-Long: ", ""],
  ["a header byte by byte", "GET / HTTP/1.1\r\nHost: x\r\nX-Long: ", "a"],
  ["half a body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc", ""],
  ["a body byte by byte", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc", "a"],
  ["a chunked body byte by byte", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"],
];

test(
  "the runtime cuts off who sends too slowly, drop by drop too",
  async () => {
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: shortSeconds,
      async fetch(request) {
        await request.bytes().catch(() => undefined);
        return new Response();
      },
    });
    const { port } = server;
    if (port === undefined) throw new Error("no port");
    await Promise.all(
      slowRequests.map(([what, start, byte]) => within(cutWithinMs, `end of ${what}`, drip(port, start, byte).closed)),
    );
  },
  cutWithinMs + 5000,
);

test("the listener has such a limit, and every wait of ours ends well before it", async () => {
  const text = await Bun.file(`${root}/src/server/http/listener.ts`).text();
  const seconds = Number(/const idleSeconds = (\d+);/.exec(text)?.[1]);
  expect(text).toContain("idleTimeout: idleSeconds");
  expect(seconds).toBeLessThanOrEqual(255);
  expect(seconds * 1000).toBeGreaterThan(2 * waitMsLongest);
});

test("hundreds of slow ones hold nobody up, and one that leaves in the middle is no fault of the hub", async () => {
  await using http = await openHttpHub();
  const { port } = new URL(http.url);
  const head = `POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${http.authorization.operator}\r\nContent-Type: application/json\r\n`;
  const starts = [
    ...slowRequests.map(([, start]) => start),
    `${head}Content-Length: 4000000\r\n\r\n{`,
    `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
  ];
  const slow = Array.from({ length: 400 }, (_, n) => drip(Number(port), starts[n % starts.length] ?? "", ""));
  try {
    for (let n = 0; n < 50; n += 1) {
      const since = performance.now();
      expect((await http.send("GET", "/api/v1/version")).status).toBe(200);
      expect(performance.now() - since).toBeLessThan(15_000);
    }
  } finally {
    for (const { socket } of slow) socket.destroy();
  }
  const refused = http.hub.hub.kernel.services.metrics.requests;
  const failed = () => refused.samples().filter(({ labels, value }) => labels["status_class"] === "5xx" && value > 0);
  await eventually("the end of the cut-off requests", () =>
    refused.samples().some(({ labels, value }) => labels["status_class"] === "4xx" && value >= 100),
  );
  expect(failed()).toEqual([]);
  expect(http.hub.log.filter((line) => line.includes("internal error"))).toEqual([]);
});

// The program itself: here the readers and the hub would share one heap of answers that nobody takes.
test("a reader that stops reading holds nobody up", async () => {
  await using hub = await startHub();
  await operate(hub, "createProject", { body: { id: "p", display_name: "p" } });
  const content = "a".repeat(1_000_000);
  await operate(hub, "putPage", { params: { id: "p", path: "big.md" }, body: { content } });
  const { port } = new URL(hub.url);
  const request = `GET /api/v1/projects/p/kb/pages/big.md HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hub.adminToken}\r\n\r\n`;
  const readers = Array.from({ length: 30 }, () => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(request.repeat(5)));
    socket.on("error", () => undefined);
    return socket.pause();
  });
  try {
    for (let n = 0; n < 20; n += 1) {
      const since = performance.now();
      expect((await fetch(new URL("/healthz", hub.url))).status).toBe(200);
      expect(performance.now() - since).toBeLessThan(15_000);
    }
  } finally {
    for (const socket of readers) socket.destroy();
  }
});

// How the proxy ends: stdin, a signal, or nobody reading stdout (cli.md 4.2).
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  answerEmpty,
  eventually,
  gate,
  openScriptedHub,
  startProxy,
  type TestProxy,
} from "../support/proxy-harness.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

const ends: [string, (proxy: TestProxy) => void][] = [
  ["the end of stdin", (proxy) => proxy.endInput()],
  ["a signal", (proxy) => proxy.stop()],
];

describe.each(ends)("%s", (_name, end) => {
  test("ends the connection upstream and returns 0", async () => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: hub.url, tools: "core" });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    await proxy.answer(1);
    end(proxy);
    expect(await proxy.exit).toBe(0);
    const [ping, , last] = hub.seen;
    expect(last?.method).toBe("DELETE");
    expect(last?.path).toBe("/mcp?tools=core");
    expect(last?.headers.get("hub-connection")).toBe(ping?.headers.get("hub-connection") ?? "");
    expect(last?.headers.get("authorization")).toBe("Bearer agent-token");
    expect(hub.seen).toHaveLength(3);
    expect(proxy.stderr()).toBe("");
  });

  test("waits for answers in flight", async () => {
    const held = gate();
    await using hub = openScriptedHub(async (seen) => {
      await held.opened;
      return answerEmpty(seen);
    });
    await using proxy = startProxy({ url: hub.url, bounds: { drainMs: 15_000 } });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    await eventually("the request", () => hub.calls("tools/list")[0]);
    end(proxy);
    held.open();
    expect(await proxy.exit).toBe(0);
    expect(proxy.stdout).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}\n']);
  });

  test("waits no longer than its bound, and drops the rest", async () => {
    await using hub = openScriptedHub(() => new Promise(() => undefined));
    await using proxy = startProxy({ url: hub.url, bounds: { drainMs: 20 } });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const call = await eventually("the request", () => hub.calls("tools/list")[0]);
    end(proxy);
    expect(await proxy.exit).toBe(0);
    await eventually("an end of the request", () => call.signal.aborted);
    expect(proxy.stdout).toEqual([]);
  });

  test("does not wait for a hub that is gone", async () => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    await proxy.answer(1);
    await hub.kill();
    end(proxy);
    expect(await proxy.exit).toBe(0);
    expect(proxy.stderr()).toBe("");
  });
});

test("a hub that does not answer the end is left alone", async () => {
  await using hub = openScriptedHub();
  hub.onDelete = () => new Promise(() => undefined);
  await using proxy = startProxy({ url: hub.url, bounds: { endMs: 20 } });
  proxy.endInput();
  expect(await proxy.exit).toBe(0);
});

test("a signal during the opening ends it", async () => {
  await using hub = openScriptedHub();
  hub.onPing = () => new Promise(() => undefined);
  await using proxy = startProxy({ url: hub.url });
  await eventually("the ping", () => hub.seen[0]);
  proxy.stop();
  expect(await proxy.exit).toBe(0);
  expect(proxy.isReading()).toBe(false);
});

test("a stdout nobody reads ends it at once, answers in flight or not", async () => {
  await using hub = openScriptedHub((seen) =>
    seen.message["id"] === 1 ? new Promise(() => undefined) : answerEmpty(seen),
  );
  const proxy = startProxy({ url: hub.url, bounds: { drainMs: 15_000 } });
  proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "inbox_wait" } });
  const call = await eventually("the request", () => hub.calls("tools/call")[0]);
  proxy.closeOutput();
  proxy.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  await expect(proxy.exit).rejects.toThrow("EPIPE");
  await eventually("an end of the request", () => call.signal.aborted);
  expect(hub.seen.at(-1)?.method).toBe("DELETE");
});

test("a harness that reads slowly holds the hub back, not the other lines of stdin", async () => {
  const slow = gate();
  let sent = 0;
  const part = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: "y".repeat(1 << 20) })}\n\n`;
  await using hub = openScriptedHub((seen) => {
    if (seen.message["method"] !== "tools/call") return answerEmpty(seen);
    return new Response(
      new ReadableStream({
        async pull(controller) {
          sent += 1;
          if (sent <= 64) controller.enqueue(part);
          else if (sent === 65)
            controller.enqueue(`data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} })}\n\n`);
          else controller.close();
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  });
  await using proxy = startProxy({ url: hub.url, slowOutput: slow.opened });
  proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "inbox_wait" } });
  await eventually("a first part", () => sent > 0);
  for (let count = 1; count <= 100; count += 1) {
    proxy.send({ jsonrpc: "2.0", id: 1 + count, method: "tools/list" });
    await eventually("another request", () => hub.calls("tools/list").length === count);
  }
  expect(sent).toBeLessThan(64);
  slow.open();
  await proxy.answer(1);
  await eventually("every line", () => proxy.stdout.length === 165);
});

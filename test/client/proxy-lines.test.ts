// What the proxy makes of the bytes of stdin: lines, lines that are no JSON-RPC, and lines over the cap of the hub.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mcpBodyBytes } from "../../src/shared/limits.ts";
import { eventually, openScriptedHub, startProxy } from "../support/proxy-harness.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

const encoder = new TextEncoder();
const list = (id: number) => JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" });

describe("a line", () => {
  test("may come in pieces, several at once, with CRLF, after blank ones, and without an end", async () => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: hub.url, bounds: { drainMs: 15_000 } });
    const text = `${list(1)}\r\n\n  \r\n${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "é/x" })}\n${list(3)}`;
    for (const byte of encoder.encode(text)) proxy.bytes(Uint8Array.of(byte));
    proxy.endInput();
    expect(await proxy.exit).toBe(0);
    expect(proxy.stdout.map((line) => JSON.parse(line).id).sort()).toEqual([1, 2, 3]);
    const bodies = hub.seen.slice(1, 4).map((seen) => seen.body);
    expect(bodies.sort()).toEqual([list(1), list(3), '{"jsonrpc":"2.0","id":2,"method":"é/x"}'].sort());
  });

  test.each([
    ["{ no json", null, -32700],
    ['{"jsonrpc":"2.0","id":1,"method":"x"} trailing', null, -32700],
    ['"text"', null, -32600],
    ["[]", null, -32600],
    ["[1]", null, -32600],
    ['{"jsonrpc":"2.0","id":4}', 4, -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"x"}', null, -32600],
    ['{"jsonrpc":"2.0","id":"a","method":5}', "a", -32600],
  ])("%s is answered here, and the next one is served", async (line, id, code) => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: hub.url });
    proxy.send(line);
    const refusal = await proxy.line("a refusal", (message) => "error" in message);
    expect(refusal).toEqual({ jsonrpc: "2.0", id, error: { code, message: expect.any(String) } });
    proxy.send(list(9));
    await proxy.answer(9);
    expect(hub.seen).toHaveLength(2);
  });

  test("that is not UTF-8 is no JSON", async () => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: hub.url });
    proxy.bytes(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xff"}\n', "latin1"));
    expect(await proxy.line("a refusal", () => true)).toMatchObject({ id: null, error: { code: -32700 } });
  });
});

describe("a line over the cap", () => {
  const filler = new Uint8Array(1 << 20).fill(0x7a);

  /** A line of `size` bytes: `head`, filler inside a string, `tail`. */
  function sendLong(proxy: ReturnType<typeof startProxy>, size: number, head: string, tail: string): void {
    proxy.bytes(encoder.encode(head));
    let left = size - head.length - tail.length;
    for (; left > filler.length; left -= filler.length) proxy.bytes(filler);
    proxy.bytes(filler.subarray(0, left));
    proxy.bytes(encoder.encode(`${tail}\n`));
  }

  test("at the cap is forwarded", async () => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: hub.url });
    sendLong(proxy, mcpBodyBytes, '{"method":"tools/call","params":{"a":"', '"},"jsonrpc":"2.0","id":1}');
    await proxy.answer(1);
    expect(hub.calls("tools/call")[0]?.body.length).toBe(mcpBodyBytes);
  });

  test("is answered under its id, wherever that stands, and the next line is served", async () => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: hub.url });
    const error = {
      code: "payload_too_large",
      message: expect.stringContaining(String(mcpBodyBytes)),
      retryable: false,
      details: { limit: mcpBodyBytes, actual: mcpBodyBytes + 1 },
    };
    const nested = '"\\"}},\\"id\\":2,\\\\","b":[{"id":3,"method":"no"}],"c":"';
    sendLong(
      proxy,
      mcpBodyBytes + 1,
      `{"method":"tools/call","params":{"a":${nested}`,
      '"},"jsonrpc":"2.0", "id" : "t-1" }',
    );
    expect(await proxy.answer("t-1")).toMatchObject({ result: { isError: true, structuredContent: { error } } });

    sendLong(proxy, mcpBodyBytes + 1, '{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"a":"', '"}}');
    expect(await proxy.answer(2)).toMatchObject({ error: { code: -32602, data: { error } } });

    // A notification has no answer; what names neither has one under no id.
    sendLong(proxy, mcpBodyBytes + 1, '{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"', '"}}');
    sendLong(proxy, mcpBodyBytes + 1, '"', '"');
    const nameless = await proxy.line("an answer under no id", (message) => message["id"] === null);
    expect(nameless).toMatchObject({ error: { code: -32600, data: { error } } });

    proxy.send(list(9));
    await proxy.answer(9);
    expect(proxy.stdout).toHaveLength(4);
    expect(hub.seen).toHaveLength(2);
  });

  test("ends with stdin", async () => {
    await using hub = openScriptedHub();
    await using proxy = startProxy({ url: hub.url });
    proxy.bytes(encoder.encode('{"id":1,"method":"x","a":"'));
    for (let sent = 0; sent <= mcpBodyBytes; sent += filler.length) proxy.bytes(filler);
    proxy.endInput();
    await eventually("the answer", () => proxy.stdout[0]?.includes("payload_too_large"));
    expect(await proxy.exit).toBe(0);
  });
});

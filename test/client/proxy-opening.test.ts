// The first word of the proxy with the hub, before stdin is served (cli.md 4.2).
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { HubFailure } from "../../src/client/hub-failure.ts";
import { uuidPattern } from "../../src/shared/ids.ts";
import {
  answerEmpty,
  eventually,
  gate,
  openScriptedHub,
  problem,
  startProxy,
  token,
} from "../support/proxy-harness.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

async function failureOf(run: Promise<number>): Promise<HubFailure> {
  try {
    await run;
  } catch (error) {
    if (error instanceof HubFailure) return error;
  }
  throw new Error("the opening did not fail");
}

describe("the opening", () => {
  test("is one authenticated ping, before stdin is served", async () => {
    const held = gate();
    await using hub = openScriptedHub();
    hub.onPing = async (seen) => {
      await held.opened;
      return answerEmpty(seen);
    };
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const ping = await eventually("the ping", () => hub.seen[0]);
    expect(ping.message["method"]).toBe("ping");
    expect(ping.headers.get("authorization")).toBe(`Bearer ${token}`);
    expect(ping.headers.get("hub-connection")).toMatch(uuidPattern);
    expect(ping.headers.has("mcp-session-id")).toBe(false);
    expect(proxy.isReading()).toBe(false);
    held.open();
    await proxy.answer(1);
    expect(hub.seen.map((seen) => seen.message["method"])).toEqual(["ping", "tools/list"]);
    expect(proxy.stdout).toHaveLength(1);
  });

  test.each([
    [
      "a token that is refused",
      () => problem(401, "unauthenticated", "unknown token"),
      "unauthenticated",
      "unauthenticated",
    ],
    ["401 without a problem document", () => new Response("no", { status: 401 }), "unauthenticated", "unauthenticated"],
    ["a hub that answers and refuses", () => problem(403, "forbidden", "bad host"), "refused", "forbidden"],
    ["a hub that is busy", () => problem(503, "unavailable", "busy"), "refused", "unavailable"],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/mcp", 307), "refused", "internal"],
    ["a page", () => new Response("<html>", { headers: { "content-type": "text/html" } }), "refused", "internal"],
  ] as const)("ends at %s", async (_name, onPing, reason, code) => {
    await using hub = openScriptedHub();
    hub.onPing = onPing;
    const proxy = startProxy({ url: hub.url });
    const failure = await failureOf(proxy.exit);
    expect(failure.reason).toBe(reason);
    expect(failure.error.code).toBe(code);
    expect(hub.seen).toHaveLength(1);
    expect(proxy.stdout).toEqual([]);
    expect(proxy.isReading()).toBe(false);
  });

  test("ends where nobody listens", async () => {
    const hub = openScriptedHub();
    await hub.kill();
    const failure = await failureOf(startProxy({ url: hub.url }).exit);
    expect(failure.reason).toBe("unreachable");
    expect(failure.error).toEqual({
      code: "unavailable",
      message: `${hub.url}/mcp is unreachable: connection refused`,
      retryable: true,
      details: {},
    });
  });

  test("is bounded", async () => {
    await using hub = openScriptedHub();
    hub.onPing = () => new Promise(() => undefined);
    const failure = await failureOf(startProxy({ url: hub.url, bounds: { openingMs: 50 } }).exit);
    expect(failure.reason).toBe("unreachable");
    expect(failure.message).toEndWith("is unreachable: timed out");
  });

  test("takes any other error as the word of a hub", async () => {
    await using hub = openScriptedHub();
    hub.onPing = (seen) =>
      Response.json({ jsonrpc: "2.0", id: seen.message["id"], error: { code: -32601, message: "no ping" } });
    await using proxy = startProxy({ url: hub.url });
    proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await proxy.answer(1)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test("without a token there is no Authorization header", async () => {
    await using hub = openScriptedHub();
    await using _proxy = startProxy({ url: hub.url, token: null });
    const ping = await eventually("the ping", () => hub.seen[0]);
    expect(ping.headers.has("authorization")).toBe(false);
  });
});

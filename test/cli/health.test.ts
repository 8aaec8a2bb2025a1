// `health`: one probe of /readyz (cli.md 15).
import { expect, test } from "bun:test";
import { shortCause } from "../../src/client/hub-failure.ts";
import { probe } from "../../src/client/readiness.ts";
import { closedUrl, openScriptedHub, problem } from "../support/cli-hub.ts";
import { runInPlace } from "../support/cli-io.ts";

test.each(["", "/", "/readyz", "/readyz/"])("ready at <url>%s", async (suffix) => {
  using remote = openScriptedHub(() => Response.json({ ready: true }));
  const outcome = await runInPlace(["health", "--url", `${remote.url}${suffix}`]);
  expect(outcome).toEqual({ code: 0, stdout: "ready\n", stderr: "" });
  expect(remote.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /readyz"]);
  expect(remote.requests[0]?.headers.has("authorization")).toBe(false);
});

test("below a path prefix", async () => {
  using remote = openScriptedHub(() => new Response(""));
  await runInPlace(["health", `--url=${remote.url}/hub/`]);
  expect(remote.requests[0]?.path).toBe("/hub/readyz");
});

test("reads no settings", async () => {
  using remote = openScriptedHub(() => new Response(""));
  const env = { HUB_CONFIG: import.meta.dir, HUB_TIMEOUT: "never", HUB_URL: "nowhere" };
  expect((await runInPlace(["health", "--url", remote.url], env)).code).toBe(0);
});

test.each<[title: string, answer: () => Response, expected: string]>([
  [
    "not ready",
    () => problem(503, { detail: "disk\nfull" }),
    '503: {"type":"about:blank","title":"x","status":503,"detail":"disk\\nfull"}',
  ],
  ["lines folded", () => new Response("a\n\r\tb\n", { status: 500 }), "500: a b"],
  ["no body", () => new Response("", { status: 404 }), "404: (empty body)"],
  ["redirect not followed", () => Response.redirect("/elsewhere", 302), "302: (empty body)"],
  ["long body cut", () => new Response("x".repeat(10_000), { status: 500 }), `500: ${"x".repeat(500)}...`],
])("%s is exit 1", async (_title, answer, expected) => {
  using remote = openScriptedHub(answer);
  const stderr = `agent-hub: ${remote.url}/readyz answered ${expected}\n`;
  expect(await runInPlace(["health", "--url", remote.url])).toEqual({ code: 1, stdout: "", stderr });
  expect(remote.requests).toHaveLength(1);
});

test("nothing listens: exit 1", async () => {
  const url = closedUrl();
  const stderr = `agent-hub: ${url}/readyz is unreachable: connection refused\n`;
  expect(await runInPlace(["health", "--url", url])).toEqual({ code: 1, stdout: "", stderr });
});

test("https is exit 1 and names the listener", async () => {
  const { code, stdout, stderr } = await runInPlace(["health", "--url", "https://hub.example"]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(
    "agent-hub: health speaks plain http only; give the listener's own address, such as http://127.0.0.1:8080\n",
  );
});

test.each([
  "localhost:8080",
  "hub.example",
  "ftp://hub.example",
  "http://",
  "http://a:b@h",
  "http://h?x",
  "http://h:99999",
])("--url %s is exit 2", async (url) => {
  const { code, stdout, stderr } = await runInPlace(["health", "--url", url]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toStartWith("agent-hub: option '--url' is not an http URL");
});

test("a listener that never answers is given up", async () => {
  using remote = openScriptedHub(() => new Promise<Response>(() => undefined));
  const failure = await probe(`${remote.url}/readyz`, 20).catch((error: unknown) => error);
  expect(shortCause(failure)).toBe("timed out");
});

test("an answer that never ends is given up", async () => {
  const open = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
  using remote = openScriptedHub(() => new Response(open()));
  const failure = await probe(`${remote.url}/readyz`, 20).catch((error: unknown) => error);
  expect(shortCause(failure)).toBe("timed out");
});

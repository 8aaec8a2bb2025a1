// The nginx block of README.md and what stands around it, with a hub behind it that was told what README.md says.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mcpBodyBytes } from "../../src/shared/limits.ts";
import { type RunningHub, startHub } from "../support/binary.ts";
import { type NginxProxy, startNginx } from "../support/nginx.ts";
import { readBlocks } from "../support/readme.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

const written = "http://127.0.0.1:8080";
const publicUrl = "https://hub.example";

let hub: RunningHub;
let nginx: NginxProxy;

beforeAll(async () => {
  hub = await startHub({ env: { HUB_PUBLIC_URL: publicUrl, HUB_TRUST_PROXY: "127.0.0.1" } });
  const [block] = (await readBlocks()).filter(({ language }) => language === "nginx");
  const root = block?.text ?? "";
  expect(root).toContain(`proxy_pass ${written};`);
  const below = root.replace("location /", "location /hub/").replace(`${written};`, `${written}/;`);
  nginx = await startNginx(hub.url, `${root}${below}`.replaceAll(written, hub.url));
});
afterAll(async () => {
  await nginx?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
});

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const ask = (path: string, more: RequestInit = {}, origin = publicUrl) =>
  fetch(`${nginx.url}${path}`, {
    redirect: "manual",
    ...more,
    headers: { host: "hub.example", origin, authorization: `Bearer ${hub.adminToken}`, ...json },
  });

test.each(["/", "/hub/"])("the app and the API work at %s", async (base) => {
  const app = await ask(base);
  expect([app.status, await app.text()]).toEqual([200, expect.stringContaining("<title>Agent Hub</title>")]);
  expect((await ask(`${base}api/v1/home`)).status).toBe(200);
  expect((await ask(`${base}api/v1/home`, {}, "https://other.example")).status).toBe(403);
});

test("an address without its slash leads to the one with it", async () => {
  const answer = await ask("/hub");
  expect([answer.status, answer.headers.get("location")]).toEqual([301, expect.stringMatching(/\/hub\/$/)]);
});

test("the proxy lets through the longest body the hub reads", async () => {
  const answer = await ask("/mcp", { method: "POST", body: new Uint8Array(mcpBodyBytes) });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("not valid JSON")]);
});

test("the guide names the public address", async () => {
  expect(await (await ask("/bootstrap/SKILL.md")).text()).toContain(`POST ${publicUrl}/mcp`);
});

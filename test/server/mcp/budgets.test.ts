// What every agent pays before it does anything (mcp-tools.md 2): the instructions, the tool list and the core profile,
// by each way in; and that the guide names the tools there are, all of them and no others.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import { instructionsBytes, toolListBytes } from "../../../src/shared/limits.ts";
import { startHub } from "../../support/binary.ts";
import { agentOverCommand } from "../../support/mcp-agents.ts";
import { startStdio } from "../../support/stdio-process.ts";
import { initializeMessage, lines, type McpHub, openMcpHub } from "./rpc.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

/** Tools of the whole specification, and those of its core profile (mcp-tools.md 2). */
const toolsInAll = 35;
const coreInAll = [
  "session_start",
  "session_end",
  "session_list",
  "session_brief",
  "brain_get",
  "brain_put",
  "brain_list",
  "feed_read",
  "signal_append",
  "question_post",
  "inbox_wait",
  "search",
  "whoami",
];

let mcp: McpHub;
beforeAll(async () => {
  mcp = await openMcpHub();
});
afterAll(() => mcp[Symbol.asyncDispose]());

const bytes = (text: string): number => new TextEncoder().encode(text).byteLength;
const names = (): string[] => mcp.hub.hub.tools.map(({ name }) => name);
const coreBuilt = (): string[] => names().filter((name) => coreInAll.includes(name));

function namesIn(answer: JsonObject): string[] {
  const result = answer["result"];
  const tools = isObject(result) && Array.isArray(result["tools"]) ? result["tools"] : [];
  return tools.map((tool) => (isObject(tool) ? String(tool["name"]) : ""));
}

const guide = async (): Promise<string> => (await fetch(`${mcp.url}/bootstrap/SKILL.md`)).text();

describe.each(lines)("on the %s line", (line) => {
  test("instructions take less than their kibibyte", async () => {
    const opening = line === "2025" ? initializeMessage : { id: 1, method: "server/discover" };
    const { result } = (await mcp.rpc(line, opening)).json;
    const instructions = isObject(result) ? String(result["instructions"]) : "";
    expect(instructions).not.toBe("");
    expect(bytes(instructions)).toBeLessThan(instructionsBytes);
  });

  test("the whole tools/list answer stays under its budget, and leaves the tools to come their share", async () => {
    const { text, json } = await mcp.rpc(line, { id: 1, method: "tools/list" });
    expect(namesIn(json)).toEqual(names());
    expect(bytes(text)).toBeLessThan(toolListBytes);
    expect((bytes(text) / names().length) * toolsInAll).toBeLessThan(toolListBytes);
  });

  test("the core profile is the core tools built so far, and smaller", async () => {
    const full = await mcp.rpc(line, { id: 1, method: "tools/list" });
    const core = await mcp.rpc(line, { id: 1, method: "tools/list" }, { query: "?tools=core" });
    expect(namesIn(core.json)).toEqual(coreBuilt());
    expect(bytes(core.text)).toBeLessThan(bytes(full.text));
    expect(names()).toEqual(
      namesIn((await mcp.rpc(line, { id: 1, method: "tools/list" }, { query: "?tools=full" })).json),
    );
  });
});

test("another profile is refused by name", async () => {
  const { status, json } = await mcp.rpc("2025", { id: 1, method: "tools/list" }, { query: "?tools=some" });
  expect(status).toBe(400);
  expect(json).toMatchObject({ error: { data: { error: { code: "invalid_argument", details: { field: "tools" } } } } });
});

describe("through agent-hub mcp", () => {
  test("--tools core lists the core profile, and a tool that is not listed still answers", async () => {
    await using hub = await startHub();
    const env = { HUB_URL: hub.url, HUB_TOKEN: hub.adminToken };
    await using core = await agentOverCommand("2026", env, ["--tools", "core"]);
    await using full = await agentOverCommand("2025", env, ["--tools", "full"]);
    const coreTools = await core.tools();
    const fullTools = await full.tools();
    expect(coreTools.map(({ name }) => name)).toEqual(coreBuilt());
    expect(fullTools.map(({ name }) => name)).toEqual(names());
    expect(bytes(JSON.stringify(coreTools))).toBeLessThan(bytes(JSON.stringify(fullTools)));
    expect(await core.call("version")).toMatchObject({ version: expect.stringContaining("agent-hub") });
  });

  test("the answer that reaches a harness is the hub's, byte for byte", async () => {
    await using hub = await startHub();
    await using proxy = await startStdio({ HUB_URL: hub.url, HUB_TOKEN: hub.adminToken });
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    proxy.send(list);
    await proxy.answer(1);
    const direct = await fetch(`${hub.url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${hub.adminToken}`, "content-type": "application/json" },
      body: JSON.stringify(list),
    });
    expect(proxy.stdout()).toBe(`${await direct.text()}\n`);
  });
});

describe("the guide", () => {
  test("is the same over HTTP and as a resource, with the hub's own address in it", async () => {
    const text = await guide();
    expect(text).toContain(`POST ${mcp.url}/mcp`);
    expect(text).not.toContain("{{");
    for (const line of lines) {
      const { json } = await mcp.rpc(
        line,
        { id: 1, method: "resources/read", params: { uri: "agenthub://skill" } },
        {
          ...(line === "2026" ? { headers: { "mcp-name": "agenthub://skill" } } : {}),
        },
      );
      expect(json["result"]).toMatchObject({
        contents: [{ uri: "agenthub://skill", mimeType: "text/markdown; charset=utf-8", text }],
      });
      const listed = await mcp.rpc(line, { id: 1, method: "resources/list" });
      const { resources } = JSON.parse(JSON.stringify(listed.json["result"]));
      expect(resources[0]).toMatchObject({ uri: "agenthub://skill", mimeType: "text/markdown", size: bytes(text) });
    }
  });

  test("needs no token and carries no secret and no name", async () => {
    const text = await guide();
    for (const word of [mcp.alice.token, mcp.hub.operator.token, "alice", "Agent bob", "Project p"]) {
      expect(text).not.toContain(word);
    }
  });

  test("has every tool in its list and no other", async () => {
    const [, list = ""] = (await guide()).split("## Tools\n");
    const rows = [...list.matchAll(/^- `([a-z_]+)`: .+$/gm)].map(([, name]) => name ?? "");
    expect(rows.toSorted()).toEqual(names().toSorted());
  });

  test("names the fields of a search hit as the hub gives them", async () => {
    await mcp.alice.call("session_start", { project_id: "p", session_name: "s" });
    await mcp.alice.call("brain_put", {
      session: { agent: "alice", name: "s", project_id: "p" },
      path: "/kv/k",
      content: "findable",
      store: "session",
    });
    await mcp.alice.call("signal_append", { project_id: "p", kind: "idea", summary: "findable" });
    const { groups } = await mcp.alice.call("search", { query: "findable" });
    const hits = (groups as { hits: object[] }[]).flatMap((group) => group.hits); // mcp-tools.md 17.33
    expect(hits).toHaveLength(2);
    const text = await guide();
    for (const field of new Set(hits.flatMap((hit) => Object.keys(hit)))) expect(text).toContain(`\`${field}\``);
  });
});

test("instructions and guide name only tools, arguments and members that are there", async () => {
  const { result } = (await mcp.rpc("2025", initializeMessage)).json;
  const text = `${isObject(result) ? String(result["instructions"]) : ""}\n${await guide()}`;
  // Words of the contract have an underscore; what is in capitals is a setting.
  const words = new Set(text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []);
  const listed = (await mcp.rpc("2025", { id: 1, method: "tools/list" })).text;
  const members = new Set([
    ...(listed.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []),
    // Members of results, which no schema lists.
    ...["recovery_path", "not_found", "question_id"],
    ...["doc_id", "project_display_name", "ref_id", "updated_at", "event_kind", "session_status", "size_bytes"],
  ]);
  expect([...words].filter((word) => !members.has(word))).toEqual([]);
  expect(words.size).toBeGreaterThan(10);
});

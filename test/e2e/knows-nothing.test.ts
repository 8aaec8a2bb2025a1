// An agent that knows an address and its token, and nothing else, teaches itself: each step uses only what the hub said
// in a step before. On the compiled binary, with the official clients of both protocol lines.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { type RunningHub, run, startHub } from "../support/binary.ts";
import { agentOverHttp, type McpAgent, type ProtocolLine, ToolFailure } from "../support/mcp-agents.ts";
import { operate } from "../support/operator.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(90_000);

let hub: RunningHub;
beforeAll(async () => {
  hub = await startHub();
  await operate(hub, "createProject", { body: { id: "homelab", display_name: "Home lab" } });
});
afterAll(() => hub?.[Symbol.asyncDispose]());

async function hire(id: string): Promise<string> {
  await operate(hub, "createAgent", { body: { id, display_name: id } });
  return String((await operate(hub, "issueToken", { params: { id } }))["token"]);
}

const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter((entry): entry is JsonObject => isObject(entry)) : [];

/** The error a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<JsonObject> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ToolFailure) return error.error;
    throw error;
  }
  throw new Error("the call was not refused");
}

const page = (lines: readonly string[]): string =>
  `---\ntype: Guide\ntitle: Name servers\n---\n# Name servers\n\n${lines.map((line) => `- ${line}\n`).join("")}`;

describe.each(["2025", "2026"] as const)("with an address and a token, on the %s line", (line: ProtocolLine) => {
  let address: string;
  let token: string;
  let guide: string;
  let agent: McpAgent;
  let other: McpAgent;
  let projectId: string;
  let session: object;
  let version: string;
  const path = `/fs/net/name servers ${line}.md`;
  const kept = { store: "project", path };

  beforeAll(async () => {
    address = hub.url;
    token = await hire(`newcomer-${line}`);
    other = await agentOverHttp(hub.url, await hire(`colleague-${line}`));
  });
  afterAll(async () => {
    for (const one of [agent, other]) await one?.[Symbol.asyncDispose]();
  });

  test("it reads the guide, which says where to connect and what there is to call", async () => {
    const response = await fetch(`${address}/bootstrap/SKILL.md`);
    expect(response.status).toBe(200);
    guide = await response.text();
    const [, endpoint = ""] = /^POST (\S+)$/m.exec(guide) ?? [];
    agent = await agentOverHttp(new URL(endpoint).origin, token, line);
    expect(new URL(endpoint).pathname).toBe("/mcp");
    expect(agent.revision).toBe(line === "2025" ? "2025-11-25" : "2026-07-28");
    const [, tools = ""] = guide.split("## Tools\n");
    const told = [...tools.matchAll(/^- `([a-z_]+)`: /gm)].map(([, name = ""]) => name);
    const listed = (await agent.tools()).map(({ name }) => String(name));
    expect(listed.toSorted()).toEqual(told.toSorted());
  });

  test("it finds out who it is and which projects it may read", async () => {
    const [, list = ""] = /`GET (\S+\/api\/v1\/projects)`/.exec(guide) ?? [];
    const projects: unknown = await (await fetch(list, { headers: { authorization: `Bearer ${token}` } })).json();
    const ordinary = objectsIn(isObject(projects) ? projects["projects"] : projects).filter(
      ({ is_personal }) => is_personal === false,
    );
    expect(ordinary.map(({ id }) => id)).toEqual(["homelab"]);
    projectId = String(ordinary[0]?.["id"]);
    expect(await agent.call("whoami")).toMatchObject({ actor: `newcomer-${line}`, admin: false });
  });

  test("it orients itself in the order the guide gives", async () => {
    const steps = [...guide.matchAll(/^\d\. `(\w+)`/gm)].map(([, name]) => name);
    expect(steps).toEqual(["session_brief", "session_start", "brain_get", "feed_read"]);
    await other.call("signal_append", { project_id: projectId, kind: "signal", summary: `zones moved, ${line}` });

    const brief = await agent.call("session_brief", { project_id: projectId });
    expect(brief).toMatchObject({ since: { event_id: null, basis: "none" }, previous_session: null });
    const news = isObject(brief["events"]) ? objectsIn(brief["events"]["items"]) : [];
    expect(news[0]).toMatchObject({ actor: `colleague-${line}`, summary: `zones moved, ${line}` });
    // A hook of the same agent is told the same by the command line, and neither moved anything.
    const env = { HUB_URL: address, HUB_TOKEN: token };
    const called = await run(["call", "session_brief", JSON.stringify({ project_id: projectId })], { env });
    expect(called.code).toBe(0);
    expect(JSON.parse(called.stdout)).toEqual(brief);

    const started = await agent.call("session_start", { project_id: projectId, session_name: "first-day" });
    // Without a connection the session is named on each call, as the guide says.
    session = started["bound"] === true ? {} : { session: { session_id: started["session_id"] } };
    expect(started["bound"]).toBe(line === "2025");
    const recovery = { ...session, path: started["recovery_path"] };
    expect(await refusal(agent.call("brain_get", recovery))).toMatchObject({ code: "not_found" });
    await agent.call("brain_put", { ...recovery, store: "session", content: "reading about name servers" });
    const feed = await agent.call("feed_read", { project_id: projectId });
    expect(objectsIn(feed["events"]).map(({ summary }) => summary)).toContain(`zones moved, ${line}`);
  });

  test("it writes down what it found out, and promotes it to a page", async () => {
    const written = await agent.call("brain_put", {
      ...kept,
      project_id: projectId,
      content: page(["the resolver listens on port 53"]),
      if_version: "absent",
    });
    expect(written).toMatchObject({ ok: true, path });
    version = String(written["version"]);
    const draft = { ...session, store: "session", path: "/fs/draft.md" };
    await agent.call("brain_put", { ...draft, content: "# 停電のとき\n\n予備の名前解決サーバーに切り替える。\n" });
    const promote = {
      from_path: "/fs/draft.md",
      to_path: `/fs/outage-${line}.md`,
      project_id: projectId,
      type: "Guide",
    };
    if (line === "2026") {
      // The revision knows no connections: the error says what to do instead.
      const error = await refusal(agent.call("brain_promote", promote));
      expect(error).toMatchObject({ code: "conflict", message: expect.stringContaining("session") });
      await agent.call("brain_put", {
        store: "project",
        project_id: projectId,
        path: promote.to_path,
        content: "---\ntype: Guide\n---\n# 停電のとき\n\n予備の名前解決サーバーに切り替える。\n",
      });
    } else {
      expect(await agent.call("brain_promote", promote)).toMatchObject({ ok: true, path: promote.to_path });
    }
  });

  test("it loses a race for the page, and recovers by what the error says", async () => {
    const write = (who: McpAgent, lines: readonly string[]): Promise<unknown> =>
      who.call("brain_put", { ...kept, project_id: projectId, content: page(lines), if_version: version });
    const first = "the resolver listens on port 53";
    await write(other, [first, "the colleague was faster"]);
    const error = await refusal(write(agent, [first, "the newcomer was slower"]));
    expect(error).toMatchObject({ code: "conflict", retryable: false });

    const details = isObject(error["details"]) ? error["details"] : {};
    const current = String(details["current_version"]);
    expect(String(error["message"])).toEndWith(`current_version=${current}`);
    const read = await agent.call("brain_get", { ...kept, project_id: projectId, version: current });
    const merged = await agent.call("brain_put", {
      ...kept,
      project_id: projectId,
      content: `${String(read["content"])}- the newcomer was slower\n`,
      if_version: current,
    });
    const whole = await other.call("brain_get", { ...kept, project_id: projectId });
    expect(whole).toMatchObject({
      version: merged["version"],
      content: page([first, "the colleague was faster", "the newcomer was slower"]),
    });
  });

  test("it takes a mistake back", async () => {
    const history = await agent.call("brain_history", { project_id: projectId, path });
    const good = objectsIn(history["versions"])[0]?.["version"];
    await agent.call("brain_put", { ...kept, project_id: projectId, content: "gone by mistake\n" });
    const reverted = await agent.call("brain_revert", { project_id: projectId, path, version: good });
    expect(reverted).toMatchObject({ ok: true, changed: true, version: good });
  });

  test("it finds the pages again, in English and in Japanese", async () => {
    for (const [query, found] of [
      ["resolver port", path],
      ["slower newcomer", path],
      ["名前解決", `/fs/outage-${line}.md`],
      ["停電", `/fs/outage-${line}.md`],
    ] as const) {
      const { groups } = await agent.call("search", { query, project_id: projectId, type: "kb" });
      const hits = objectsIn(groups).flatMap(({ hits: inGroup }) => objectsIn(inGroup));
      expect([query, hits.map(({ ref_id }) => ref_id)]).toEqual([query, expect.arrayContaining([found])]);
    }
  });

  test("it attaches the page it found as a resource, and reads what the page holds", async () => {
    const attached = (await agent.resources()).find(({ name }) => name === path.slice("/fs/".length));
    const uri = `agenthub://kb/${projectId}/net/name%20servers%20${line}.md`;
    expect(attached).toMatchObject({ uri, mimeType: "text/markdown" });
    const { content } = await agent.call("brain_get", { ...kept, project_id: projectId });
    expect(await agent.read(uri)).toBe(String(content));
  });

  test("it reads the whole guide from the hub, from where the instructions say", async () => {
    expect(await agent.read("agenthub://skill")).toBe(guide);
    expect(await agent.read("skill://agent-hub/SKILL.md")).toStartWith("---\nname: agent-hub\n");
  });
});

// A hub as the examples of the guide find it: project `homelab`, the agent `alice` who follows them, `bob` who works
// beside her, and a human who answers while she waits.
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { type McpHub, openMcpHub } from "../server/mcp/rpc.ts";
import type { Caller } from "../support/hub.ts";
import type { Example } from "./guide-texts.ts";

export type GuideWorld = AsyncDisposable & {
  mcp: McpHub;
  /** The structured result of an example, or of any call of alice's; `error` is in it when the call failed. */
  call(tool: string, args: JsonObject): Promise<JsonObject>;
  /** Runs examples one after another, as somebody does who reads a text from its beginning. */
  follow(examples: readonly Example[]): Promise<JsonObject[]>;
};

export async function openGuideWorld(): Promise<GuideWorld> {
  const mcp = await openMcpHub();
  await mcp.hub.project("homelab");
  await furnish(mcp);
  const connection = crypto.randomUUID();

  async function call(tool: string, args: JsonObject): Promise<JsonObject> {
    const answer = await mcp.call("2025", tool, args, { connection });
    const result = answer.json["result"];
    const content = isObject(result) ? result["structuredContent"] : undefined;
    if (!isObject(content)) throw new Error(`${tool} is no tool: ${answer.text}`);
    return content as JsonObject; // came as JSON
  }

  return {
    mcp,
    call,
    async follow(examples) {
      const results: JsonObject[] = [];
      for (const { tool, args } of examples) {
        if (tool.endsWith("_wait")) await decideAll(mcp);
        const filled = JSON.parse(JSON.stringify(args), (_, value: unknown) => fill(value, results));
        results.push(await call(tool, filled));
      }
      return results;
    },
    [Symbol.asyncDispose]: () => mcp[Symbol.asyncDispose](),
  };
}

async function furnish({ alice, bob }: McpHub): Promise<void> {
  const at = { project_id: "homelab" };
  const page = { ...at, store: "project", path: "/fs/index.md", content: "---\nokf_version: 0.2\n---\n# Homelab\n" };
  await bob.call("brain_put", page);
  for (const [owner, name] of [
    [alice, "nightly"],
    [bob, "audit"],
    [bob, "cleanup"],
  ] as const) {
    const session_id = await start(owner, name);
    const path = "/fs/RECOVERY.md";
    await owner.call("brain_put", { store: "session", session: { session_id }, path, content: "# Where I am\n" });
    if (name !== "cleanup") await owner.call("session_end", { session_id, handoff: "Go on from the zone file." });
  }
  for (let index = 0; index < 60; index += 1) {
    await bob.call("signal_append", { ...at, kind: "signal", summary: `Checked disk ${index}` });
  }
}

async function start(owner: Caller, session_name: string): Promise<string> {
  return String((await owner.call("session_start", { project_id: "homelab", session_name }))["session_id"]);
}

/** The human answers what is open, in the order it was asked. */
async function decideAll({ hub, alice }: McpHub): Promise<void> {
  const { items } = await alice.call("inbox_read", { status: "action", actor: "alice" });
  for (const item of Array.isArray(items) ? items.toReversed() : []) {
    if (!isObject(item)) continue;
    const params = { id: String(item["event_id"]) };
    if (item["kind"] === "question") await hub.rest("answerQuestion", { params, body: { body: "Yes" } });
    else await hub.rest("decideApproval", { params, body: { decision: "approve", note: "Go ahead" } });
  }
}

/** `<a.b>` stands for what the latest result that has an `a` holds there. */
function fill(value: unknown, results: readonly JsonObject[]): unknown {
  const way = typeof value === "string" ? /^<([\w.]+)>$/.exec(value)?.[1]?.split(".") : undefined;
  if (way === undefined) return value;
  const [first = "", ...rest] = way;
  let found: unknown = results.findLast((result) => first in result)?.[first];
  for (const step of rest) {
    if (Array.isArray(found)) found = found[Number(step)];
    else found = isObject(found) ? found[step] : undefined;
  }
  if (found === undefined || found === null) throw new Error(`no earlier result has ${value}`);
  return found;
}

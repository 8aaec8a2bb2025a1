// Results and errors of tools over the wire (mcp-tools.md 2 to 4, 22): one text block that says the same as the
// structured content, and arguments read the same way by every tool.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Tool } from "../../../src/kernel/tool.ts";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import { objectsIn, refusal } from "../../features/as-caller.ts";
import { type Answer, errorOf, lines, type McpHub, openMcpHub, resultOf } from "./rpc.ts";

let mcp: McpHub;
beforeAll(async () => {
  mcp = await openMcpHub();
  await mcp.hub.project("secret", { confidential: true });
});
afterAll(() => mcp[Symbol.asyncDispose]());

function bodyOf(answer: Answer): Record<string, unknown> {
  const result = answer.json["result"];
  if (!isObject(result)) throw new Error(`no result: ${answer.text}`);
  return result;
}

describe.each(lines)("on the %s line", (line) => {
  const own = line === "2026" ? ["_meta", "resultType"] : [];

  test.each([
    ["whoami", {}],
    ["feed_read", { project_id: "p" }],
    ["session_start", { project_id: "p", session_name: "work" }],
    ["signal_append", { project_id: "p", kind: "finished", summary: "<é>\u2028", payload: { body: "\u0000" } }],
  ])("a result of %s says the same twice", async (name, args) => {
    const result = bodyOf(await mcp.call(line, name, args));
    expect(Object.keys(result).sort()).toEqual(["content", "structuredContent", ...own].sort());
    expect(result["content"]).toEqual([{ type: "text", text: JSON.stringify(result["structuredContent"]) }]);
    expect(result["structuredContent"]).toBeObject();
  });

  test.each([
    ["brain_get", { path: "/nowhere" }, "invalid_argument"],
    ["brain_get", { path: "/kv/k" }, "conflict"],
    ["feed_read", { project_id: "secret" }, "forbidden"],
    ["session_end", { session_id: "x", handoff: "x".repeat(4097) }, "payload_too_large"],
    ["signal_append", { project_id: "p", kind: "signal", summary: "x", thread_id: "x" }, "not_found"],
  ])("an error of %s %j is a result that says the same twice", async (name, args, code) => {
    const result = bodyOf(await mcp.call(line, name, args));
    expect(Object.keys(result).sort()).toEqual(["content", "isError", "structuredContent", ...own].sort());
    const structured = result["structuredContent"];
    expect(result["content"]).toEqual([{ type: "text", text: JSON.stringify(structured) }]);
    expect(result["isError"]).toBe(true);
    expect(structured).toEqual({
      error: { code, message: expect.any(String), retryable: false, details: expect.any(Object) },
    });
  });

  test("an unknown tool is a JSON-RPC error with the hub's object", async () => {
    for (const name of ["nope", "", "constructor", "__proto__", "Whoami", " whoami", "x".repeat(1000)]) {
      const answer = await mcp.call(line, name);
      if (line === "2026" && answer.status === 400) continue; // names that no header can carry
      expect([name, answer.status, answer.json]).toMatchObject([
        name,
        200,
        { error: { code: -32602, data: { error: { code: "not_found", retryable: false, details: {} } } } },
      ]);
    }
  });
});

test("an internal error tells a reference that is in the log, and nothing else", async () => {
  await using broken = await openMcpHub();
  await broken.hub.hub.kernel.services.write((tx) => tx.db.run("ALTER TABLE sessions RENAME COLUMN name TO called"));
  const answer = await broken.call("2025", "session_start", { project_id: "p", session_name: "x" });
  const error = errorOf(answer);
  expect(error["code"]).toBeOneOf(["internal", "unavailable"]);
  expect(answer.text).not.toMatch(/SELECT|column|\.ts\b|sqlite/i);
  expect(broken.hub.log.some((line) => /session/.test(line) && /called|column|name/.test(line))).toBe(true);
});

describe("who is recorded", () => {
  test("is the caller, whatever an argument says", async () => {
    const claim = { actor: "bob", agent: "bob", agent_id: "bob", session_id: "x", principal: { kind: "operator" } };
    const project = { project_id: "p", ...claim };
    await mcp.call("2025", "signal_append", { ...project, kind: "signal", summary: "claimed" });
    await mcp.call("2026", "question_post", { ...project, subject: "claimed" });
    await mcp.call("2025", "session_start", { ...project, session_name: "claimed" });
    expect(resultOf(await mcp.call("2025", "whoami", claim))).toMatchObject({ actor: "alice", admin: false });
    const page = await mcp.hub.operator.call("feed_read", { project_id: "p", before: "Z".repeat(26) });
    const claimed = objectsIn(page, "events").filter(({ summary }) => String(summary).includes("claimed"));
    expect(claimed.map(({ actor }) => actor)).toEqual(["alice", "alice", "alice"]);
  });

  test("of an admin token is human", async () => {
    for (const line of lines) {
      const sent = { token: mcp.hub.operator.token };
      const written = await mcp.call(line, "signal_append", { project_id: "p", kind: "idea", summary: line }, sent);
      const page = await mcp.hub.operator.call("feed_read", {
        project_id: "p",
        kinds: ["idea"],
        before: "Z".repeat(26),
      });
      const event = objectsIn(page, "events").find(({ id }) => id === resultOf(written)["event_id"]);
      expect(event).toMatchObject({ actor: "human", summary: line });
    }
  });

  test("reads no audit record as an agent, whatever kinds it asks for", async () => {
    await mcp.hub.rest("createGrant", { params: { id: "alice" }, body: { project_id: "p" } });
    for (const kinds of [["system"], ["system", "signal"], [], undefined]) {
      const args = { project_id: "p", before: "Z".repeat(26), ...(kinds === undefined ? {} : { kinds }) };
      const events = objectsIn(resultOf(await mcp.call("2025", "feed_read", args)), "events");
      expect(events.filter(({ kind }) => kind === "system")).toEqual([]);
    }
    expect(resultOf(await mcp.call("2025", "feed_read", { project_id: "p", kinds: ["system"] }))).toMatchObject({
      events: [],
    });
  });
});

/** Arguments that satisfy the required ones of any tool, as far as their form goes. */
const samples: Readonly<Record<string, unknown>> = {
  project_id: "nowhere",
  session_name: "work",
  session_id: "x",
  path: "/fs/a",
  from_path: "/fs/a",
  to_path: "/fs/a.md",
  content: "# x",
  kind: "approval",
  summary: "x",
  subject: "x",
  body: "x",
  title: "x",
  query: "x",
};

function sampleFor(name: string, schema: unknown): unknown {
  // Of an artifact a number, of a page a digest.
  if (name === "version" && isObject(schema) && schema["type"] === "string") return `sha256:${"0".repeat(64)}`;
  const { enum: values, type, items } = isObject(schema) ? schema : {};
  if (Array.isArray(values)) return values.includes(samples[name]) ? samples[name] : values.at(-1);
  if (type === "array") return [sampleFor("", items)];
  if (samples[name] !== undefined) return samples[name];
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  return type === "object" ? {} : "x";
}

type Property = { tool: Tool; name: string; schema: Record<string, unknown>; required: Record<string, unknown> };

/** Every argument of every tool, with the required ones of its tool filled in. */
function everyArgument(tools: readonly Tool[]): Property[] {
  return tools.flatMap((tool) => {
    const properties = isObject(tool.inputSchema["properties"]) ? tool.inputSchema["properties"] : {};
    const required = Array.isArray(tool.inputSchema["required"]) ? tool.inputSchema["required"].map(String) : [];
    const filled = Object.fromEntries(required.map((key) => [key, sampleFor(key, properties[key])]));
    return Object.entries(properties).map(([name, schema]) => ({
      tool,
      name,
      schema: isObject(schema) ? schema : {},
      required: filled,
    }));
  });
}

const isAnyJson = (schema: Record<string, unknown>): boolean => schema["type"] === undefined;

async function refusalOf(tool: Tool, args: object): Promise<JsonObject> {
  return refusal(mcp.alice.call(tool.name, args));
}

describe("every tool", () => {
  test("refuses an argument of the wrong type by its name", async () => {
    for (const { tool, name, schema, required } of everyArgument(mcp.hub.hub.tools)) {
      if (isAnyJson(schema) || name === "envelope") continue;
      const wrong = schema["type"] === "string" ? [5, true, {}, []] : ["text", true, [{}]];
      for (const value of wrong) {
        if (schema["type"] === "boolean" && value === true) continue;
        const error = await refusalOf(tool, { ...required, [name]: value });
        const details = isObject(error["details"]) ? error["details"] : {};
        expect([tool.name, name, value, error["code"]]).toEqual([tool.name, name, value, "invalid_argument"]);
        expect([tool.name, name, String(details["field"]).split(".")[0]]).toEqual([tool.name, name, name]);
        expect(details["expected"]).toBeString();
      }
    }
  });

  test("refuses a fractional integer", async () => {
    for (const { tool, name, schema, required } of everyArgument(mcp.hub.hub.tools)) {
      if (schema["type"] !== "integer") continue;
      for (const value of [60.5, -0.1, 1e-9, 1e300]) {
        if (Number.isInteger(value) && schema["maximum"] === undefined) continue;
        const error = await refusalOf(tool, { ...required, [name]: value });
        expect([tool.name, name, value, error["code"], error["details"]]).toMatchObject([
          tool.name,
          name,
          value,
          "invalid_argument",
          { field: name },
        ]);
      }
    }
  });

  test("refuses a call without a required argument, also one sent as null", async () => {
    for (const { tool, name, required } of everyArgument(mcp.hub.hub.tools)) {
      if (!(name in required)) continue;
      const { [name]: _, ...others } = required;
      for (const args of [others, { ...others, [name]: null }]) {
        const error = await refusalOf(tool, args);
        const code = tool.name === "artifact_update" && name === "label" ? error["code"] : "invalid_argument";
        expect([tool.name, name, error["code"], error["details"]]).toMatchObject([
          tool.name,
          name,
          code,
          { field: name },
        ]);
      }
    }
  });

  test("reads a null for an optional argument as none, and minds no unknown one", async () => {
    const optional = new Map<Tool, Record<string, unknown>>();
    for (const { tool, name, required } of everyArgument(mcp.hub.hub.tools)) {
      if (!(name in required)) optional.set(tool, { ...optional.get(tool), [name]: null });
    }
    for (const tool of mcp.hub.hub.tools) {
      if (tool.name === "artifact_update" || tool.name === "artifact_draft" || tool.name.endsWith("_wait")) continue;
      const required = everyArgument([tool])[0]?.required ?? {};
      const nulls = { ...required, ...optional.get(tool), made_up: 5, another: null };
      expect([tool.name, await outcome(tool, nulls)]).toEqual([tool.name, await outcome(tool, required)]);
    }
  });

  test("answers a missing project and a denied one alike", async () => {
    for (const { tool, name, required } of everyArgument(mcp.hub.hub.tools)) {
      if (name !== "project_id" || !("project_id" in required)) continue;
      const denied = await refusalOf(tool, { ...required, project_id: "secret" });
      expect([tool.name, denied]).toEqual([tool.name, await refusalOf(tool, { ...required, project_id: "nowhere" })]);
      expect(denied).toEqual({
        code: "forbidden",
        message: "not found or not permitted",
        retryable: false,
        details: {},
      });
    }
  });
});

/** The members of a result, or what the call was refused with. */
async function outcome(tool: Tool, args: object): Promise<unknown> {
  try {
    return Object.keys(await mcp.alice.call(tool.name, args)).sort();
  } catch (error) {
    return String(error);
  }
}

// The tool list as clients get it (mcp-tools.md 2, 17; facts of real clients): the same for all, small, flat, and naming
// nothing that is not there.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import { instructionsBytes, toolListBytes } from "../../../src/shared/limits.ts";
import { storedSnapshots, toolSnapshots } from "../../snapshots/tool-snapshots.ts";
import { initializeMessage, lines, type McpHub, openMcpHub } from "./rpc.ts";

/** Every tool of the specification: `r` only reads, `d` destroys, `-` neither (mcp-tools.md 17). */
const specified: Readonly<Record<string, "r" | "d" | "-">> = {
  session_start: "-",
  session_end: "-",
  session_list: "r",
  session_brief: "r",
  feed_read: "-",
  signal_append: "-",
  question_post: "-",
  answer_post: "-",
  inbox_read: "r",
  inbox_wait: "r",
  notify_subscribe: "-",
  notify_unsubscribe: "-",
  notify_list: "r",
  notify_wait: "-",
  artifact_publish: "-",
  artifact_update: "-",
  artifact_draft: "-",
  artifact_get: "r",
  artifact_versions: "r",
  artifact_list: "r",
  artifact_delete: "d",
  comment_post: "-",
  comment_list: "r",
  comment_resolve: "-",
  comment_delete: "d",
  brain_get: "r",
  brain_put: "-",
  brain_list: "r",
  brain_delete: "d",
  brain_promote: "-",
  brain_history: "r",
  brain_revert: "-",
  search: "r",
  whoami: "r",
  version: "r",
};
const core = [
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
let listed: JsonObject[];
beforeAll(async () => {
  mcp = await openMcpHub();
  listed = toolsIn((await mcp.rpc("2025", { id: 1, method: "tools/list" })).json);
});
afterAll(() => mcp[Symbol.asyncDispose]());

function toolsIn(answer: JsonObject): JsonObject[] {
  const result = answer["result"];
  const tools = isObject(result) ? result["tools"] : undefined;
  if (!Array.isArray(tools)) throw new Error("no list of tools");
  return tools.filter((tool): tool is JsonObject => isObject(tool));
}

const nameOf = (tool: JsonObject): string => String(tool["name"]);
const schemaOf = (tool: JsonObject): JsonObject => {
  const schema = tool["inputSchema"];
  return isObject(schema) ? (schema as JsonObject) : {}; // came as JSON
};
/** Each schema below a tool's root, with the way to it. */
function* schemasIn(value: unknown, way: string): Generator<[string, Record<string, unknown>]> {
  if (!isObject(value)) return;
  yield [way, value];
  const properties = isObject(value["properties"]) ? value["properties"] : {};
  for (const [name, property] of Object.entries(properties)) yield* schemasIn(property, `${way}.${name}`);
  yield* schemasIn(value["items"], `${way}[]`);
  for (const union of ["anyOf", "oneOf", "allOf"]) {
    const branches = value[union];
    for (const branch of Array.isArray(branches) ? branches : []) yield* schemasIn(branch, `${way}|`);
  }
}

test("each tool is as its snapshot says, and no snapshot is left of one that is gone", async () => {
  const [now, stored] = [toolSnapshots(mcp.hub), await storedSnapshots()];
  expect([...stored.keys()].sort()).toEqual([...now.keys()].sort());
  for (const [name, text] of now) expect(text).toBe(stored.get(name) ?? "");
});

describe("the list", () => {
  test("is the same on both lines, for every caller, and in one order", async () => {
    for (const line of lines) {
      for (const token of [mcp.alice.token, mcp.bob.token, mcp.hub.operator.token]) {
        const answer = await mcp.rpc(line, { id: 1, method: "tools/list" }, { token });
        expect(toolsIn(answer.json)).toEqual(listed);
      }
    }
    expect(listed.map(nameOf)).toEqual(mcp.hub.hub.tools.map(({ name }) => name));
    expect(new Set(listed.map(nameOf)).size).toBe(listed.length);
  });

  test("stays under its size, as an answer on either line", async () => {
    for (const line of lines) {
      const { text } = await mcp.rpc(line, { id: 1, method: "tools/list" });
      expect(new TextEncoder().encode(text).byteLength).toBeLessThan(toolListBytes);
    }
  });

  test("holds only tools of the specification, with its hints, core or not", () => {
    for (const tool of listed) {
      const kind = specified[nameOf(tool)];
      expect([nameOf(tool), kind]).not.toEqual([nameOf(tool), undefined]);
      const hints = { r: { readOnlyHint: true }, d: { destructiveHint: true }, "-": undefined }[kind ?? "-"];
      expect([nameOf(tool), tool["annotations"]]).toEqual([nameOf(tool), hints]);
    }
    const built = new Set(listed.map(nameOf));
    expect(
      mcp.hub.hub.tools
        .filter((tool) => tool.core)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(core.filter((name) => built.has(name)).sort());
  });

  test("has names and descriptions that every client takes", () => {
    const lengths = listed.map((tool) => String(tool["description"]).length);
    expect(lengths.reduce((sum, length) => sum + length, 0) / lengths.length).toBeLessThan(200);
    for (const tool of listed) {
      expect(nameOf(tool)).toMatch(/^[a-z_]{1,30}$/);
      expect(String(tool["description"])).toMatch(/^[A-Z][^\n]{10,}[.!]$/);
      expect(Object.keys(tool).sort()).toEqual(
        ["annotations", "description", "inputSchema", "name"].filter((key) => key in tool).sort(),
      );
    }
  });
});

describe("every schema", () => {
  test("has a plain object at its root", () => {
    for (const tool of listed) {
      const schema = schemaOf(tool);
      expect([nameOf(tool), schema["type"]]).toEqual([nameOf(tool), "object"]);
      expect(Object.keys(schema).filter((key) => !["type", "properties", "required"].includes(key))).toEqual([]);
      const required = Array.isArray(schema["required"]) ? schema["required"] : [];
      const properties = isObject(schema["properties"]) ? schema["properties"] : {};
      expect(required.filter((name) => !(String(name) in properties))).toEqual([]);
    }
  });

  test("is flat: no references, no noise, no nulls, no composition", () => {
    const allowed =
      /^(?:type|properties|required|description|enum|items|pattern|minLength|maxLength|minimum|maximum|minItems|maxItems)$/;
    const unions = ["envelope", "label"];
    for (const tool of listed) {
      for (const [way, schema] of schemasIn(tool["inputSchema"], nameOf(tool))) {
        if (unions.includes(way.split(".").at(-1) ?? "")) continue;
        expect([way, Object.keys(schema).filter((key) => !allowed.test(key))]).toEqual([way, []]);
        const type = schema["type"];
        // Only what takes any JSON has no type.
        const isAny = type === undefined && /payload/.test(way);
        expect([way, isAny || /^(?:string|number|integer|boolean|array|object)$/.test(String(type))]).toEqual([
          way,
          true,
        ]);
        expect([way, Math.abs(Number(schema["maximum"] ?? 0)) < Number.MAX_SAFE_INTEGER]).toEqual([way, true]);
      }
    }
  });

  test("gives a limit that is cut no maximum", () => {
    for (const tool of listed) {
      for (const [way, schema] of schemasIn(tool["inputSchema"], nameOf(tool))) {
        if (way.endsWith(".limit") && nameOf(tool) !== "brain_history")
          expect([way, schema["maximum"]]).toEqual([way, undefined]);
      }
    }
  });
});

describe("what an agent reads at the start", () => {
  test("is short, the same on both lines, and says who serves", async () => {
    const opened = (await mcp.rpc("2025", initializeMessage)).json["result"];
    const discovered = (await mcp.rpc("2026", { id: 1, method: "server/discover" })).json["result"];
    if (!isObject(opened) || !isObject(discovered)) throw new Error("no result");
    const instructions = String(opened["instructions"]);
    expect(new TextEncoder().encode(instructions).byteLength).toBeLessThan(instructionsBytes);
    expect(discovered["instructions"]).toBe(instructions);
    expect(discovered["capabilities"]).toEqual(opened["capabilities"]);
    expect(opened["capabilities"]).toMatchObject({ tools: {}, resources: {} });
    // Nothing is offered that the server would have to push.
    expect(JSON.stringify(opened["capabilities"])).not.toMatch(/listChanged|subscribe/);
    expect(opened["serverInfo"]).toMatchObject({ name: "agent-hub", version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });

  test("names no tool that is not there", async () => {
    const built = new Set(listed.map(nameOf));
    const missing = Object.keys(specified).filter((name) => name.includes("_") && !built.has(name));
    const texts = [
      JSON.stringify(listed),
      (await mcp.rpc("2025", initializeMessage)).text,
      await (await fetch(`${mcp.url}/bootstrap/SKILL.md`)).text(),
      await (await fetch(`${mcp.url}/`)).text(),
    ];
    for (const text of texts) {
      for (const name of missing) expect(text).not.toMatch(new RegExp(`\\b${name}\\b`));
    }
  });
});

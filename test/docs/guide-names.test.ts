// Every name the guide uses is one of the product: tools, arguments, members of results, codes, settings, addresses; and
// every bound it gives is the hub's. What is known is taken from a hub that was asked, not from a list.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { keys } from "../../src/config/keys.ts";
import { calls } from "../../src/shared/api.ts";
import { errorCodes, isRetryable } from "../../src/shared/errors.ts";
import { sessionNamePattern } from "../../src/shared/ids.ts";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import * as limits from "../../src/shared/limits.ts";
import { eventKinds } from "../../src/shared/views.ts";
import { ask, listPage, send } from "../server/mcp/resource-requests.ts";
import { validCalls, walkedProject } from "../support/every-tool.ts";
import { examplesIn, type GuideText, guideTexts, namesIn, proseOf, spansIn, tableIn, textAt } from "./guide-texts.ts";
import { type GuideWorld, openGuideWorld } from "./guide-world.ts";

setDefaultTimeout(60_000);

const cases = guideTexts.map((text): [string, GuideText] => [text.path, text]);

let world: GuideWorld;
let tools: readonly JsonObject[];
const known = new Set<string>([...errorCodes, ...eventKinds, "tools", "call", "null", "true", "false"]);

beforeAll(async () => {
  world = await openGuideWorld();
  const { mcp } = world;
  tools = JSON.parse(JSON.stringify((await ask(mcp, "2025", "tools/list", {}))["tools"]));
  for (const tool of tools) {
    known.add(String(tool["name"]));
    learnSchema(tool["inputSchema"]);
  }
  await mcp.hub.project(walkedProject);
  for (const { name } of mcp.hub.hub.tools) learn(await walk(name));
  for (const text of guideTexts) for (const result of await world.follow(examplesIn(text))) learn(result);
  for (const result of await provoke()) learn(result);
  learn(await listPage(mcp, "2025"));
  learn((await send(mcp, "2025", "resources/read", { uri: "agenthub://nothing" }))["error"]);
  learn(await ask(mcp, "2025", "skills/list", {}));
  for (const frontmatter of ["type", "title", "description", "status", "tags", "stale_after", "sources"])
    known.add(frontmatter);
});
afterAll(() => world[Symbol.asyncDispose]());

const isName = (text: string): boolean => /^[a-z]+(?:_[a-z]+)*$/.test(text);

/** Members, and texts that are names themselves, such as kinds and modes. */
function learn(value: unknown): void {
  if (typeof value === "string" && isName(value)) known.add(value);
  if (Array.isArray(value)) for (const item of value) learn(item);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    known.add(name);
    learn(member);
  }
}

function learnSchema(schema: unknown): void {
  if (!isObject(schema)) return;
  if (Array.isArray(schema["enum"])) for (const item of schema["enum"]) known.add(String(item));
  learnSchema(schema["items"]);
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  for (const [name, property] of Object.entries(properties)) {
    known.add(name);
    learnSchema(property);
  }
}

async function walk(tool: string): Promise<unknown> {
  const plainly = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));
  const args = await validCalls[tool]?.((name, given) => world.call(name, plainly(given)));
  return world.call(tool, plainly(args));
}

/** Calls that are refused with the facts a refusal can carry, and pages that lint has something to say of. */
async function provoke(): Promise<unknown[]> {
  const { mcp, call } = world;
  const at = { project_id: "homelab" };
  const page = { ...at, store: "project" };
  const mine = await call("session_start", { ...at, session_name: "mine" });
  const { session_id } = await mcp.bob.call("session_start", { ...at, session_name: "theirs" });
  const theirs = { session_id: String(session_id) };
  const gone = await call("session_start", { ...at, session_name: "gone" });
  await call("session_end", { session_id: String(gone["session_id"]) });
  await mcp.hub.rest("pruneSession", { params: { id: String(gone["session_id"]) } });
  const brain = { store: "session", path: "/kv/x", content: "x" };
  for (let index = 0; index < limits.subscriptionsMax; index += 1) await call("notify_subscribe", { kinds: ["idea"] });
  for (let index = 0; index < Number(keys.inbox_action_per_agent.default); index += 1) {
    await call("question_post", { project_id: walkedProject, subject: `Which ${index}?` });
  }
  return [
    mine,
    await call("brain_put", { ...brain, session: theirs }),
    await call("session_start", { ...at, session_name: "mine", from: theirs }),
    await call("session_start", { ...at, session_name: "gone" }),
    await call("session_start", { ...at, session_name: "new", from: { session_id: String(gone["session_id"]) } }),
    await call("session_start", { project_id: walkedProject, session_name: "new", from: theirs }),
    await call("session_end", { session_id: String(mine["session_id"]), handoff: "x".repeat(5000) }),
    await call("brain_put", { ...brain, session: { session_id: String(mine["session_id"]) }, if_version: "absent" }),
    await call("brain_revert", { ...at, path: "/fs/x", version: `sha256:${"0".repeat(64)}`, if_version: "absent" }),
    await call("notify_subscribe", { kinds: ["idea"] }),
    await call("question_post", { project_id: walkedProject, subject: "One more?" }),
    await call("brain_put", { ...page, path: "/fs/none.md", content: "x", if_version: `sha256:${"0".repeat(64)}` }),
    ...(await outcomes()),
    await call("brain_put", { ...page, path: "/fs/a.md", content: "[up](../../x.md) [no](/fs/none.md)" }),
    await call("brain_put", { ...page, path: "/fs/b.md", content: "---\nokf_version: 1\n---\n" }),
    await call("brain_put", { ...page, path: "/fs/c.md", content: "---\nunclosed: 1\n" }),
  ];
}

/** What comes of items that nobody decides in time, and what a subscription tells. */
async function outcomes(): Promise<JsonObject[]> {
  const { mcp, call } = world;
  const asked = { project_id: "homelab", expires_in_seconds: limits.deadlineSecondsMin };
  await call("question_post", { ...asked, subject: "In time?" });
  await call("signal_append", { ...asked, kind: "approval", summary: "In time" });
  await mcp.bob.call("signal_append", { project_id: "homelab", kind: "idea", summary: "A thought" });
  mcp.hub.clock.now += limits.deadlineSecondsMin * 1000;
  return [await call("inbox_read", { status: "resolved", project_id: "homelab" }), await call("notify_list", {})];
}

/** Spans that are neither names of the product nor addresses: what they are is said where they stand. */
const plain = new Set([
  "<name>",
  ".",
  "..",
  '"..."',
  "A-Z a-z 0-9 _ -",
  "YYYY-MM-DD",
  "[text](/fs/path.md)",
  // What a document may hold, how a page of it is found, and the program that protects it.
  ...["/artifacts/<id>", "data:", "mermaid", "x", "y", "protect.mjs", '{"artifact_id": "..."}'],
  ...["bun protect.mjs", "BUN_BE_BUN=1 agent-hub protect.mjs"],
  // Words of the protocol.
  ...["tools/call", "resources/list", "nextCursor", "isError"],
  ...["Concept", "Guide", "Runbook", "Reference", "Decision", "draft", "stable"],
]);

describe.each(cases)("%s", (path, text) => {
  test("uses no code span that the product does not know", async () => {
    const unknown: string[] = [];
    for (const span of spansIn(text)) if (!(await isKnown(span))) unknown.push(span);
    expect(unknown).toEqual([]);
  });

  test("uses no name outside of code that looks like one of the product's and is none", () => {
    const words = proseOf(text).match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
    expect(words.filter((word) => !known.has(word))).toEqual([]);
    for (const setting of proseOf(text).match(/\bHUB_\w+/g) ?? []) expect(settings).toContain(setting);
  });

  test("gives no number that is not the hub's", () => {
    const words = proseOf(text).replaceAll(/`[^`\n]+`/g, "code");
    const given = [...words.matchAll(/\b(\d[\d,]*)(?: (KiB|MiB|GiB|s|days)\b)?/g)];
    for (const [shown, number = "", unit = ""] of given) {
      const value = Number(number.replaceAll(",", "")) * (units[unit] ?? 1);
      expect([path, shown, value < 10 || bounds.has(value)]).toEqual([path, shown, true]);
    }
  });

  test("ends its lines and names no address of a place", () => {
    expect(text.text).toEndWith("\n");
    expect(text.text).not.toMatch(/[ \t]$/m);
    expect(text.text).not.toMatch(/https?:\/\//);
  });
});

const settings = Object.keys(keys).map((key) => `HUB_${key.toUpperCase()}`);
const units: Readonly<Record<string, number>> = {
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  s: 1000,
  days: 24 * 3600 * 1000,
};
/** The hub's numbers; those of times in milliseconds as well. */
const bounds = new Set<number>([
  ...Object.values(limits),
  // HTTP statuses.
  ...[401, 404, 413, 503],
  // In the pattern alone.
  Number(/\{1,(\d+)\}/.exec(sessionNamePattern.source)?.[1]),
  // A wait answers a second before this.
  limits.waitMsLongest + 1000,
  ...[limits.deadlineSecondsMin, limits.deadlineSecondsMax, limits.waitSecondsDefault].map((seconds) => seconds * 1000),
  ...[keys.inbox_action_per_agent, keys.inbox_action_per_project, keys.events_per_project].map((key) =>
    Number(key.default),
  ),
]);

async function isKnown(span: string): Promise<boolean> {
  if (plain.has(span) || known.has(span) || settings.includes(span)) return true;
  // `a.b` goes into a member; `a: x` is a member with a value.
  const [, name = "", value = ""] = /^([\w.]+)(?:: (.+))?$/.exec(span) ?? [];
  if (name !== "" && name.split(".").every((part) => known.has(part))) {
    return value === "" || /^(?:"?[\w-]+"?|\d+)$/.test(value);
  }
  if (/^references\/[\w-]+\.md$|^[\w-]+\.md$/.test(span)) {
    return guideTexts.some((text) => text.path === span || text.path === `references/${span}`);
  }
  if (/^(?:skill|agenthub):/.test(span)) return isAddress(span);
  if (/^\/(?:fs|kv)(?:\/(?:[\w.-]+(?:\/[\w.-]+)*|<[\w ]+>)?)?$/.test(span)) return true;
  return /^agent-hub (?:call <tool> '<arguments>'|call <tool> '<json>'|mcp)$/.test(span) || isBootstrap(span);
}

async function isAddress(uri: string): Promise<boolean> {
  if (uri.includes("<")) return uri === "agenthub://kb/<project_id>/<path>";
  if (uri.endsWith("/")) return guideTexts.some(({ path }) => `skill://agent-hub/${path}`.startsWith(uri));
  return "result" in (await send(world.mcp, "2026", "resources/read", { uri }));
}

/** How the bootstrap guide names what is set up before there is a connection. */
function isBootstrap(span: string): boolean {
  const route = /^GET \{\{origin\}\}(\/\S+)$/.exec(span)?.[1];
  if (route !== undefined) return Object.values(calls).some(({ method, path }) => method === "GET" && path === route);
  return span === "HUB_URL={{origin}}" || span === "HUB_TOKEN" || span.startsWith('{"error": {');
}

describe("the tables", () => {
  test("holds every tool with the arguments of its schema", () => {
    const rows = tableIn(textAt("references/tools.md"), ["Tool", "Needs", "May take", "Does"]);
    const shown = rows.map(([tool = "", needs = "", may = ""]): [string, object] => [
      namesIn(tool)[0] ?? "",
      { needs: namesIn(needs).sort(), may: namesIn(may).sort() },
    ]);
    const real = tools.map(({ name, inputSchema }): [string, object] => {
      const { properties, required } = isObject(inputSchema) ? inputSchema : {};
      const needs = Array.isArray(required) ? required.map(String) : [];
      const all = Object.keys(isObject(properties) ? properties : {});
      return [String(name), { needs: needs.sort(), may: all.filter((argument) => !needs.includes(argument)).sort() }];
    });
    expect(shown).toHaveLength(real.length);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(real));
  });

  test("the codes are the hub's, and only those may be sent again that may", () => {
    const rows = tableIn(textAt("references/errors.md"), ["Code", "Again as it is", "What to do"]);
    expect(rows.map(([code = "", again]) => [namesIn(code)[0], again])).toEqual(
      errorCodes.map((code) => [code, isRetryable(code) ? "yes" : "no"]),
    );
  });

  test("the limits are the hub's, and beyond them it answers so", () => {
    const rows = tableIn(textAt("references/tools.md"), ["What", "Bound", "Beyond it"]);
    expect(Object.fromEntries(rows.map(([what = "", bound = ""]) => [what, bound]))).toEqual({
      "summary, subject": `${limits.summaryChars} characters`,
      "event payload": `${limits.payloadBytes / 1024} KiB`,
      "question options": `${limits.optionsMin} to ${limits.optionsMax}`,
      "one option": `${limits.optionChars} characters`,
      deadline: `${limits.deadlineSecondsMin} s to ${limits.deadlineSecondsMax / 86_400} days`,
      "idempotency key": `${limits.idempotencyKeyChars} characters`,
      "feed or inbox page": `${limits.pageMax}`,
      "one wait": `${(limits.waitMsLongest + 1000) / 1000} s`,
      "session name": "128 characters",
      "sessions in one list": `${limits.sessionListMax}`,
      "handoff note": `${limits.handoffChars} characters`,
      "brain value": `${limits.brainValueBytes / 1024 ** 2} MiB`,
      "brain path": `${limits.brainPathBytes} bytes`,
      page: `${limits.pageBytes / 1024 ** 2} MiB`,
      "page path": `${limits.pagePathBytes} bytes`,
      "one brain, or one knowledge base": `${limits.storeHardBytes / 1024 ** 3} GiB`,
      "page versions in one list": `${limits.historyMax}`,
      "artifact content": `${limits.artifactBytes / 1024 ** 2} MiB`,
      "artifact title": `${limits.artifactTitleChars} characters`,
      "artifact description": `${limits.artifactDescriptionChars} characters`,
      "version label": `${limits.artifactLabelBytes} bytes`,
      comment: `${limits.commentChars} characters`,
      "search hits": `${limits.searchHitsMax}`,
      subscriptions: `${limits.subscriptionsMax}`,
      "open items of yours in one project": keys.inbox_action_per_agent.default,
    });
  });
});

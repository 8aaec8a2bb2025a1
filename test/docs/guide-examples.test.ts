// Every example of the guide is a call that a hub takes: each text is followed from its beginning, on a hub of its own.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { storedSnapshots } from "../snapshots/tool-snapshots.ts";
import { blocksIn, type Example, examplesIn, type GuideText, guideTexts, jsonIn } from "./guide-texts.ts";
import { openGuideWorld } from "./guide-world.ts";

// A bound, not a wait: an `inbox_wait` that nothing ends would take this long.
setDefaultTimeout(60_000);

const schemas = new Map(
  [...(await storedSnapshots())].map(([name, text]) => [
    name.replace(/\.json$/, ""),
    JSON.parse(text).inputSchema as JsonObject,
  ]), // a schema
);
const shown = new Set<string>();

const withExamples = guideTexts.filter((text) => examplesIn(text).length > 0);

test("the skill and each of its references shows how it is done", () => {
  const paths = withExamples.map(({ path }) => path);
  expect(paths).toEqual(guideTexts.map(({ path }) => path).filter((path) => path !== "bootstrap.md"));
});

describe.each(withExamples.map((text): [string, GuideText] => [text.path, text]))("%s", (_, text) => {
  test("shows calls, and otherwise only what a hub answers", () => {
    for (const value of jsonIn(text)) {
      const known = ["tool", "error", "notifications"].filter((name) => name in value);
      expect([JSON.stringify(value), known.length > 0]).toEqual([JSON.stringify(value), true]);
    }
    for (const { language } of blocksIn(text)) expect(["json", "sh", "js"]).toContain(language);
  });

  test("names only arguments that the tool has", () => {
    for (const { tool, args } of examplesIn(text)) {
      shown.add(tool);
      expect([tool, misplaced(args, schemas.get(tool))]).toEqual([tool, []]);
    }
  });

  test("every call is taken, or fails as it says", async () => {
    await using world = await openGuideWorld();
    const examples = examplesIn(text);
    const results = await world.follow(examples);
    for (const [index, result] of results.entries()) {
      const { tool, args, error }: Example = examples[index] ?? { tool: "", args: {} };
      const refused = isObject(result["error"]) ? result["error"] : undefined;
      expect([tool, args, refused?.["code"], refused?.["message"]]).toEqual([
        tool,
        args,
        error,
        error === undefined ? undefined : expect.any(String),
      ]);
      if (tool.endsWith("_wait") && args["wait_seconds"] !== 0) {
        expect([tool, JSON.stringify(result)]).toEqual([tool, expect.stringMatching(/"answer"|"decision"|"pending"/)]);
      }
    }
  });
});

afterAll(() => {
  // No tool goes without an example.
  expect([...schemas.keys()].filter((name) => !shown.has(name))).toEqual([]);
});

/** The members of a value that a schema does not have, with the way to each. */
function misplaced(value: unknown, schema: unknown, way = ""): string[] {
  if (!isObject(schema)) return [way || "the tool"];
  if (!isObject(value) || !isObject(schema["properties"])) return [];
  const { properties } = schema;
  return Object.entries(value).flatMap(([name, member]) => misplaced(member, properties[name], `${way}.${name}`));
}

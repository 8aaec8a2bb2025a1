// The texts of skills/agent-hub as tests read them: the example blocks, the code spans, the tables, the prose.
import { join } from "node:path";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { listFiles, root } from "../support/source-files.ts";

const folder = "skills/agent-hub";

export type GuideText = { path: string; text: string };

/** One call as the guide shows it: `{"tool", "arguments"}`, and `error` when it fails on purpose. */
export type Example = { tool: string; args: JsonObject; error?: string };

export const guideTexts: readonly GuideText[] = await Promise.all(
  (await listFiles(folder)).map(async (path) => ({
    path: path.slice(folder.length + 1),
    text: await Bun.file(join(root, path)).text(),
  })),
);

export type Block = { language: string; text: string };

export function blocksIn({ text }: GuideText): Block[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", body = ""]) => ({
    language,
    text: body,
  }));
}

/** What stands in the JSON blocks of a text: each must be one JSON object. */
export function jsonIn(text: GuideText): JsonObject[] {
  return blocksIn(text)
    .filter(({ language }) => language === "json")
    .map((block) => {
      const value: unknown = JSON.parse(block.text);
      if (!isObject(value)) throw new Error(`${text.path} shows JSON that is no object: ${block.text}`);
      return value as JsonObject; // parsed from JSON
    });
}

export function examplesIn(text: GuideText): Example[] {
  return jsonIn(text)
    .filter((value) => "tool" in value)
    .map(({ tool, arguments: args, error, ...rest }) => {
      if (typeof tool !== "string" || !isObject(args) || Object.keys(rest).length > 0) {
        throw new Error(`${text.path} shows a call of another form: ${JSON.stringify(tool)}`);
      }
      return { tool, args: args as JsonObject, ...(typeof error === "string" ? { error } : {}) }; // parsed from JSON
    });
}

/** A text without its blocks. */
export function proseOf({ text }: GuideText): string {
  return text.replaceAll(/^```\w*\n[\s\S]*?^```$/gm, "");
}

export function spansIn(text: GuideText): string[] {
  return [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
}

/** The rows of the table with this heading row, each as its cells. */
export function tableIn(text: GuideText, heading: readonly string[]): string[][] {
  const rows = proseOf(text).split("\n");
  const start = rows.indexOf(`| ${heading.join(" | ")} |`);
  if (start === -1) throw new Error(`${text.path} has no table ${heading.join(", ")}`);
  const below = rows.slice(start + 2);
  const end = below.findIndex((row) => !row.startsWith("|"));
  return below.slice(0, end === -1 ? undefined : end).map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

export function textAt(path: string): GuideText {
  const found = guideTexts.find((text) => text.path === path);
  if (found === undefined) throw new Error(`no ${path}`);
  return found;
}

/** The names in the code spans of a table cell. */
export function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

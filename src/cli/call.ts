// `agent-hub call`: one tool call, its result on stdout (cli.md 5).
import { callTool } from "../client/one-shot.ts";
import { isObject, type JsonObject } from "../shared/json.ts";
import type { Command, Io } from "./command.ts";
import { exitCodes, UsageError } from "./exit-codes.ts";
import { hubHelp } from "./hub-help.ts";
import { readHub } from "./settings.ts";

export const command: Command = {
  name: "call",
  usage: `usage: agent-hub call <tool> [json|-]

Calls one tool and prints its structured result as one line of JSON.

  <tool>  name of the tool; agent-hub tools lists them
  json    the arguments, one JSON object; {} when left out
  -       read the arguments from standard input

A configured project (HUB_PROJECT) is added as project_id where the tool selects by project and the arguments name none.
${hubHelp}`,
  positionals: { min: 1, max: 2 },
  options: {},
  async run({ positionals: [tool = "", source] }, io) {
    if (tool.trim() === "") throw new UsageError("the tool name is empty");
    const given = parseToolArguments(await argumentsText(source, io));
    const { hub, config } = await readHub(io);
    const result = await callTool(hub, tool, withDefaultProject(tool, given, config.project));
    await io.stdout(`${JSON.stringify(result)}\n`);
    return exitCodes.success;
  },
};

async function argumentsText(source: string | undefined, io: Io): Promise<string> {
  if (source !== "-") return source ?? "{}";
  const chunks: Uint8Array[] = [];
  for await (const chunk of io.stdin()) chunks.push(chunk);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new UsageError("standard input is not UTF-8 text; give one JSON object", { cause: error });
  }
}

function parseToolArguments(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError("the arguments are not JSON; give one JSON object, such as '{\"limit\":20}'", {
      cause: error,
    });
  }
  if (!isObject(value)) throw new UsageError("the arguments are JSON but not an object; give one JSON object");
  // Parsed JSON holds nothing but Json.
  return value as JsonObject;
}

const storeTools: readonly string[] = ["brain_get", "brain_put", "brain_list", "brain_delete"];

/** The session store refuses a project_id; a project_id the caller wrote always wins. */
function withDefaultProject(tool: string, given: JsonObject, project: string | null): JsonObject {
  if (project === null || Object.hasOwn(given, "project_id")) return given;
  if (storeTools.includes(tool) && given["store"] !== "project") return given;
  return { ...given, project_id: project };
}

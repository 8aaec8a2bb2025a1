// `agent-hub projects`: create, list, delete (cli.md 9). What is allowed is the hub's answer, passed through.
import { callRest, notHub } from "../client/rest.ts";
import { isObject } from "../shared/json.ts";
import type { Command, Input, Io } from "./command.ts";
import { exitCodes, UsageError } from "./exit-codes.ts";
import { hubHelp } from "./hub-help.ts";
import { readHub } from "./settings.ts";

export const command: Command = {
  name: "projects",
  usage: `usage: agent-hub projects create --id ID [--name NAME]
       agent-hub projects list [--plain]
       agent-hub projects delete [--id ID]

  create  makes a project and prints it as one line of JSON
  list    prints the projects this token can see
  delete  removes a project with everything in it, for good; takes the admin token as HUB_TOKEN

  --id ID      the project; delete takes the configured one (HUB_PROJECT) when left out
  --name NAME  its display name, else its id (also --display-name)
  --plain      one line a project: id and display name

${hubHelp}`,
  positionals: { min: 1, max: 1 },
  options: {
    id: { takes: "value" },
    name: { takes: "value" },
    "display-name": { takes: "value" },
    plain: { takes: "flag" },
  },
  async run(input, io) {
    switch (input.positionals[0]) {
      case "create":
        return create(input, io);
      case "list":
        return list(input, io);
      case "delete":
        return remove(input, io);
      default:
        throw new UsageError(`unknown projects command '${input.positionals[0]}'; give create, list or delete`);
    }
  },
};

function allowOnly({ values, flags, positionals }: Input, names: readonly string[]): void {
  const surplus = [...values.keys(), ...flags].find((name) => !names.includes(name));
  if (surplus !== undefined) throw new UsageError(`option '--${surplus}' is not for 'projects ${positionals[0]}'`);
}

async function create(input: Input, io: Io): Promise<number> {
  allowOnly(input, ["id", "name", "display-name"]);
  const id = input.values.get("id");
  if (id === undefined) throw new UsageError("'projects create' needs --id");
  const { hub } = await readHub(io);
  const display_name = input.values.get("name") ?? input.values.get("display-name") ?? id;
  const project = await callRest(hub, { method: "POST", path: "/api/v1/projects", body: { id, display_name } });
  if (!isObject(project)) throw notHub(hub, "without a project");
  await io.stdout(`${JSON.stringify(project)}\n`);
  return exitCodes.success;
}

async function list(input: Input, io: Io): Promise<number> {
  allowOnly(input, ["plain"]);
  const { hub } = await readHub(io);
  const answer = await callRest(hub, { method: "GET", path: "/api/v1/projects" });
  if (!isObject(answer) || !Array.isArray(answer["projects"])) throw notHub(hub, "without a list of projects");
  await io.stdout(input.flags.has("plain") ? answer["projects"].map(line).join("") : `${JSON.stringify(answer)}\n`);
  return exitCodes.success;
}

function line(project: unknown): string {
  const { id, display_name: name } = isObject(project) ? project : {};
  return typeof name === "string" && name !== "" ? `${oneLine(id)}  ${oneLine(name)}\n` : `${oneLine(id)}\n`;
}

// A name from the hub must not start a line of its own.
function oneLine(text: unknown): string {
  return String(text).replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

async function remove(input: Input, io: Io): Promise<number> {
  allowOnly(input, ["id"]);
  const { hub, config } = await readHub(io);
  const id = input.values.get("id") ?? config.project;
  if (id === null) throw new UsageError("'projects delete' needs --id, or a configured project (HUB_PROJECT)");
  await callRest(hub, { method: "DELETE", path: `/api/v1/projects/${encodeURIComponent(id)}` });
  await io.stdout(`deleted ${id}\n`);
  return exitCodes.success;
}

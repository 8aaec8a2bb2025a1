// What an agent reads until it knows where it stands, in bytes, and the table of README.md that says so.
// `bun test/docs/context-economy.ts` writes the table anew.
import { join } from "node:path";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { initializeMessage, type McpHub, openMcpHub } from "../server/mcp/rpc.ts";
import { root } from "../support/source-files.ts";

/** Bytes of one token, as everybody reckons. */
export const bytesPerToken = 4;
/** What the counted steps may take together. */
export const orientationTokens = 2000;

export type Step = { name: string; bytes: number; isCounted: boolean };

const night = 12 * 3600 * 1000;
const homelab = { project_id: "homelab" };

/** The morning after: one answer came, another agent said two things, and yesterday left its notes. */
export async function measureOrientation(): Promise<Step[]> {
  await using mcp = await openMcpHub();
  await leaveYesterday(mcp);
  const connection = await mcp.initialize();
  const call = async (name: string, args: object): Promise<string> =>
    textIn((await mcp.call("2025", name, args, { headers: { "mcp-session-id": connection } })).json);
  const opened = (await mcp.rpc("2025", initializeMessage)).json["result"];
  const step = (name: string, text: string, isCounted = true): Step => ({
    name,
    bytes: Buffer.byteLength(text),
    isCounted,
  });
  return [
    step("Instructions", isObject(opened) ? String(opened["instructions"]) : ""),
    step("Tool list, `?tools=core`", await listOf(mcp, "?tools=core")),
    step("`session_brief`", await call("session_brief", homelab)),
    step("`session_start`", await call("session_start", { ...homelab, session_name: "name-servers" })),
    step("`brain_get` of the recovery document", await call("brain_get", { path: "/fs/RECOVERY.md" })),
    step("Tool list, whole", await listOf(mcp, ""), false),
    step("Guide, `/bootstrap/SKILL.md`", await (await fetch(`${mcp.url}/bootstrap/SKILL.md`)).text(), false),
  ];
}

async function leaveYesterday({ hub, alice, bob }: McpHub): Promise<void> {
  await hub.project("homelab");
  const at = { connection: await hub.connect(alice) };
  const { session_id } = await alice.call("session_start", { ...homelab, session_name: "name-servers" }, at);
  await alice.call(
    "brain_put",
    {
      store: "session",
      path: "/fs/RECOVERY.md",
      content:
        "Moving five zones to the new name server.\n\n- done: home.arpa, lab, guests\n- next: iot, then mail\n- rollback: zones.bak on nas\n",
    },
    at,
  );
  await alice.call("feed_read", homelab);
  const { question_id } = await alice.call("question_post", {
    ...homelab,
    subject: "Switch the name servers now?",
    options: ["now", "tonight"],
  });
  await alice.call("session_end", {
    session_id,
    handoff: "Three of five zones moved. Waiting for a go on the switch.",
  });
  hub.clock.now += night;
  await hub.rest("answerQuestion", { params: { id: String(question_id) }, body: { body: "tonight" } });
  await bob.call("signal_append", { ...homelab, kind: "signal", summary: "nas: the backup of last night is complete" });
  await bob.call("signal_append", { ...homelab, kind: "finished", summary: "router: firmware updated, all links up" });
}

/** What of a list reaches a model. */
async function listOf(mcp: McpHub, query: string): Promise<string> {
  const { result } = (await mcp.rpc("2025", { id: 1, method: "tools/list" }, { query })).json;
  const tools = isObject(result) && Array.isArray(result["tools"]) ? result["tools"] : [];
  return JSON.stringify(
    tools.flatMap((tool) =>
      isObject(tool)
        ? [{ name: tool["name"], description: tool["description"], inputSchema: tool["inputSchema"] }]
        : [],
    ),
  );
}

function textIn(answer: JsonObject): string {
  const result = answer["result"];
  const [block] = isObject(result) && Array.isArray(result["content"]) ? result["content"] : [];
  if (!isObject(result) || result["isError"] === true || !isObject(block)) throw new Error(JSON.stringify(answer));
  return String(block["text"]);
}

const start = "<!-- context economy -->\n";
const end = "<!-- /context economy -->";
const readme = join(root, "README.md");

/** The table of README.md, and its figures by step. */
export async function storedTable(): Promise<{ text: string; bytes: Map<string, number> }> {
  const [, text = ""] = (await Bun.file(readme).text()).split(start);
  const table = text.split(end)[0] ?? "";
  const rows = table.matchAll(/^\| (.+?) +\| ([\d,]+) +\|/gm);
  return {
    text: table,
    bytes: new Map([...rows].map(([, name = "", n = ""]) => [name, Number(n.replaceAll(",", ""))])),
  };
}

export function renderTable(steps: readonly Step[]): string {
  const shown = (n: number): string => n.toLocaleString("en");
  const row = (name: string, bytes: number): string[] => [name, shown(bytes), shown(Math.ceil(bytes / bytesPerToken))];
  const counted = steps.filter(({ isCounted }) => isCounted);
  const sum = counted.reduce((total, { bytes }) => total + bytes, 0);
  const rows = [
    ["What the model reads", "Bytes", "Tokens"],
    ...counted.map(({ name, bytes }) => row(name, bytes)),
    row("**Together**", sum),
    ...steps.filter(({ isCounted }) => !isCounted).map(({ name, bytes }) => row(`Not counted: ${name}`, bytes)),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((cells) => (cells[column] ?? "").length)));
  const line = (cells: string[], fill: string): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |\n`;
  const [heading = [], ...figures] = rows;
  return [line(heading, " "), line(["", "", ""], "-"), ...figures.map((cells) => line(cells, " "))].join("");
}

if (import.meta.main) {
  const table = renderTable(await measureOrientation());
  const text = await Bun.file(readme).text();
  const { text: old } = await storedTable();
  await Bun.write(
    readme,
    text.replace(`${start}${old}`, () => `${start}${table}`),
  );
  process.stdout.write(table);
}

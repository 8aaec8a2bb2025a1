// The client snippets of README.md: each is what its client's file format takes, names what this hub really has, and
// connects to a hub. The formats are those of the clients' own documentation; what is not in them is refused here too.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { parse as parseToml } from "smol-toml";
import { z } from "zod";
import { keys } from "../../src/config/keys.ts";
import { createAgent } from "../support/agents.ts";
import { binaryPath, type RunningHub, run, startHub } from "../support/binary.ts";
import { agentOverHttp, agentOverProgram } from "../support/mcp-agents.ts";
import { runCommand } from "../support/processes.ts";
import { type Block, readBlocks } from "../support/readme.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

const origin = `http://${keys.bind.default}`;
const address = `${origin}/mcp`;
const placeholder = "<the agent's token>";
const inBraces = (name: string): string => `\${${name}}`;

const milliseconds = z.int().min(60_000);
const texts = z.record(z.string(), z.string());
const bearer = (token: string) => z.strictObject({ Authorization: z.literal(`Bearer ${token}`) });
const program = { command: z.string(), args: z.array(z.string()), env: texts };
const hubOnly = <T extends z.ZodType>(server: T) => z.strictObject({ hub: server });

/** One client's file: how it is read, what it may hold, and where a token in it comes from. */
type Format = { language: string; read(text: string): unknown; schema: z.ZodType; token: string };

const formats: Record<string, Format> = {
  "Claude Code": {
    language: "json",
    read: JSON.parse,
    token: inBraces("HUB_TOKEN"),
    schema: z.strictObject({
      mcpServers: hubOnly(
        z.strictObject({
          type: z.literal("http"),
          url: z.literal(address),
          headers: bearer(inBraces("HUB_TOKEN")),
          timeout: milliseconds.optional(),
        }),
      ),
    }),
  },
  Codex: {
    language: "toml",
    read: parseToml,
    token: "HUB_TOKEN",
    schema: z.strictObject({
      mcp_servers: hubOnly(
        z.strictObject({
          url: z.literal(address),
          bearer_token_env_var: z.literal("HUB_TOKEN"),
          startup_timeout_sec: z.number().optional(),
          tool_timeout_sec: z.number().min(60).optional(),
        }),
      ),
    }),
  },
  "Gemini CLI": {
    language: "json",
    read: JSON.parse,
    token: "$HUB_TOKEN",
    schema: z.strictObject({
      mcpServers: hubOnly(
        z.strictObject({
          type: z.literal("http"),
          url: z.literal(address),
          headers: bearer("$HUB_TOKEN"),
          timeout: milliseconds.optional(),
        }),
      ),
    }),
  },
  Cursor: {
    language: "json",
    read: JSON.parse,
    token: inBraces("env:HUB_TOKEN"),
    schema: z.strictObject({
      mcpServers: hubOnly(z.strictObject({ url: z.literal(address), headers: bearer(inBraces("env:HUB_TOKEN")) })),
    }),
  },
  "VS Code": {
    language: "json",
    read: JSON.parse,
    token: inBraces("input:hub-token"),
    schema: z.strictObject({
      servers: hubOnly(
        z.strictObject({
          type: z.literal("http"),
          url: z.literal(address),
          headers: bearer(inBraces("input:hub-token")),
        }),
      ),
      inputs: z.tuple([
        z.strictObject({
          type: z.literal("promptString"),
          id: z.literal("hub-token"),
          description: z.string().min(1),
          password: z.literal(true),
        }),
      ]),
    }),
  },
  "Claude Desktop": {
    language: "json",
    read: JSON.parse,
    token: placeholder,
    schema: z.strictObject({
      mcpServers: hubOnly(
        z.strictObject({
          command: z.literal("agent-hub"),
          args: z.tuple([z.literal("mcp")]),
          env: z.strictObject({ HUB_URL: z.literal(origin), HUB_TOKEN: z.literal(placeholder) }),
        }),
      ),
    }),
  },
};

let blocks: Block[];
let hub: RunningHub;
let token: string;

beforeAll(async () => {
  blocks = (await readBlocks()).filter(({ section }) => section === "Connecting an agent");
  hub = await startHub();
  token = await createAgent(hub, "alice");
});
afterAll(() => hub?.[Symbol.asyncDispose]());

function snippetOf(client: string): string {
  const { language } = formats[client] ?? { language: "" };
  const found = blocks.filter((block) => block.topic === client && block.language === language);
  expect(found, `${language} snippets under ${client}`).toHaveLength(1);
  return found[0]?.text ?? "";
}

test("every block of the section belongs to a client that is checked here", () => {
  const clients = [...new Set(blocks.map(({ topic }) => topic))];
  expect(clients).toEqual(Object.keys(formats));
  const commands = blocks.filter(({ language }) => language === "sh");
  expect(commands.map(({ topic }) => topic)).toEqual(["Claude Code"]);
});

describe.each(Object.entries(formats))("%s", (client, { read, schema, token: reference }) => {
  test("takes the snippet as it stands", () => {
    const file = read(snippetOf(client));
    expect(schema.safeParse(file).error?.issues ?? []).toEqual([]);
  });

  test("refuses a member it does not have", () => {
    const text = snippetOf(client);
    const spoiled =
      client === "Codex"
        ? [`${text}headers = { Authorization = "x" }\n`, `${text}bearer_token = "x"\n`, text.replace("url", "httpUrl")]
        : [
            text.replace('"hub": {', '"hub": { "bearer_token": "x",'),
            text.replace(/"(mcpServers|servers)"/, '"mcp_servers"'),
            text.replace(/"(url|command)"/, '"address"'),
          ];
    for (const other of spoiled) {
      expect(other).not.toBe(text);
      expect(schema.safeParse(read(other)).success).toBe(false);
    }
  });

  test("reaches the hub with it, as the agent of the token", async () => {
    const text = snippetOf(client).replaceAll(origin, hub.url);
    expect(text).toContain(reference);
    await using agent = await connect(read(client === "Codex" ? text : text.replaceAll(reference, token)));
    expect(await agent.call("whoami")).toMatchObject({ actor: "alice", admin: false });
  });
});

const served = z.object({
  hub: z.union([z.object(program), z.object({ url: z.string(), headers: texts.optional() })]),
});
const anyFile = z.union([
  z.object({ mcpServers: served }).transform((file) => file.mcpServers.hub),
  z.object({ servers: served }).transform((file) => file.servers.hub),
  z.object({ mcp_servers: served }).transform((file) => file.mcp_servers.hub),
]);

/** Connects as a client does that has read its file. */
async function connect(file: unknown) {
  const server = anyFile.parse(file);
  if ("command" in server) {
    const command = server.command === "agent-hub" ? binaryPath : server.command;
    return agentOverProgram("2025", { command, args: server.args, env: server.env });
  }
  // Codex alone reads the token from the variable it names.
  const sent = server.headers?.["Authorization"] ?? `Bearer ${token}`;
  expect(server.url).toBe(`${hub.url}/mcp`);
  return agentOverHttp(hub.url, sent.replace(/^Bearer /, ""));
}

test("`claude mcp add` gets the name, the address and the header as separate words", async () => {
  const [command] = blocks.filter(({ language }) => language === "sh");
  const script = `claude() { printf '%s\\n' "$@"; }\n${command?.text}`;
  const { code, stdout } = await runCommand(["/bin/sh", "-c", script], { env: { HUB_TOKEN: "secret" } });
  expect(code).toBe(0);
  expect(stdout.trimEnd().split("\n")).toEqual([
    ...["mcp", "add", "--transport", "http", "--scope", "user", "hub", address],
    ...["--header", "Authorization: Bearer secret"],
  ]);
});

test("the command and the variables of the snippets are the hub's", async () => {
  expect((await run(["mcp", "--help"])).code).toBe(0);
  const variables = Object.keys(keys).map((key) => `HUB_${key.toUpperCase()}`);
  const used = new Set(blocks.flatMap(({ text }) => text.match(/\bHUB_[A-Z_]+/g) ?? []));
  expect([...used].filter((name) => !variables.includes(name))).toEqual([]);
  expect(used).toEqual(new Set(["HUB_TOKEN", "HUB_URL"]));
});

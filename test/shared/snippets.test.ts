// What the app hands out for each client: it is what the client's file format takes, nothing in a token or an address
// means anything to the format or the shell it stands in, and it connects to a hub.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { parse as parseToml } from "smol-toml";
import { z } from "zod";
import { type ClientName, clientNames, isLoopback, type Snippet, snippetsOf } from "../../src/shared/snippets.ts";
import { createAgent } from "../support/agents.ts";
import { binaryPath, type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { agentOverHttp, agentOverProgram } from "../support/mcp-agents.ts";
import { runCommand } from "../support/processes.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

const usual = { mcp: "http://127.0.0.1:8080/mcp", base: "http://127.0.0.1:8080", token: "5e1f" };

/** Words with everything a shell, JSON or TOML has a meaning for. */
const hostile = fc.string({
  unit: fc.constantFrom(..."'\"$\\%`!#&;|<>(){}[]*?~^= aé\u007f€"),
  minLength: 1,
  maxLength: 24,
});
const hostileAddress = hostile.map((tail) => `http://hub.example/${tail}/mcp`);

function only(client: ClientName, name: Snippet["name"], values = usual): Snippet {
  const found = snippetsOf(client, values).filter((snippet) => snippet.name === name);
  expect(found).toHaveLength(1);
  return found[0] ?? { name, language: "text", text: "", files: [] };
}

const bearer = (token: string) => z.strictObject({ Authorization: z.literal(`Bearer ${token}`) });
const underName = <T extends z.ZodType>(server: T) => z.strictObject({ "agent-hub": server });

type Values = typeof usual;
/** What each client's file may hold; whatever else stands there is refused. */
const files: Record<Exclude<ClientName, "claude-code" | "other">, (values: Values) => z.ZodType> = {
  codex: ({ mcp }) =>
    z.strictObject({
      mcp_servers: underName(
        z.strictObject({ url: z.literal(mcp), bearer_token_env_var: z.literal("AGENT_HUB_TOKEN") }),
      ),
    }),
  cursor: ({ mcp, token }) =>
    z.strictObject({ mcpServers: underName(z.strictObject({ url: z.literal(mcp), headers: bearer(token) })) }),
  vscode: ({ mcp }) =>
    z.strictObject({
      servers: underName(
        z.strictObject({
          type: z.literal("http"),
          url: z.literal(mcp),
          headers: bearer(["$", "{input:agent-hub-token}"].join("")),
        }),
      ),
      inputs: z.tuple([
        z.strictObject({
          type: z.literal("promptString"),
          id: z.literal("agent-hub-token"),
          description: z.string().min(1),
          password: z.literal(true),
        }),
      ]),
    }),
  gemini: ({ mcp, token }) =>
    z.strictObject({
      mcpServers: underName(z.strictObject({ type: z.literal("http"), url: z.literal(mcp), headers: bearer(token) })),
    }),
  "claude-desktop": ({ base, token }) =>
    z.strictObject({
      mcpServers: underName(
        z.strictObject({
          command: z.literal("agent-hub"),
          args: z.tuple([z.literal("mcp")]),
          env: z.strictObject({ HUB_URL: z.literal(base), HUB_TOKEN: z.literal(token) }),
        }),
      ),
    }),
};

describe.each(Object.entries(files))("the file of %s", (name, schemaOf) => {
  const client = clientNames.find((known) => known === name) ?? "other";
  const read = (snippet: Snippet): unknown =>
    snippet.language === "toml" ? parseToml(snippet.text) : JSON.parse(snippet.text);

  test("is what its format takes, whatever the token and the address hold", () => {
    fc.assert(
      fc.property(hostile, hostileAddress, (token, mcp) => {
        const values = { mcp, base: mcp.replace(/\/mcp$/, ""), token };
        const snippet = only(client, "file", values);
        expect(snippet.files.length).toBeGreaterThan(0);
        expect(schemaOf(values).safeParse(read(snippet)).error?.issues ?? []).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

test("VS Code keeps the token out of its file and gets it to paste", () => {
  expect(only("vscode", "file").text).not.toContain(usual.token);
  expect(only("vscode", "token").text).toBe(usual.token);
});

test("a token nobody knows any more is words, never a blank", () => {
  for (const client of clientNames) {
    const text = snippetsOf(client, { ...usual, token: undefined })
      .map((snippet) => snippet.text)
      .join("\n");
    expect(text).toContain("YOUR-AGENT-TOKEN");
    expect(text).not.toContain("undefined");
  }
});

test("what only its own machine reaches is told from what others do", () => {
  const near = ["http://localhost:1/mcp", "http://127.0.0.1/mcp", "http://127.9.9.9:80/", "http://[::1]:8080/mcp"];
  const far = [
    "http://box-01:8080/mcp",
    "https://hub.example/mcp",
    "http://192.168.1.4/mcp",
    "http://127.example/",
    "",
  ];
  expect(near.map(isLoopback)).toEqual(near.map(() => true));
  expect(far.map(isLoopback)).toEqual(far.map(() => false));
});

describe("in a shell", () => {
  let folder: TempDir;
  beforeAll(async () => {
    folder = await TempDir.create();
    // Each prints its words and, behind them, the variables it was given, all ended by NUL, then an empty one.
    const script = `#!/bin/sh\nprintf '%s\\0' "$@" "$HUB_URL" "$HUB_TOKEN" "$AGENT_HUB_TOKEN" end-of-call\n`;
    for (const program of ["claude", "curl", "agent-hub", "show"]) {
      await Bun.write(join(folder.path, program), script);
      await chmod(join(folder.path, program), 0o755);
    }
  });
  afterAll(() => folder?.[Symbol.asyncDispose]());

  /** The words and variables every command gets from a real shell. */
  async function wordsOf(commands: readonly string[]): Promise<string[][]> {
    const script = commands.join("\n");
    const { code, stdout, stderr } = await runCommand(["/bin/sh", "-c", script], { env: { PATH: folder.path } });
    expect([code, stderr]).toEqual([0, ""]);
    const all = stdout.split("\0");
    const calls: string[][] = [[]];
    for (const each of all.slice(0, -1)) {
      if (each === "end-of-call") calls.push([]);
      else calls.at(-1)?.push(each);
    }
    return calls.slice(0, -1);
  }

  const cases = fc.array(fc.tuple(hostile, hostileAddress), { minLength: 12, maxLength: 12 });

  test("every word arrives as it was meant, whatever the token and the address hold", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (drawn) => {
        const given = drawn.map(([token, mcp]) => ({ token, mcp, base: mcp.replace(/\/mcp$/, "") }));
        const added = await wordsOf(given.map((values) => only("claude-code", "add", values).text));
        const plainly = await wordsOf(given.map((values) => only("claude-code", "add-plain", values).text));
        const started = await wordsOf(given.map((values) => only("other", "program", values).text));
        const asked = await wordsOf(given.map((values) => only("other", "list-tools", values).text));
        const exported = await wordsOf(given.map((values) => `${only("codex", "export", values).text}\nshow`));
        for (const [index, { token, mcp, base }] of given.entries()) {
          const headers = { Authorization: `Bearer ${token}` };
          const words = added[index] ?? [];
          expect(words.slice(0, 5)).toEqual(["mcp", "add-json", "--scope", "user", "agent-hub"]);
          expect(JSON.parse(words[5] ?? "")).toEqual({ type: "http", url: mcp, headers });
          expect(plainly[index]?.slice(0, 9)).toEqual([
            ...["mcp", "add", "--transport", "http", "--scope", "user", "agent-hub", mcp],
            "--header",
          ]);
          expect(plainly[index]?.[9]).toBe(`Authorization: Bearer ${token}`);
          expect(started[index]?.slice(0, 3)).toEqual(["mcp", base, token]);
          expect(asked[index]?.slice(0, 4)).toEqual(["-s", mcp, "-H", `Authorization: Bearer ${token}`]);
          expect(exported[index]?.at(-1)).toBe(token);
        }
      }),
      { numRuns: 3 },
    );
  });

  test("the plain form is in double quotes, which every shell takes, where that is safe", () => {
    expect(only("claude-code", "add-plain").text).toBe(
      'claude mcp add --transport http --scope user agent-hub http://127.0.0.1:8080/mcp --header "Authorization: Bearer 5e1f"',
    );
  });
});

describe("against a hub", () => {
  let hub: RunningHub;
  let token: string;
  beforeAll(async () => {
    hub = await startHub();
    token = await createAgent(hub, "alice");
  });
  afterAll(() => hub?.[Symbol.asyncDispose]());

  const texts = z.record(z.string(), z.string());
  const server = z.union([
    z.object({ command: z.string(), args: z.array(z.string()), env: texts }),
    z.object({ url: z.string(), headers: texts.optional(), bearer_token_env_var: z.string().optional() }),
  ]);

  /** The server a client finds in what was pasted, and the token it would send. */
  function served(client: ClientName): { server: z.infer<typeof server>; sent: string } {
    const values = { mcp: `${hub.url}/mcp`, base: hub.url, token };
    if (client === "claude-code") {
      const json = /'(\{.*\})'$/.exec(only(client, "add", values).text)?.[1] ?? "";
      const found = server.parse(JSON.parse(json));
      return { server: found, sent: sentBy(found) };
    }
    const snippet = only(client, "file", values);
    const file: unknown = snippet.language === "toml" ? parseToml(snippet.text) : JSON.parse(snippet.text);
    const named = z.record(z.string(), z.unknown()).parse(file);
    const holder = named["mcpServers"] ?? named["servers"] ?? named["mcp_servers"];
    const found = server.parse(z.object({ "agent-hub": z.unknown() }).parse(holder)["agent-hub"]);
    // Codex reads the exported variable, VS Code what was pasted when it asked.
    const exported = /='(.*)'$/.exec(snippetsOf(client, values).find(({ name }) => name === "export")?.text ?? "")?.[1];
    const pasted = snippetsOf(client, values).find(({ name }) => name === "token")?.text;
    return { server: found, sent: exported ?? pasted ?? sentBy(found) };
  }

  function sentBy(found: z.infer<typeof server>): string {
    return "url" in found ? (found.headers?.["Authorization"] ?? "").replace(/^Bearer /, "") : "";
  }

  test.each(clientNames.filter((client) => client !== "other"))(
    "AGT-05 %s connects and is who its token says",
    async (client) => {
      const { server: found, sent } = served(client);
      if ("command" in found) {
        expect(found.command).toBe("agent-hub");
        await using agent = await agentOverProgram("2025", { ...found, command: binaryPath });
        expect(await agent.call("whoami")).toMatchObject({ actor: "alice" });
        return;
      }
      expect(found.url).toBe(`${hub.url}/mcp`);
      for (const line of ["2025", "2026"] as const) {
        await using agent = await agentOverHttp(hub.url, sent, line);
        expect(await agent.call("whoami")).toMatchObject({ actor: "alice", admin: false });
      }
    },
  );

  test("the command of the others lists the hub's tools", async () => {
    const command = only("other", "list-tools", { mcp: `${hub.url}/mcp`, base: hub.url, token }).text;
    const { code, stdout } = await runCommand(["/bin/sh", "-c", command]);
    expect(code).toBe(0);
    expect(stdout).toContain('"question_post"');
    expect(stdout).toContain('"whoami"');
  });
});

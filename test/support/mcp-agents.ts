// Agents on the official clients of both protocol lines, in the words of the scenarios.
import { Client as Client2026, StreamableHTTPClientTransport as Http2026 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2026 } from "@modelcontextprotocol/client/stdio";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio2025 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http2025 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { binaryPath, cleanEnv, TempDir } from "./binary.ts";

/** The protocol's 2025 line on the 1.x client, or its 2026-07-28 revision on the 2.x client. */
export type ProtocolLine = "2025" | "2026";

/** One agent at work. `call` returns the tool's structured result; a failed tool throws `ToolFailure`. */
export type McpAgent = AsyncDisposable & {
  /** The protocol revision that was negotiated. */
  revision: string | undefined;
  call(tool: string, args?: Record<string, unknown>): Promise<JsonObject>;
  /** Every listed tool as it came. */
  tools(): Promise<JsonObject[]>;
  /** The first page of resources. */
  resources(): Promise<JsonObject[]>;
  /** Text of a resource. */
  read(uri: string): Promise<string>;
};

export class ToolFailure extends Error {
  constructor(readonly error: JsonObject) {
    super(String(error["message"]));
  }
}

function resultOf(result: unknown): JsonObject {
  if (!isObject(result) || !isObject(result["structuredContent"])) throw new Error("no structured result");
  const content = result["structuredContent"] as JsonObject; // came over the wire as JSON
  if (result["isError"] === true) throw new ToolFailure(content["error"] as JsonObject); // the error object of 4.1
  return content;
}

/** What the two clients have in common, as far as the scenarios go. */
type OfficialClient = {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listTools(): Promise<{ tools: object[] }>;
  listResources(): Promise<{ resources: object[] }>;
  readResource(params: { uri: string }): Promise<{ contents: object[] }>;
};

function agentOn(client: OfficialClient, revision: string | undefined, end: () => Promise<void>): McpAgent {
  return {
    revision,
    call: async (name, args = {}) => resultOf(await client.callTool({ name, arguments: args })),
    tools: async () => JSON.parse(JSON.stringify((await client.listTools()).tools)),
    resources: async () => JSON.parse(JSON.stringify((await client.listResources()).resources)),
    async read(uri) {
      const [content] = (await client.readResource({ uri })).contents;
      return content !== undefined && "text" in content ? String(content.text) : "";
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Over HTTP, on the 1.x client unless the newest revision is asked for. */
export async function agentOverHttp(url: string, token: string, line: ProtocolLine = "2025"): Promise<McpAgent> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  if (line === "2025") {
    const client = new Client2025({ name: "agent-over-http", version: "1" });
    const transport = new Http2025(new URL("/mcp", url), { requestInit });
    await client.connect(transport);
    return agentOn(client, transport.protocolVersion, () => client.close());
  }
  const client = new Client2026({ name: "agent-over-http", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new Http2026(new URL("/mcp", url), { requestInit }));
  return agentOn(client, client.getNegotiatedProtocolVersion(), () => client.close());
}

/** Through `agent-hub mcp` as a proxy, asking for the newest revision. */
export function agentOverStdio(url: string, token: string): Promise<McpAgent> {
  return agentOverCommand("2026", { HUB_URL: url, HUB_TOKEN: token });
}

/** Through `agent-hub mcp` in an environment in which nothing but `env` is configured. */
export function agentOverCommand(
  line: ProtocolLine,
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<McpAgent> {
  return agentOverProgram(line, { command: binaryPath, args: ["mcp", ...args], env });
}

export type Program = { command: string; args: readonly string[]; env: Record<string, string> };

/** Through a program that is started in an empty home. */
export async function agentOverProgram(line: ProtocolLine, { command, args, env }: Program): Promise<McpAgent> {
  const home = await TempDir.create();
  const server = {
    command,
    args: [...args],
    env: { ...cleanEnv(home.path), ...env },
    cwd: home.path,
    stderr: "ignore" as const,
  };
  const end = (close: () => Promise<void>) => async (): Promise<void> => {
    await close();
    await home[Symbol.asyncDispose]();
  };
  if (line === "2025") {
    const client = new Client2025({ name: "agent-over-stdio", version: "1" });
    let revision: string | undefined;
    // The 1.x client tells a transport that asks for it what was negotiated.
    const transport = Object.assign(new Stdio2025(server), {
      setProtocolVersion: (negotiated: string) => {
        revision = negotiated;
      },
    });
    await client.connect(transport);
    return agentOn(
      client,
      revision,
      end(() => client.close()),
    );
  }
  const client = new Client2026({ name: "agent-over-stdio", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new Stdio2026(server));
  return agentOn(
    client,
    client.getNegotiatedProtocolVersion(),
    end(() => client.close()),
  );
}

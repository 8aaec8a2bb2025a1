// Agents on the official clients of both protocol lines, in the words of the scenarios.
import { Client as Client2026 } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { binaryPath, TempDir } from "./binary.ts";

/** One agent at work. `call` returns the tool's structured result; a failed tool throws `ToolFailure`. */
export type McpAgent = AsyncDisposable & {
  /** The protocol revision that was negotiated. */
  revision: string | undefined;
  call(tool: string, args?: Record<string, unknown>): Promise<JsonObject>;
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

/** The 1.x client over HTTP. */
export async function agentOverHttp(url: string, token: string): Promise<McpAgent> {
  const client = new Client2025({ name: "agent-over-http", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return {
    revision: transport.protocolVersion,
    call: async (name, args = {}) => resultOf(await client.callTool({ name, arguments: args })),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The 2.x client through `agent-hub mcp`, asking for the newest revision. */
export async function agentOverStdio(url: string, token: string): Promise<McpAgent> {
  const home = await TempDir.create();
  const client = new Client2026({ name: "agent-over-stdio", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const transport = new StdioClientTransport({
    command: binaryPath,
    args: ["mcp"],
    env: { HOME: home.path, AGENT_HUB_SYSTEM_CONFIG: `${home.path}/none.toml`, HUB_URL: url, HUB_TOKEN: token },
  });
  await client.connect(transport);
  return {
    revision: client.getNegotiatedProtocolVersion(),
    call: async (name, args = {}) => resultOf(await client.callTool({ name, arguments: args })),
    async [Symbol.asyncDispose]() {
      await client.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

// The Inspector's command line against the compiled binary, as the people who write harnesses use it: over HTTP and
// through `agent-hub mcp`, in both lines of the protocol.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createAgent } from "../support/agents.ts";
import { binaryPath, type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { type Finished, runCommand } from "../support/processes.ts";
import { root } from "../support/source-files.ts";

const inspector = join(root, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const testTimeoutMs = 90_000;

let hub: RunningHub;
let home: TempDir;
let token: string;

beforeAll(async () => {
  home = await TempDir.create();
  hub = await startHub();
  token = await createAgent(hub, "inspector");
});

afterAll(async () => {
  await hub?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

/** How one transport is named on the Inspector's command line, with a token. */
type Target = (token: string) => { before: string[]; after: string[] };

const overHttp: Target = (bearer) => ({
  before: ["--server-url", `${hub.url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${bearer}`],
  after: [],
});
const overStdio: Target = (bearer) => ({
  before: ["-e", `HUB_URL=${hub.url}`, "-e", `HUB_TOKEN=${bearer}`, "--transport", "stdio"],
  after: ["--", binaryPath, "mcp"],
});

async function inspect(target: ReturnType<Target>, era: string, method: string[]): Promise<Finished> {
  const quiet = ["--format", "json", "-q", "--stored-auth-only"];
  const options = [...target.before, "--protocol-era", era, ...quiet, "--method", ...method, ...target.after];
  return await runCommand([process.execPath, "--bun", inspector, "--cli", ...options], {
    env: { HOME: home.path, MCP_CATALOG_PATH: join(home.path, "catalog.json") },
    timeoutMs: 60_000,
  });
}

// A refused token is an HTTP 401 to the Inspector; over stdio it only sees `agent-hub mcp` end.
describe.each([
  { transport: "http", era: "legacy", target: overHttp, refusedCode: 3 },
  { transport: "http", era: "modern", target: overHttp, refusedCode: 3 },
  { transport: "stdio", era: "legacy", target: overStdio, refusedCode: 1 },
  { transport: "stdio", era: "modern", target: overStdio, refusedCode: 1 },
])("inspector over $transport, $era", ({ era, target, refusedCode }) => {
  function inspectAs(bearer: string, ...method: string[]): Promise<Finished> {
    return inspect(target(bearer), era, method);
  }

  test(
    "lists tools whose schemas are portable",
    async () => {
      const { code, stdout, stderr } = await inspectAs(token, "tools/list", "--strict");
      // Warnings are allowed: a payload that may be any JSON draws one.
      expect(code, stderr).toBe(0);
      const names = JSON.parse(stdout).result.tools.map((tool: { name: string }) => tool.name);
      expect(names).toContain("whoami");
      expect(names).toContain("version");
    },
    testTimeoutMs,
  );

  test(
    "calls a tool",
    async () => {
      const { code, stdout, stderr } = await inspectAs(token, "tools/call", "--tool-name", "version");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const { structuredContent, content } = JSON.parse(stdout).result;
      expect(structuredContent.version).toStartWith("agent-hub ");
      expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    },
    testTimeoutMs,
  );

  test(
    "finds the skill as it is announced, digest by digest",
    async () => {
      const { code, stdout, stderr } = await inspectAs(token, "skills/list", "--verify", "--require-digests");
      expect(code, stdout + stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        uri: "skill://agent-hub/SKILL.md",
        conformance: [],
        frontmatter: [],
        files: expect.arrayContaining([expect.objectContaining({ status: "verified" })]),
      });
    },
    testTimeoutMs,
  );

  test(
    "reads a directory of the skill",
    async () => {
      const { code, stdout } = await inspectAs(token, "resources/directory/read", "--uri", "skill://agent-hub");
      expect(code).toBe(0);
      const { resources } = JSON.parse(stdout).result;
      expect(resources.map(({ name }: { name: string }) => name)).toEqual(["SKILL.md", "references"]);
    },
    testTimeoutMs,
  );

  test(
    "is the agent of its token",
    async () => {
      const { code, stdout } = await inspectAs(token, "tools/call", "--tool-name", "whoami");
      expect(code).toBe(0);
      expect(JSON.parse(stdout).result.structuredContent).toMatchObject({ actor: "inspector", admin: false });
    },
    testTimeoutMs,
  );

  test(
    "shows a refused call as a failed tool",
    async () => {
      const { code, stdout } = await inspectAs(token, "tools/call", "--tool-name", "question_post");
      expect(code).toBe(5);
      const { isError, structuredContent } = JSON.parse(stdout).result;
      expect(isError).toBe(true);
      expect(structuredContent.error).toMatchObject({ code: "invalid_argument", retryable: false });
    },
    testTimeoutMs,
  );

  test(
    "is told that its token is refused",
    async () => {
      const { code, stdout } = await inspectAs("not-a-token", "tools/list");
      expect({ code, stdout }).toEqual({ code: refusedCode, stdout: "" });
    },
    testTimeoutMs,
  );
});

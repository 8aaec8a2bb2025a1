// The knowledge base on the compiled binary, with real clients of both protocol lines: two agents share a page, the
// operator reviews and restores it, and after a forget no byte of the text is in any file of the data directory.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { startHub, TempDir } from "../support/binary.ts";
import { agentOverHttp, agentOverStdio, type McpAgent, ToolFailure } from "../support/mcp-agents.ts";
import { operate } from "../support/operator.ts";

const lines = 15;
const attemptsMax = 200;
const purgeMs = 20_000;

/** Appends under `if_version`, reading again after each conflict. */
async function append(agent: McpAgent, path: string, line: string): Promise<void> {
  const at = { store: "project", project_id: "homelab", path };
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const { content, version } = await agent.call("brain_get", at);
    try {
      await agent.call("brain_put", { ...at, content: `${content}${line}\n`, if_version: version });
      return;
    } catch (error) {
      if (!(error instanceof ToolFailure) || error.error["code"] !== "conflict") throw error;
    }
  }
  throw new Error(`${line} never got in`);
}

function filesWith(dataDir: string, text: string): string[] {
  return readdirSync(dataDir, { recursive: true, encoding: "utf8" })
    .map((name) => join(dataDir, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}

describe("a knowledge base", () => {
  test("is shared, kept, restored and forgotten", async () => {
    await using folder = await TempDir.create();
    const dataDir = `${folder.path}/data`;
    await using hub = await startHub({ dataDir });
    await operate(hub, "createProject", { body: { id: "homelab", display_name: "Home lab" } });
    const tokens: string[] = [];
    for (const id of ["alice", "bob"]) {
      await operate(hub, "createAgent", { body: { id, display_name: id } });
      tokens.push(String((await operate(hub, "issueToken", { params: { id } }))["token"]));
    }
    const [aliceToken = "", bobToken = ""] = tokens;
    await using alice = await agentOverHttp(hub.url, aliceToken);
    await using bob = await agentOverStdio(hub.url, bobToken);
    const rest = async (method: string, path: string, body?: string): Promise<Response> => {
      const response = await fetch(`${hub.url}/api/v1/projects/homelab/kb${path}`, {
        method,
        headers: { authorization: `Bearer ${hub.adminToken}`, "content-type": "text/markdown" },
        ...(body === undefined ? {} : { body }),
      });
      expect([method, path, response.status]).toEqual([method, path, 200]);
      return response;
    };

    // Two agents append to one page at once, and every line is there.
    const at = { store: "project", project_id: "homelab", path: "/fs/log.md" };
    await alice.call("brain_put", { ...at, content: "", if_version: "absent" });
    await Promise.all(
      [alice, bob].map(async (agent, writer) => {
        for (let line = 0; line < lines; line += 1) await append(agent, at.path, `${writer}:${line}`);
      }),
    );
    const { content } = await bob.call("brain_get", at);
    expect(new Set(String(content).trimEnd().split("\n")).size).toBe(2 * lines);

    // What Alice found out becomes a page that cites her session.
    await alice.call("session_start", { project_id: "homelab", session_name: "dig" });
    await alice.call("brain_put", { store: "session", path: "/fs/found.md", content: "# Found\n" });
    const promoted = await alice.call("brain_promote", {
      from_path: "/fs/found.md",
      to_path: "/fs/found.md",
      type: "Guide",
    });
    expect(promoted).toMatchObject({ ok: true, path: "/fs/found.md", lint: [] });

    // The operator writes a page as markdown, mark, line endings and all; Bob deletes it; the operator brings it back.
    const written = "\uFEFF---\r\ntype: Guide\r\n---\r\nthe vermilion walrus sings\r\n";
    await rest("PUT", "/pages/song.md", written);
    const page = { store: "project", project_id: "homelab", path: "/fs/song.md" };
    const read = await bob.call("brain_get", page);
    expect(read["content"]).toBe(written);
    await bob.call("brain_delete", page);
    const restored = await bob.call("brain_revert", {
      project_id: "homelab",
      path: page.path,
      version: read["version"],
      if_version: "absent",
    });
    expect(restored).toMatchObject({ changed: true, version: read["version"] });

    // Nothing of the text is left once it is forgotten; a restart changes nothing of that.
    await bob.call("brain_put", { ...page, content: "silence" });
    expect(filesWith(dataDir, "walrus").length).toBeGreaterThan(0);
    await rest("DELETE", "/versions?path=song.md");
    const end = performance.now() + purgeMs;
    while (filesWith(dataDir, "walrus").length > 0 && performance.now() < end) await rest("GET", "/stats");
    expect(filesWith(dataDir, "walrus")).toEqual([]);
    expect(await (await rest("GET", "/versions?path=song.md")).json()).toMatchObject({
      versions: [{ kept: true, current: true }, { kept: false }, { op: "kb.delete" }, { kept: false }],
    });
  }, 120_000);
});

// The Skills extension (mcp-tools.md 19), on both lines: what is declared, the manifest against the files of the
// repository, one skill at a time, and its directories.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import { listFiles, root } from "../../support/source-files.ts";
import { ask, listPage, readText, refusal } from "./resource-requests.ts";
import { initializeMessage, type Line, lines, type McpHub, openMcpHub } from "./rpc.ts";

const folder = "skills/agent-hub";
const manifest = "skill://agent-hub/SKILL.md";

let mcp: McpHub;
let files: { uri: string; bytes: Buffer }[];
beforeAll(async () => {
  mcp = await openMcpHub();
  const paths = (await listFiles(folder)).filter((path) => path !== `${folder}/bootstrap.md`);
  files = await Promise.all(
    paths.map(async (path) => ({
      uri: `skill://agent-hub/${path.slice(folder.length + 1)}`,
      bytes: Buffer.from(await Bun.file(join(root, path)).arrayBuffer()),
    })),
  );
});
afterAll(() => mcp[Symbol.asyncDispose]());

async function skillOf(line: Line): Promise<JsonObject> {
  const { skills } = await ask(mcp, line, "skills/list", {});
  if (!Array.isArray(skills) || skills.length !== 1 || !isObject(skills[0])) throw new Error("not one skill");
  return skills[0] as JsonObject; // came as JSON
}

test("it is declared with directory reads, beside resources", async () => {
  const told = [
    (await mcp.rpc("2025", initializeMessage)).json["result"],
    (await mcp.rpc("2026", { id: 1, method: "server/discover" })).json["result"],
  ];
  for (const result of told) {
    expect(result).toMatchObject({
      capabilities: { resources: {}, extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } } },
      instructions: expect.stringContaining(manifest),
    });
  }
});

describe.each(lines)("on the %s line", (line) => {
  test("the manifest lists every file once, with the digest and size of its bytes", async () => {
    const { uri, resources } = await skillOf(line);
    expect(uri).toBe(manifest);
    const expected = files.map((file) => ({
      uri: file.uri,
      digest: `sha256:${createHash("sha256").update(file.bytes).digest("hex")}`,
      size: file.bytes.byteLength,
    }));
    const byUri = (a: { uri: string }, b: { uri: string }): number => (a.uri < b.uri ? -1 : 1);
    expect(JSON.parse(JSON.stringify(resources)).sort(byUri)).toEqual(expected.sort(byUri));
    for (const file of files) expect((await readText(mcp, line, file.uri))["text"]).toBe(file.bytes.toString());
  });

  test("the frontmatter is the file's own, and what the listing of resources shows", async () => {
    const { frontmatter } = await skillOf(line);
    const text = files.find(({ uri }) => uri === manifest)?.bytes.toString() ?? "";
    const [, block = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    expect(frontmatter).toEqual(Object.fromEntries(block.split("\n").map((field) => field.split(/: (.*)/, 2))));
    expect(frontmatter).toEqual({ name: "agent-hub", description: expect.stringMatching(/^.{1,1024}$/) });
    const listed = (await listPage(mcp, line)).resources.find(({ uri }) => uri === manifest);
    expect(listed).toMatchObject({ ...JSON.parse(JSON.stringify(frontmatter)), mimeType: "text/markdown" });
  });

  test("one is got by the address of its SKILL.md alone", async () => {
    const known = { resultType: "complete", ttlMs: 300_000, cacheScope: "public" };
    const listed = await ask(mcp, line, "skills/list", {});
    expect(listed).toMatchObject({ ...known, skills: [await skillOf(line)] });
    expect(listed).not.toHaveProperty("nextCursor");
    const got = await ask(mcp, line, "skills/get", { uri: manifest });
    expect(got).toMatchObject({ ...known, skill: await skillOf(line) });
    expect(got).not.toHaveProperty("nextCursor");
    for (const uri of ["skill://agent-hub", "skill://agent-hub/references/tools.md", "skill://other/SKILL.md", ""]) {
      expect(await refusal(mcp, line, "skills/get", { uri })).toMatchObject({
        code: -32602,
        data: { error: { code: "invalid_argument", details: { field: "uri" } } },
      });
    }
    expect((await refusal(mcp, line, "skills/list", { cursor: manifest })).code).toBe(-32602);
  });

  test("its directories list their direct children", async () => {
    const references = "skill://agent-hub/references";
    const directory = { mimeType: "inode/directory" };
    expect((await ask(mcp, line, "resources/directory/read", { uri: "skill://agent-hub" }))["resources"]).toEqual([
      { uri: manifest, name: "SKILL.md", mimeType: "text/markdown" },
      { uri: references, name: "references", ...directory },
    ]);
    const below = files.filter(({ uri }) => uri.startsWith(`${references}/`)).map(({ uri }) => uri);
    const read = await ask(mcp, line, "resources/directory/read", { uri: references });
    expect(read).toMatchObject({ resultType: "complete" });
    expect(read["resources"]).toEqual(
      below.sort().map((uri) => ({ uri, name: uri.slice(references.length + 1), mimeType: "text/markdown" })),
    );
    for (const uri of [
      manifest,
      `${references}/tools.md`,
      `${references}/`,
      "skill://",
      "skill://other",
      "agenthub://kb/p",
    ]) {
      expect(await refusal(mcp, line, "resources/directory/read", { uri })).toMatchObject({
        code: -32602,
        data: { error: { code: "invalid_argument", details: { field: "uri" } } },
      });
    }
    const cursor = `${references}/tools.md`;
    expect((await refusal(mcp, line, "resources/directory/read", { uri: references, cursor })).code).toBe(-32602);
  });

  test("there is nothing of the extension besides", async () => {
    for (const method of ["skills/read", "skills", "resources/directory/list", "skills/subscribe"]) {
      expect([method, (await refusal(mcp, line, method, {})).code]).toEqual([method, -32601]);
    }
    expect((await refusal(mcp, line, "resources/read", { uri: "skill://index.json" })).data?.error["code"]).toBe(
      "not_found",
    );
  });
});

// The shell recipe of references/artifacts.md, run as it stands: what it publishes opens with the password alone, by Web
// Crypto as artifacts.md 4.1 says, and with nothing else.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { blocksIn, textAt } from "../docs/guide-texts.ts";
import { createAgent } from "../support/agents.ts";
import { binaryPath, cleanEnv, type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { agentOverHttp, type McpAgent } from "../support/mcp-agents.ts";
import { operate } from "../support/operator.ts";
import { type Finished, runCommand } from "../support/processes.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

const blockOf = (language: string): string => {
  const [block, ...others] = blocksIn(textAt("references/artifacts.md")).filter((found) => found.language === language);
  if (block === undefined || others.length > 0) throw new Error(`not one block of ${language}`);
  return block.text;
};
const program = blockOf("js");
const recipe = blockOf("sh");
const password = "correct horse – battery";
const document = "<!doctype html>\n<p>Größe: 41 €, 費用";

let hub: RunningHub;
let home: TempDir;
let token: string;
let agent: McpAgent;

beforeAll(async () => {
  home = await TempDir.create();
  hub = await startHub();
  token = await createAgent(hub, "keeper");
  await operate(hub, "createProject", { body: { id: "homelab", display_name: "Home lab" } });
  agent = await agentOverHttp(hub.url, token);
  await Bun.write(join(home.path, "protect.mjs"), program);
  await Bun.write(join(home.path, "costs.html"), document);
  // A machine without Node runs the same program under that name.
  if (Bun.which("node") === null) await symlink(process.execPath, join(home.path, "node"));
});
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

function shell(script: string, secret: string | undefined = password): Promise<Finished> {
  const folders = [dirname(binaryPath), home.path, dirname(process.execPath), process.env["PATH"] ?? ""];
  return runCommand(["/bin/sh", "-c", script], {
    cwd: home.path,
    env: { ...cleanEnv(home.path), PATH: folders.join(":"), HUB_URL: hub.url, HUB_TOKEN: token, PASSWORD: secret },
  });
}

async function publish(script: string): Promise<JsonObject> {
  const { code, stdout, stderr } = await shell(script);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return agent.call("artifact_get", { artifact_id: JSON.parse(stdout).artifact_id });
}

/** artifacts.md 4.1, in its words. */
async function open(artifact: JsonObject, typed: string): Promise<string> {
  const { envelope, content } = artifact;
  if (!isObject(envelope)) throw new Error("no envelope");
  const text = (name: string): string => String(envelope[name]);
  const bytes = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(base64, "base64"));
  const utf8 = (value: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(value));
  const raw = await crypto.subtle.importKey("raw", utf8(typed), "PBKDF2", false, ["deriveKey"]);
  const iterations = Number(envelope["iterations"]);
  const key = await crypto.subtle.deriveKey(
    { name: "PBKDF2", hash: "SHA-256", salt: bytes(text("salt")), iterations },
    raw,
    { name: "AES-GCM", length: 256 },
    false,
    ["decrypt"],
  );
  const { alg, kdf, salt, iv } = { alg: text("alg"), kdf: text("kdf"), salt: text("salt"), iv: text("iv") };
  const additionalData = utf8(`alg=${alg};kdf=${kdf};iterations=${iterations};salt=${salt};iv=${iv}`);
  const opened = await crypto.subtle.decrypt(
    { name: "AES-GCM", iv: bytes(iv), additionalData, tagLength: 128 },
    key,
    bytes(String(content)),
  );
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(opened);
}

describe.each([
  { with: "node", script: recipe },
  { with: "bun", script: recipe.replace("node protect.mjs", "bun protect.mjs") },
  { with: "the hub's program", script: recipe.replace("node protect.mjs", "BUN_BE_BUN=1 agent-hub protect.mjs") },
])("with $with", ({ script }) => {
  test("the document opens with the password", async () => {
    const artifact = await publish(script);
    expect(artifact).toMatchObject({ title: "Costs", kind: "html", protected: true, project_id: "homelab" });
    expect(artifact["envelope"]).toEqual({
      alg: "AES-256-GCM",
      kdf: "PBKDF2-HMAC-SHA256",
      iterations: 600_000,
      salt: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/),
      iv: expect.stringMatching(/^[A-Za-z0-9+/]{16}$/),
    });
    // Base64 of as many bytes as the document has, and the tag.
    expect(Buffer.from(String(artifact["content"]), "base64").byteLength).toBe(Buffer.byteLength(document) + 16);
    expect(await open(artifact, password)).toBe(document);
  });
});

test("it opens with no other password, and not when the envelope was changed", async () => {
  const artifact = await publish(recipe);
  await expect(open(artifact, "correct horse - battery")).rejects.toThrow();
  const { envelope } = artifact;
  for (const changed of [{ iterations: 600_001 }, { kdf: "PBKDF2" }, { alg: "AES" }]) {
    const other = { ...artifact, envelope: { ...(isObject(envelope) ? envelope : {}), ...changed } };
    await expect(open(JSON.parse(JSON.stringify(other)), password)).rejects.toThrow();
  }
});

test("salt and iv are fresh every time, and a second version opens too", async () => {
  const first = await publish(recipe);
  const update = recipe
    .replace(/'\{.*\}'/, `'${JSON.stringify({ artifact_id: first["artifact_id"] })}'`)
    .replace("artifact_publish", "artifact_update");
  const second = await publish(update);
  expect(second).toMatchObject({ artifact_id: String(first["artifact_id"]), version: 2, protected: true });
  expect(await open(second, password)).toBe(document);
  const [a, b] = [first, second].map(({ envelope }) => (isObject(envelope) ? envelope : {}));
  expect([a?.["salt"] === b?.["salt"], a?.["iv"] === b?.["iv"]]).toEqual([false, false]);
});

test("without a password nothing is published", async () => {
  const before = await agent.call("artifact_list", { project_id: "homelab" });
  const { code, stdout, stderr } = await shell(recipe, "");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("PASSWORD is not set");
  expect(await agent.call("artifact_list", { project_id: "homelab" })).toEqual(before);
});

test("what was protected is found by nobody who searches for it", async () => {
  await publish(recipe);
  expect(await agent.call("search", { query: "Größe" })).toMatchObject({ count: 0 });
});

// Artifacts on the compiled binary: a protected text is nowhere in clear, and the largest one that is taken comes back
// byte for byte through every door.
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { artifactBytes } from "../../src/shared/limits.ts";
import { type RunningHub, startHub, TempDir } from "../support/binary.ts";

// A bound, not a wait: fifty megabytes go back and forth on a machine that others use.
setDefaultTimeout(180_000);

const headers = (hub: RunningHub): Record<string, string> => ({
  authorization: `Bearer ${hub.adminToken}`,
  "content-type": "application/json",
});

async function post(hub: RunningHub, path: string, body: object): Promise<Response> {
  return fetch(`${hub.url}${path}`, { method: "POST", headers: headers(hub), body: JSON.stringify(body) });
}

async function call(hub: RunningHub, name: string, args: object): Promise<Record<string, unknown>> {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const { result } = JSON.parse(await (await post(hub, "/mcp", message)).text());
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  return result.structuredContent;
}

async function encrypted(password: string, text: string) {
  const bytes = new TextEncoder();
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const material = await crypto.subtle.importKey("raw", bytes.encode(password), "PBKDF2", false, ["deriveKey"]);
  const derivation = { name: "PBKDF2", hash: "SHA-256", salt, iterations: 100_000 };
  const key = await crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, ["encrypt"]);
  const ciphertext = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, bytes.encode(text));
  const base64 = (given: ArrayBuffer | Uint8Array<ArrayBuffer>): string =>
    Buffer.from(new Uint8Array(given)).toString("base64");
  const envelope = {
    alg: "AES-256-GCM",
    kdf: "PBKDF2-HMAC-SHA256",
    iterations: 100_000,
    salt: base64(salt),
    iv: base64(iv),
  };
  return { envelope, content: base64(ciphertext) };
}

/** Files below a folder whose bytes hold a word. */
async function filesWith(folder: string, word: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(paths.map(async (path) => ((await readFile(path)).includes(word) ? [path] : [])));
  return found.flat();
}

test("the plain text and the password of a protected artifact are in no file and in no line of the log", async () => {
  await using home = await TempDir.create();
  const dataDir = join(home.path, "data");
  const word = "xylophonequartz";
  const password = "correcthorsebattery";
  let log: string;
  {
    await using hub = await startHub({ dataDir, env: { HUB_LOG: "trace" } });
    await post(hub, "/api/v1/projects", { id: "p", display_name: "P" });
    const secret = await encrypted(password, `# ${word}\n\nNobody reads ${word}.`);
    const published = await call(hub, "artifact_publish", {
      project_id: "p",
      kind: "markdown",
      title: "Sealed",
      ...secret,
    });
    const id = String(published["artifact_id"]);
    await call(hub, "artifact_draft", { artifact_id: id, ...(await encrypted(password, `${word} drafted`)) });
    await call(hub, "artifact_update", { artifact_id: id, ...(await encrypted(password, `${word} again`)) });
    await call(hub, "comment_post", { artifact_id: id, body: "seen", anchor: { mode: "point", x: 0.5, y: 0.5 } });
    expect(await call(hub, "artifact_get", { artifact_id: id, version: 1 })).toMatchObject(secret);
    expect(await call(hub, "search", { query: word })).toMatchObject({ count: 0 });
    expect(await call(hub, "search", { query: "sealed" })).toMatchObject({ count: 3 });
    expect(await filesWith(dataDir, secret.content)).toHaveLength(1);
    for (const hidden of [word, password]) expect(await filesWith(dataDir, hidden)).toEqual([]);
    log = hub.stderr();
  }
  for (const hidden of [word, password]) {
    expect(await filesWith(dataDir, hidden)).toEqual([]);
    expect(log).not.toContain(hidden);
  }
});

test("50 MiB go in and come back byte for byte, through MCP and REST", async () => {
  await using hub = await startHub();
  await post(hub, "/api/v1/projects", { id: "p", display_name: "P" });
  const line = '<p class="é">\u{1F680} "quoted" \\ \u2028 words</p>\r\n';
  const bytes = Buffer.alloc(artifactBytes, line);
  // The last line may be cut in the middle of a character.
  bytes.fill("x", artifactBytes - 64);
  const content = bytes.toString();
  const published = await call(hub, "artifact_publish", { project_id: "p", kind: "html", title: "Large", content });
  const id = String(published["artifact_id"]);
  const raw = await fetch(`${hub.url}/api/v1/artifacts/${id}/raw`, { headers: headers(hub) });
  expect(raw.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(Buffer.from(await raw.arrayBuffer()).equals(bytes)).toBe(true);
  const read = await (await fetch(`${hub.url}/api/v1/artifacts/${id}`, { headers: headers(hub) })).json();
  expect(Object(read).content === content).toBe(true);
  expect(read).toMatchObject({ size_bytes: artifactBytes, version: 1, live: false });
  const got = await call(hub, "artifact_get", { artifact_id: id });
  expect(got["content"] === content).toBe(true);
  const over = await call(hub, "artifact_update", { artifact_id: id, content: `${content}x` });
  expect(over).toMatchObject({ error: { code: "payload_too_large", details: { limit: artifactBytes } } });
});

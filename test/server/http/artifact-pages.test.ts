// Public pages of artifacts over HTTP (rest-api.md 12): what is served to whom, under which headers, and what looks alike.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";

let hub: TestHub;
let scout: Caller;
let url: string;

beforeAll(async () => {
  hub = await openTestHub();
  await hub.project("reports");
  scout = await hub.agent("scout");
  url = await hub.listen();
});
afterAll(() => hub[Symbol.asyncDispose]());

async function publish(args: object = {}): Promise<string> {
  const made = await scout.call("artifact_publish", {
    project_id: "reports",
    kind: "markdown",
    title: "Report",
    content: "first words",
    ...args,
  });
  return String(made["artifact_id"]);
}

async function share(id: string): Promise<string> {
  return String((await hub.rest("createShare", { params: { id } }))["token"]);
}

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });
const asBrowser = { accept: "text/html,*/*" };
const text = async (path: string, headers = asBrowser) => (await get(path, headers)).text();
const status = async (path: string) => (await get(path)).status;

const documentHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  "cache-control": "no-store",
};
const hostPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types hub";
const framePolicy = (scripts: string) =>
  `default-src 'none'; script-src ${scripts}; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts`;

/** Sources of the scripts a document holds, as a browser computes them. */
function scriptSources(html: string): string {
  const scripts = [...html.matchAll(/<script(?: data-receive)?>([\s\S]*?)<\/script>/g)];
  return scripts.map(([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`).join(" ");
}

const envelope = { alg: "AES-256-GCM", kdf: "PBKDF2-HMAC-SHA256", iterations: 600_000, salt: "c2FsdA==", iv: "aXY=" };

describe("headers", () => {
  test.each(["artifacts", "s"])("of the page, by /%s", async (root) => {
    const id = await publish();
    const path = root === "s" ? `/s/${await share(id)}` : `/artifacts/${id}`;
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...documentHeaders,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": hostPolicy,
      vary: "Host, X-Forwarded-Host, X-Forwarded-Proto",
    });
    expect(response.headers.get("set-cookie")).toBeNull();
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
  test("of an HTML frame: its scripts run, and nothing else may", async () => {
    const response = await get(`/artifacts/${await publish({ kind: "html", content: "<p>x" })}/frame`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...documentHeaders,
      "content-security-policy": framePolicy("'unsafe-inline'"),
      "connection-allowlist": "()",
    });
  });
  test.each([
    ["plain", "first words", ""],
    ["with a diagram", "```mermaid\nA\n```", ""],
    ["protected", "Y2lwaGVy", "?receive=1"],
    ["protected with a diagram", "Y2lwaGVy", "?receive=1&diagrams=1"],
  ])("of a markdown frame, %s: the hub's own scripts alone, by their hash", async (_, content, query) => {
    const id = await publish({ content, ...(query === "" ? {} : { envelope }) });
    const response = await get(`/artifacts/${id}/frame${query}`);
    const html = await response.text();
    const sources = scriptSources(html);
    expect(sources.split(" ")).toHaveLength(content.includes("mermaid") || query.includes("diagrams") ? 2 : 1);
    expect(response.headers.get("content-security-policy")).toBe(framePolicy(sources));
    expect(Object.fromEntries(response.headers)).toMatchObject({ ...documentHeaders, "connection-allowlist": "()" });
  });
  test("of the card", async () => {
    const response = await get(`/artifacts/${await publish()}/og.svg`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  });
  test("HEAD answers as GET does, other methods are refused", async () => {
    const path = `${url}/artifacts/${await publish()}`;
    const head = await fetch(path, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await fetch(path, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

describe("the page", () => {
  test("holds what it says of the document, escaped, and its data islands", async () => {
    const id = await publish({ title: "A <b> & </script>", description: '"quoted" <i>' });
    const html = await text(`/artifacts/${id}`);
    expect(html).toContain("A &lt;b&gt; &amp; &lt;/script&gt;</h1>");
    expect(html).toContain("&quot;quoted&quot; &lt;i&gt;</p>");
    expect(html).toContain('<meta name="robots" content="noindex">');
    const meta = /id="hub-meta">(.*?)<\/script>/.exec(html)?.[1] ?? "";
    expect(meta).not.toMatch(/[<>&]/);
    expect(JSON.parse(meta)).toEqual({
      id,
      title: "A <b> & </script>",
      kind: "markdown",
      version: 1,
      protected: false,
      project_id: "reports",
      created_at: expect.any(String),
      size_bytes: 11,
      actor: "scout",
      share_token: null,
    });
    expect(html).toContain('id="hub-versions">null</script>');
    // No script of its own, and every link relative.
    expect(html).not.toMatch(/<script(?! type="application\/json"| src="\.\.\/a\/| type="module" src="\.\.\/a\/)/);
    expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = ""]) => link)).not.toContainEqual(
      expect.stringMatching(/^(?:\/|https?:)/),
    );
  });
  test("previews carry the origin, and the version when one was named", async () => {
    const id = await publish();
    const seen = { ...asBrowser, "x-forwarded-proto": "https", "x-forwarded-host": "hub.example" };
    const html = await text(`/artifacts/${id}?version=1`, seen);
    expect(html).toContain(`<meta property="og:url" content="https://hub.example/artifacts/${id}?version=1">`);
    expect(html).toContain(`<meta property="og:image" content="https://hub.example/artifacts/${id}/og.svg?version=1">`);
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image">');
    const token = await share(id);
    expect(await text(`/s/${token}`, seen)).toContain(
      `<meta property="og:image" content="https://hub.example/s/${token}/og.svg">`,
    );
  });
  test("lists the newest 50 versions, newest first", async () => {
    const id = await publish({ label: "one" });
    for (let version = 2; version <= 52; version += 1) {
      await scout.call("artifact_update", { artifact_id: id, content: `v${version}`, label: `v${version}` });
    }
    const html = await text(`/artifacts/${id}`);
    const versions: { version: number }[] = JSON.parse(/id="hub-versions">(.*?)<\/script>/.exec(html)?.[1] ?? "");
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, index) => 52 - index));
    expect(html).toContain("Older ones by <code>?version=</code>");
    // A label that only repeats the number is left out.
    expect(html).not.toContain(">v52</bdi>");
    expect(await text(`/artifacts/${id}?version=1`)).toContain("one</bdi>");
  });
  test("shows the comments of its version and of those before it", async () => {
    const id = await publish();
    await scout.call("comment_post", { artifact_id: id, body: "on <one>", anchor: { mode: "text", quote: "words" } });
    await scout.call("artifact_update", { artifact_id: id, content: "second words" });
    await scout.call("comment_post", { artifact_id: id, body: "on two", anchor: { mode: "point", x: 0.5, y: 0.5 } });
    const first = await text(`/artifacts/${id}?version=1`);
    expect(first).toContain("on &lt;one&gt;");
    expect(first).not.toContain("on two");
    const second = await text(`/artifacts/${id}`);
    expect(second).toContain("on v1</span>");
    expect(second).toContain("At a point of the document");
  });
  test("of a protected version shows title and gate alone", async () => {
    const id = await publish({ title: "Secret", description: "unseen-words", content: "Y2lwaGVy", envelope });
    await scout.call("comment_post", { artifact_id: id, body: "unseen-remark" });
    await scout.call("artifact_update", { artifact_id: id, content: "Y2lwaGVy", label: "unseen-label" });
    const html = await text(`/artifacts/${id}`);
    expect(html).toContain('id="hub-ciphertext">"Y2lwaGVy"</script>');
    expect(JSON.parse(/id="hub-envelope">(.*?)<\/script>/.exec(html)?.[1] ?? "")).toEqual(envelope);
    expect(html).not.toContain("unseen-");
    expect(html).toContain('id="hub-versions">null</script>');
    expect(await text(`/artifacts/${id}/og.svg`)).not.toContain("unseen-");
  });
});

describe("versions", () => {
  test("a number wins over live, and a plain address never serves a live one", async () => {
    const id = await publish({ content: "sealed" });
    await scout.call("artifact_draft", { artifact_id: id, content: "draft" });
    const body = async (query: string) =>
      /<main>([\s\S]*?)<\/main>/.exec(await text(`/artifacts/${id}/frame${query}`))?.[1];
    expect(await body("")).toContain("sealed");
    for (const query of ["?live=1", "?live", "?live=yes", "?live=on", "?live=true", "?version=2"]) {
      expect(await body(query)).toContain("draft");
    }
    expect(await body("?live=1&version=1")).toContain("sealed");
    expect(await body("?live=0")).toContain("sealed");
  });
  test.each([
    ["?version=0", 400],
    ["?version=-1", 400],
    ["?version=x", 400],
    ["?version=2", 404],
    ["?live=maybe", 400],
    ["?receive=1", 400],
  ])("%s is %i on the frame", async (query, expected) => {
    expect(await status(`/artifacts/${await publish()}/frame${query}`)).toBe(expected);
  });
  test("a protected one has a frame only to receive into", async () => {
    const id = await publish({ content: "Y2lwaGVy", envelope });
    expect(await status(`/artifacts/${id}/frame`)).toBe(400);
    const html = await text(`/artifacts/${id}/frame?receive=1&theme=dark`);
    expect(html).toStartWith('<!doctype html><html data-theme="dark">');
    expect(html).not.toContain("Y2lwaGVy");
  });
  test("authored HTML is served as it is, after the hub's own head", async () => {
    const content = "<!doctype html><html lang=de><body onload=x><p>ü</p>\u0000";
    expect(await text(`/artifacts/${await publish({ kind: "html", content })}/frame`)).toEndWith(`</script>${content}`);
  });
  test("opened as a page of its own it stands in a frame that may go nowhere", async () => {
    const id = await publish({ kind: "html", content: '<p title="a&b">x' });
    const response = await get(`/artifacts/${id}/frame`, { "sec-fetch-dest": "document" });
    expect(response.headers.get("content-security-policy")).toBe(framePolicy("'unsafe-inline'"));
    const html = await response.text();
    expect(html).toContain('<iframe title="Report" sandbox="allow-scripts" srcdoc="<!doctype html>');
    expect(html).toContain('<p title=&quot;a&amp;b&quot;>x"></iframe>');
    expect(html.slice(0, html.indexOf("srcdoc="))).not.toContain("<script");
  });
});

describe("who can open it", () => {
  const routes = (root: string) => [root, `${root}/frame`, `${root}/og.svg`];
  /** Everything an answer says, without what differs by the time it was given. */
  async function answers(paths: readonly string[], headers = {}): Promise<string[]> {
    return Promise.all(
      paths.map(async (path) => {
        const response = await get(path, headers);
        const said = [...response.headers].filter(([name]) => name !== "date");
        return JSON.stringify([response.status, said, await response.text()]);
      }),
    );
  }

  test.each([
    ["a browser", asBrowser],
    ["a program", {}],
  ])("unknown, concealed, withdrawn and rotated addresses answer %s alike", async (_, headers) => {
    const unknown = await answers(routes("/artifacts/none"), headers);
    expect(unknown.every((each) => each.startsWith("[404"))).toBe(true);
    const id = await publish();
    const old = await share(id);
    const token = await share(id);
    expect(await answers(routes(`/artifacts/${id}`), headers)).toEqual(unknown);
    expect(await answers(routes(`/s/${old}`), headers)).toEqual(unknown);
    expect(await answers(routes("/s/none"), headers)).toEqual(unknown);
    expect(await Promise.all(routes(`/s/${token}`).map(status))).toEqual([200, 200, 200]);
    await hub.rest("revokeShare", { params: { id } });
    expect(await answers(routes(`/s/${token}`), headers)).toEqual(unknown);
    expect(await Promise.all(routes(`/artifacts/${id}`).map(status))).toEqual([200, 200, 200]);
    await scout.call("artifact_delete", { artifact_id: id });
    expect(await answers(routes(`/artifacts/${id}`), headers)).toEqual(unknown);
  });
  test("a confidential project closes plain pages; the gate of a protected one stays open", async () => {
    await hub.project("hidden", { confidential: true });
    await hub.rest("createGrant", { params: { id: "scout" }, body: { project_id: "hidden" } });
    const id = await publish({ project_id: "hidden" });
    expect(await Promise.all(routes(`/artifacts/${id}`).map(status))).toEqual([404, 404, 404]);
    const token = await share(id);
    expect(await Promise.all(routes(`/s/${token}`).map(status))).toEqual([200, 200, 200]);
    const sealed = await publish({ project_id: "hidden", content: "Y2lwaGVy", envelope });
    expect(await status(`/artifacts/${sealed}`)).toBe(200);
  });
  test("a pass opens page and frame for its minute and the next, not the card, and is handed on", async () => {
    const id = await publish();
    await scout.call("artifact_update", { artifact_id: id, content: "second" });
    await share(id);
    const { pass } = await hub.rest("getViewerPass", { params: { id } });
    const at = (query: string) => Promise.all(routes(`/artifacts/${id}`).map((path) => status(`${path}?${query}`)));
    expect(await at(`pass=${pass}`)).toEqual([200, 200, 404]);
    const html = await text(`/artifacts/${id}?pass=${pass}`);
    expect(html).toContain(`data-frame="${id}/frame?pass=${pass}"`);
    expect(html).toContain(`href="?version=1&amp;pass=${pass}"`);
    expect(await at(`pass=${"0".repeat(32)}`)).toEqual([404, 404, 404]);
    const other = await publish();
    await share(other);
    expect(await status(`/artifacts/${other}?pass=${pass}`)).toBe(404);
    hub.clock.now += 120_000;
    expect(await at(`pass=${pass}`)).toEqual([404, 404, 404]);
  });
  test("a share page shows its version, whatever is asked for and whatever comes later", async () => {
    const id = await publish({ content: "pinned" });
    const token = await share(id);
    await scout.call("artifact_update", { artifact_id: id, content: "later" });
    await scout.call("artifact_draft", { artifact_id: id, content: "draft" });
    for (const query of ["", "?version=2", "?live=1"]) {
      expect(await text(`/s/${token}/frame${query}`)).toContain("pinned");
      expect(await text(`/s/${token}${query}`)).not.toContain('id="picker"');
    }
  });
  test("a token is neither needed nor looked at", async () => {
    const id = await publish();
    expect((await get(`/artifacts/${id}`, { authorization: "Bearer wrong" })).status).toBe(200);
  });
});

describe("the card", () => {
  test("is well-formed and cut to its size, whatever the words are", async () => {
    const words = `<script>&"'\u0007\u202E${"long".repeat(60)}`;
    const svg = await text(`/artifacts/${await publish({ title: words, description: words })}/og.svg`);
    expect(svg).toContain("&lt;script&gt;&amp;&quot;");
    expect(svg).not.toMatch(/<script|[^\P{Cc}\n]|\u202E/u);
    expect([...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].length).toBeGreaterThan(3);
    expect(svg).not.toMatch(/(?:href|url\(|src)/);
  });
});

// What is served to everyone: the first page, the guide and the probes (rest-api.md 0.9, 19, 21).
import { describe, expect, test } from "bun:test";
import { rename } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { webFiles } from "../../../src/server/http/web-files.ts";
import { openHttpHub, problem } from "./requests.ts";

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

describe("the app's document", () => {
  test("says nothing of this hub, and has the policies of a document", async () => {
    await using http = await openHttpHub();
    const page = await http.send("GET", "/", { as: "none" });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.text).not.toContain("{{");
    expect(page.text).not.toContain(http.hub.operator.token);
    expect(page.text).toContain(`<meta name="hub-build" content="${webFiles().build}">`);
    // As rest-api.md 0.9 has it, character by character.
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types hub",
    );
    expect(page.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(page.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(page.headers.get("permissions-policy")).toBe("camera=(), microphone=(), geolocation=(), payment=()");
  });

  test("its links work below any prefix, and it holds no script and no style of its own", async () => {
    await using http = await openHttpHub();
    const { text } = await http.send("GET", "/", { as: "none" });
    const links = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      expect(link).not.toMatch(/^(?:\/|[a-z]+:)/);
      expect([link, (await http.send("GET", `/${link}`, { as: "none" })).status]).toEqual([link, 200]);
    }
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
  });
});

describe("the app's files", () => {
  test("are the whole of what is served at the root, each with its type and its cache", async () => {
    await using http = await openHttpHub();
    const types: Record<string, string> = {
      js: "text/javascript; charset=utf-8",
      css: "text/css; charset=utf-8",
      svg: "image/svg+xml",
      png: "image/png",
      webmanifest: "application/manifest+json",
    };
    const served = webFiles().files.filter(({ cache, path }) => cache !== "internal" && path !== "index.html");
    const rest = served.map(({ path }) => path).filter((path) => !path.startsWith("a/"));
    expect(rest.sort()).toEqual([
      "icon-180.png",
      "icon-192.png",
      "icon-512-maskable.png",
      "icon-512-monochrome.png",
      "icon-512.png",
      "icon.svg",
      "manifest.webmanifest",
      "sw.js",
    ]);
    for (const { path } of served) {
      const answer = await http.send("GET", `/${path}`, { as: "none" });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get("content-type")).toBe(types[path.split(".").at(-1) ?? ""] ?? "");
      const cache = path.startsWith("a/") ? "public, max-age=31536000, immutable" : "no-cache";
      expect([path, answer.headers.get("cache-control")]).toEqual([path, cache]);
      expect(path.startsWith("a/") ? path : "a/x-12345678.js").toMatch(/^a\/[\w-]+-[a-z\d]{8}\.(?:js|css)$/);
    }
    for (const path of ["/index.html", "/a/", "/a", "/a/nope.js", "/favicon.ico", "/web.pack", "/a/../sw.js.map"]) {
      expect([path, (await http.send("GET", path, { as: "none" })).status]).toEqual([path, 404]);
    }
  });

  test("come in the encoding that is accepted, as made at build", async () => {
    await using http = await openHttpHub();
    const path = `/${webFiles().entry("main")}`;
    const plain = await (await fetch(`${http.url}${path}`, { headers: { "accept-encoding": "identity" } })).text();
    for (const [accepted, encoding] of [
      ["gzip, deflate, br, zstd", "br"],
      ["gzip", "gzip"],
      ["br;q=0, gzip;q=0.5", "gzip"],
      ["*", "br"],
      ["deflate", null],
      ["br; q=0", null],
    ] as const) {
      const raw = await fetch(`${http.url}${path}`, { headers: { "accept-encoding": accepted }, decompress: false });
      expect([accepted, raw.headers.get("content-encoding")]).toEqual([accepted, encoding]);
      expect(raw.headers.get("vary")).toBe("Accept-Encoding");
      const bytes = new Uint8Array(await raw.arrayBuffer());
      const decoded = encoding === null ? bytes : decoders[encoding](bytes);
      expect(new TextDecoder().decode(decoded) === plain).toBe(true);
    }
  });

  test("are not sent again to who has them", async () => {
    await using http = await openHttpHub();
    for (const path of ["/", "/sw.js", "/manifest.webmanifest", "/icon.svg", `/${webFiles().entry("main")}`]) {
      const tag = (await http.send("GET", path, { as: "none" })).headers.get("etag") ?? "";
      expect(tag).toMatch(/^W\/"[\da-f]{32}"$/);
      for (const known of [tag, tag.replace("W/", ""), `"other", ${tag}`, "*"]) {
        const answer = await http.send("GET", path, { as: "none", headers: { "if-none-match": known } });
        expect([path, known, answer.status, answer.text]).toEqual([path, known, 304, ""]);
        expect(answer.headers.get("etag")).toBe(tag);
      }
      expect((await http.send("GET", path, { as: "none", headers: { "if-none-match": '"other"' } })).status).toBe(200);
    }
  });

  test("name the hub where apps are listed, when it has a name", async () => {
    for (const [config, name, short] of [
      [{}, "Agent Hub", "Agent Hub"],
      [{ nodeName: "nas <1>", isNodeNamed: true }, "Agent Hub (nas <1>)", "nas <1>"],
    ] as const) {
      await using http = await openHttpHub({ config });
      const manifest = JSON.parse((await http.send("GET", "/manifest.webmanifest", { as: "none" })).text);
      expect([manifest.name, manifest.short_name, manifest.id]).toEqual([name, short, undefined]);
      expect([manifest.start_url, manifest.scope, manifest.display]).toEqual(["./", "./", "standalone"]);
      expect(manifest.launch_handler).toEqual({ client_mode: "navigate-existing" });
      for (const colour of [manifest.theme_color, manifest.background_color]) expect(colour).toMatch(/^#[\da-f]{6}$/);
      expect(manifest.icons.map(({ sizes, purpose = "any" }: Record<string, string>) => `${sizes} ${purpose}`)).toEqual(
        ["any any", "192x192 any", "512x512 any", "512x512 maskable", "512x512 monochrome"],
      );
      expect(manifest.shortcuts.map(({ name, url }: Record<string, string>) => [name, url])).toEqual([
        ["Inbox", "./#/inbox"],
        ["Projects", "./#/projects"],
      ]);
      const addresses = [...manifest.icons, ...manifest.shortcuts[0].icons].map(({ src }: { src: string }) => src);
      for (const src of addresses) expect((await http.send("GET", `/${src}`, { as: "none" })).status).toBe(200);
    }
  });
});

test("the guide is public, names no one and no secret", async () => {
  await using http = await openHttpHub();
  const guide = await http.send("GET", "/bootstrap/SKILL.md", { as: "none" });
  expect(guide.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  for (const secret of ["alice", http.hub.operator.token]) expect(guide.text).not.toContain(secret);
});

describe("probes", () => {
  test("healthz says ok to anyone, also to an odd caller", async () => {
    await using http = await openHttpHub();
    for (const as of ["none", "garbage", "operator"] as const) {
      const answer = await http.send("GET", "/healthz", { as });
      expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([
        200,
        "ok",
        "text/plain; charset=utf-8",
      ]);
    }
  });

  test("readyz tells the schema and the free space, and 503 when a leg fails or the hub drains", async () => {
    await using http = await openHttpHub();
    const ready = await http.send("GET", "/readyz", { as: "none" });
    expect(ready.json).toEqual({
      status: "ready",
      schema_version: expect.any(Number),
      supported_max: ready.json["schema_version"] ?? null,
      free_bytes: expect.any(Number),
      free_space_margin_bytes: 67_108_864,
    });
    const blobs = `${http.hub.dataDir}/blobs`;
    await rename(blobs, `${blobs}-away`);
    const failing = await http.send("GET", "/readyz", { as: "none" });
    expect(failing.json).toEqual(problem("Service Unavailable", 503, "unavailable"));
    expect(failing.text).not.toContain(http.hub.dataDir);
    await rename(`${blobs}-away`, blobs);
    expect((await http.send("GET", "/readyz", { as: "none" })).status).toBe(200);
    http.hub.hub.drain();
    const draining = await http.send("GET", "/readyz", { as: "none" });
    expect(draining.json).toEqual(problem("Service Unavailable", 503, "unavailable"));
  });

  test.each(["/", "/healthz", "/readyz", "/bootstrap/SKILL.md", "/sw.js", "/icon.svg", "/manifest.webmanifest"])(
    "%s is read with GET and HEAD only",
    async (path) => {
      await using http = await openHttpHub();
      for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
        const answer = await http.send(method, path, { as: "none" });
        expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "GET, HEAD"]);
      }
      const [get, head] = [await http.send("GET", path), await http.send("HEAD", path)];
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
    },
  );
});

test("no cache keeps a failure: what is missing now may be there in a moment", async () => {
  await using http = await openHttpHub();
  for (const path of ["/nothing", "/a/nothing.js", "/s/%ff", "/s/%ff/og.svg", "/artifacts/nothing", "/s/nothing"]) {
    const answer = await http.send("GET", path, { as: "none" });
    expect([path, answer.status >= 400, answer.headers.get("cache-control")]).toEqual([path, true, "no-store"]);
  }
});

// What is served to everyone: the first page, the guide and the probes (rest-api.md 0.9, 19, 21).
import { describe, expect, test } from "bun:test";
import { rename } from "node:fs/promises";
import { openHttpHub, problem } from "./requests.ts";

describe("the first page", () => {
  test("names the hub and loads nothing from elsewhere", async () => {
    await using http = await openHttpHub({ config: { nodeName: `<b>"nas" & $& $1</b>` } });
    const page = await http.send("GET", "/", { as: "none" });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.text).toContain("&lt;b&gt;&quot;nas&quot; &amp; $&amp; $1&lt;/b&gt;");
    expect(page.text).not.toContain("{{");
    expect(page.text).not.toContain(http.hub.operator.token);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(page.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(page.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(page.headers.get("permissions-policy")).toBe("camera=(), microphone=(), geolocation=(), payment=()");
  });

  test("its links work below any prefix", async () => {
    await using http = await openHttpHub();
    const { text } = await http.send("GET", "/", { as: "none" });
    const links = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      expect(link).not.toMatch(/^(?:\/|[a-z]+:)/);
      expect([link, (await http.send("GET", `/${link}`, { as: "none" })).status]).toEqual([link, 200]);
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

  test.each(["/", "/healthz", "/readyz", "/bootstrap/SKILL.md", "/front-page.css"])(
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

// Where a request comes from, and how many may be open (rest-api.md 0.10, 10): the caller cannot say it, the socket does.
import { describe, expect, test } from "bun:test";
import { request } from "node:http";
import type { HubConfig } from "../../../src/config/settings.ts";
import { problem } from "../../server/http/requests.ts";
import { type EnrolLab, openEnrolLab } from "./lab.ts";

/** Asks from an address of this machine's own, with headers as they are. */
function askFrom(
  lab: EnrolLab,
  localAddress: string,
  headers: Record<string, string | string[]> = {},
): Promise<number> {
  const { hostname, port } = new URL(lab.http.url);
  const body = JSON.stringify({ display_name: "N", suggested_id: crypto.randomUUID(), why: "x", source: "1.1.1.1" });
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        localAddress,
        path: "/api/v1/enrol",
        method: "POST",
        agent: false,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers },
      },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

async function sourcesOf(lab: EnrolLab): Promise<unknown[]> {
  const { json } = await lab.http.send("GET", "/api/v1/agents");
  const agents = Array.isArray(json["agents"]) ? json["agents"] : [];
  return agents
    .map((agent) => Object(agent).enrol_source)
    .filter((source) => source !== undefined)
    .sort();
}

const untrusting: Partial<HubConfig> = { trustProxy: [] };

test("without a trusted proxy it is the socket peer, whatever the headers and the body say", async () => {
  await using lab = await openEnrolLab(untrusting);
  expect(await askFrom(lab, "127.0.0.7", { "x-forwarded-for": "9.9.9.9", "x-real-ip": "8.8.8.8" })).toBe(202);
  expect(await askFrom(lab, "127.0.0.7", { "x-forwarded-for": "9.9.9.8", "x-real-ip": "8.8.8.7" })).toBe(429);
  expect(await askFrom(lab, "127.0.0.8")).toBe(202);
  expect(await sourcesOf(lab)).toEqual(["127.0.0.7", "127.0.0.8"]);
});

test("a peer that is not the trusted one is not believed", async () => {
  await using lab = await openEnrolLab({ trustProxy: ["127.0.0.9"] });
  expect(await askFrom(lab, "127.0.0.7", { "x-forwarded-for": "9.9.9.9" })).toBe(202);
  expect(await askFrom(lab, "127.0.0.9", { "x-forwarded-for": "9.9.9.9" })).toBe(202);
  expect(await sourcesOf(lab)).toEqual(["127.0.0.7", "9.9.9.9"]);
});

describe("of what a trusted proxy says", () => {
  test.each<[Record<string, string | string[]>, string]>([
    [{ "x-forwarded-for": "1.1.1.1, 2.2.2.2 , 3.3.3.3" }, "3.3.3.3"],
    [{ "x-forwarded-for": "3.3.3.3", "x-real-ip": "4.4.4.4" }, "3.3.3.3"],
    [{ "x-forwarded-for": ["1.1.1.1", "3.3.3.4"] }, "3.3.3.4"],
    [{ "x-real-ip": "4.4.4.4" }, "4.4.4.4"],
    [{ "x-forwarded-for": "", "x-real-ip": "4.4.4.5" }, "4.4.4.5"],
    [{ "x-forwarded-for": "::ffff:5.5.5.5" }, "5.5.5.5"],
    [{ "x-forwarded-for": "::FFFF:505:506" }, "5.5.5.6"],
    [{ "x-forwarded-for": "2001:DB8:0:0:0:0:0:1" }, "2001:db8::1"],
    [{}, "127.0.0.1"],
  ])("%j names %p", async (headers, source) => {
    await using lab = await openEnrolLab();
    expect(await askFrom(lab, "127.0.0.1", headers)).toBe(202);
    expect(await sourcesOf(lab)).toEqual([source]);
    // The same client again, however the proxy spells it.
    expect(await askFrom(lab, "127.0.0.1", { "x-forwarded-for": source })).toBe(429);
  });
});

test("an IPv4 peer on an IPv6 socket is the same source, and trusted as such", async () => {
  const bind = { host: "::", port: 0, isLoopback: false };
  await using lab = await openEnrolLab({ bind, adminToken: "of-the-operator", trustProxy: ["127.0.0.5"] });
  const onV4 = { ...lab, http: { ...lab.http, url: lab.http.url.replace("[::]", "127.0.0.1") } };
  expect(await askFrom(onV4, "127.0.0.7")).toBe(202);
  expect(await askFrom(onV4, "127.0.0.7")).toBe(429);
  expect(await askFrom(onV4, "127.0.0.5", { "x-forwarded-for": "7.7.7.7" })).toBe(202);
  expect(await sourcesOf({ ...onV4, http: { ...onV4.http, send: sendTo(onV4) } })).toEqual(["127.0.0.7", "7.7.7.7"]);
});

function sendTo(lab: EnrolLab): EnrolLab["http"]["send"] {
  return async (method, path) => {
    const response = await fetch(`${lab.http.url}${path}`, {
      method,
      headers: { authorization: "Bearer of-the-operator" },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  };
}

test("one open request a source: the second is 429, and one is free again after any decision", async () => {
  await using lab = await openEnrolLab();
  const source = { "x-forwarded-for": "192.0.2.1" };
  const ask = (suggested_id: string) => lab.ask({ display_name: "N", why: "x", suggested_id }, source);
  expect((await ask("one")).status).toBe(202);
  expect((await ask("two")).json).toEqual(problem("Too Many Requests", 429, "rate_limited", {}));
  await lab.refuse("one");
  expect((await ask("one")).status).toBe(202);
  await lab.approve("one");
  expect((await ask("three")).status).toBe(202);
});

test("requests whose peer is not known share one identity", async () => {
  await using lab = await openEnrolLab();
  const ask = async (): Promise<unknown> => {
    const route = lab.http.hub.hub.routes.find(({ call }) => call === "askIn");
    const ctx = lab.http.hub.hub.kernel.ctx({
      principal: { kind: "stranger", actor: "", tokenId: null },
      connection: null,
      origin: "",
      signal: new AbortController().signal,
      progress: null,
      peer: null,
    });
    return route?.handle({ params: {}, query: {}, body: { display_name: crypto.randomUUID(), why: "x" } }, ctx);
  };
  await ask();
  expect(await sourcesOf(lab)).toEqual(["unknown"]);
  expect(ask()).rejects.toMatchObject({ code: "rate_limited" });
});

describe("the whole hub", () => {
  test("holds enrol_pending_max, and says so", async () => {
    await using lab = await openEnrolLab({ enrolPendingMax: 2 });
    await lab.enter("one");
    await lab.enter("two");
    expect((await lab.ask()).json).toEqual(
      problem("Too Many Requests", 429, "rate_limited", { open: 2, cap: 2, setting: "HUB_ENROL_PENDING_MAX" }),
    );
    await lab.approve("one");
    await lab.enter("three");
  });

  test("holds none when that is 0", async () => {
    await using lab = await openEnrolLab({ enrolPendingMax: 0 });
    expect((await lab.ask()).status).toBe(429);
  });

  test("50 that race from 50 addresses: exactly as many as fit are taken", async () => {
    await using lab = await openEnrolLab({ enrolPendingMax: 20 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => lab.ask({ display_name: `Racer ${n}`, why: "to race" })),
    );
    expect(answers.filter(({ status }) => status === 202).length).toBe(20);
    expect(answers.filter(({ status }) => status === 429).length).toBe(30);
    expect(new Set(answers.flatMap(({ json }) => json["token"] ?? [])).size).toBe(20);
    expect((await sourcesOf(lab)).length).toBe(20);
  });

  test("50 that race from one address, or for one id: exactly one is taken", async () => {
    await using lab = await openEnrolLab({ enrolPendingMax: 100 });
    const fromOne = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        lab.ask({ display_name: `Racer ${n}`, why: "to race" }, { "x-forwarded-for": "192.0.2.50" }),
      ),
    );
    expect(fromOne.map(({ status }) => status).sort()).toEqual([202, ...Array<number>(49).fill(429)]);
    const forOne = await Promise.all(
      Array.from({ length: 50 }, () => lab.ask({ display_name: "X", why: "to race", suggested_id: "prize" })),
    );
    expect(forOne.map(({ status }) => status).sort()).toEqual([202, ...Array<number>(49).fill(409)]);
  });
});

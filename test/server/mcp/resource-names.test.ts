// Addresses of resources as properties (mcp-tools.md 18.1): a page of any name reads back through its listed address, and
// no text at all is an internal error.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { pageUri, parsePageUri } from "../../../src/server/mcp/page-uri.ts";
import { openResources } from "../isolation.ts";
import { listPages, putPage, readText, refusal, send } from "./resource-requests.ts";
import { lines, type McpHub, openMcpHub } from "./rpc.ts";

let mcp: McpHub;
beforeAll(async () => {
  mcp = await openMcpHub();
});
afterAll(() => mcp[Symbol.asyncDispose]());

const names = [
  "plain.md",
  "dns/zone file.md",
  "100%/50%25.md",
  "what? #1.md",
  "q\"uo'te<d>.md",
  "[a]{b}|c^d`e.md",
  "a+b&c=d;e,f@g:h!i$j(k)*l~m_n-o.md",
  "Größe/Straße.md",
  "Ελληνικά/Κύριλλος.md",
  "Кириллица.md",
  "عربى/צ'אט.md",
  "हिन्दी/தமிழ்.md",
  "ภาษาไทย.md",
  "中文/日本語/한국어.md",
  "ქართული/አማርኛ/ᏣᎳᎩ.md",
  "𐎠𐎡/𓀀.md",
  "😀/👩‍👩‍👧.md",
  "e\u0301 and \u00e9.md",
  "no\u200bspace\u202e.md",
  "\ufeffmark.md",
  "...md",
  "a.b/.c/..d.md",
  "agenthub:",
  "%2F.md",
];

test("names in every script read back through the address they are listed under", async () => {
  for (const [index, name] of names.entries()) await putPage(mcp.alice, "p", `/fs/${name}`, `text ${index}`);
  for (const line of lines) {
    const listed = (await listPages(mcp, line)).flatMap(({ resources }) => resources).slice(openResources.length);
    expect(listed.map(({ name }) => name).sort()).toEqual([...names].sort());
    for (const { uri, name } of listed) {
      expect(uri).toMatch(/^agenthub:\/\/kb\/p\/(?:[!$&'()*+,\-./0-9:;=@A-Z_a-z~]|%[0-9A-F]{2})+$/);
      expect([uri, (await readText(mcp, line, uri))["text"]]).toEqual([uri, `text ${names.indexOf(name)}`]);
    }
  }
  expect(pageUri({ projectId: "infra", path: "/fs/dns/zone file.md" })).toBe("agenthub://kb/infra/dns/zone%20file.md");
});

const segment = fc
  .string({ unit: "binary", minLength: 1, maxLength: 20 })
  .filter((text) => !/[\p{Cc}\\/]/u.test(text) && text !== "." && text !== "..");

test("an address names its page, and nothing else does", () => {
  fc.assert(
    fc.property(segment, fc.array(segment, { minLength: 1, maxLength: 5 }), (project, path) => {
      const page = { projectId: project, path: `/fs/${path.join("/")}` };
      const uri = pageUri(page);
      expect(uri).toMatch(/^agenthub:\/\/kb\/[\x21-\x7e]+$/);
      expect(uri.split("/")).toHaveLength(path.length + 4);
      expect(parsePageUri(uri)).toEqual(page);
    }),
    { numRuns: 2000 },
  );
});

/** Texts that look like addresses, and texts that look like nothing. */
const piece = fc.oneof(
  fc.constantFrom(
    "agenthub:",
    "//",
    "kb/",
    "/",
    "p",
    "..",
    ".",
    "%",
    "%2e",
    "%2F",
    "%00",
    "%ff",
    "%5c",
    "skill:",
    "agent-hub",
  ),
  fc.constantFrom(
    "SKILL.md",
    "references",
    "fs",
    "?",
    "#",
    "__proto__",
    "constructor",
    " ",
    "\\",
    "\u0000",
    "\ud800",
    "é",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
);
const anyText = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
  fc.array(piece, { maxLength: 8 }).map((pieces) => `agenthub://kb/p/${pieces.join("")}`),
  fc.array(piece, { maxLength: 8 }).map((pieces) => `skill://agent-hub/${pieces.join("")}`),
);

describe.each(lines)("on the %s line", (line) => {
  const requests = [
    { title: "resources/read", method: "resources/read", params: (text: string) => ({ uri: text }) },
    { title: "a cursor of resources/list", method: "resources/list", params: (text: string) => ({ cursor: text }) },
    { title: "skills/get", method: "skills/get", params: (text: string) => ({ uri: text }) },
    {
      title: "resources/directory/read",
      method: "resources/directory/read",
      params: (text: string) => ({ uri: text }),
    },
  ];

  test.each(requests)("no text is an internal error of $title", async ({ method, params }) => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        // A header carries whole characters only.
        const given = line === "2026" && method === "resources/read" ? text.toWellFormed() : text;
        const answer = await send(mcp, line, method, params(given));
        if ("result" in answer) return;
        expect(answer).toMatchObject({ error: { data: { error: { retryable: false } } } });
        expect(JSON.stringify(answer)).toMatch(/"code":"(?:not_found|forbidden|invalid_argument)"/);
      }),
      { numRuns: 400 },
    );
    expect(mcp.hub.log.filter((text) => text.includes("internal error"))).toEqual([]);
  });

  test("no spelling leads out of the knowledge base", async () => {
    for (const uri of [
      "agenthub://kb/p/../../p/plain.md",
      "agenthub://kb/p/..%2F..%2Fplain.md",
      "agenthub://kb/p/%2e%2e/plain.md",
    ]) {
      const climbs = uri.includes("../p/") ? "/fs/p/plain.md" : undefined;
      if (climbs === undefined) expect(await readText(mcp, line, uri)).toMatchObject({ text: "text 0" });
      else expect((await refusal(mcp, line, "resources/read", { uri })).message).toContain(climbs);
    }
  });
});

// Holds the import table, the order of the nouns and the rules of style over the source as it stands, and proves for
// each rule that it fails on a planted defect.
import { describe, expect, test } from "bun:test";
import { forbiddenImports, importCycles } from "./support/import-rules.ts";
import { type ReadFile, readFile, readSources } from "./support/source-files.ts";
import * as rules from "./support/source-rules.ts";

const sources = (await readSources("src")).map(readFile);
const tests = (await readSources("test")).map(readFile);

function read(path: string, text: string): ReadFile {
  return readFile({ path, text });
}

/** How often a rule objects to a text at a path. */
function objections(rule: (file: ReadFile) => string[], path: string, text: string): number {
  return rule(read(path, text)).length;
}

function refused(path: string, text: string): number {
  return forbiddenImports([read(path, text)]).length;
}

describe("the source", () => {
  test("was found", () => {
    expect(sources.length).toBeGreaterThan(5);
    expect(tests.map((file) => file.path)).toContain("test/architecture.test.ts");
    expect(sources.flatMap((file) => file.imports).length).toBeGreaterThan(5);
  });
  test("keeps to the import table and the order of the nouns", () => expect(forbiddenImports(sources)).toEqual([]));
  test("has no import cycles", () => expect(importCycles(sources)).toEqual([]));
  for (const rule of rules.sourceRules) {
    test(`keeps to ${rule.name}`, () => expect(sources.flatMap(rule)).toEqual([]));
  }
  test("has no test that is switched off", () => expect(tests.flatMap(rules.switchedOffTest)).toEqual([]));
});

describe("the import table", () => {
  test.each([
    ["src/main.ts", 'import { main } from "./cli/main.ts";'],
    ["src/shared/markdown.ts", 'import { marked } from "marked";\nimport type { Json } from "./json.ts";'],
    ["src/config/load.ts", 'import { readFileSync } from "node:fs";\nimport { parse } from "smol-toml";'],
    [
      "src/storage/db.ts",
      'import { Database } from "bun:sqlite";\nimport type { Config } from "../config/settings.ts";',
    ],
    ["src/storage/migrate.ts", 'import first from "./migrations/0001.sql" with { type: "text" };'],
    [
      "src/kernel/run.ts",
      'import { type Config, type Bind } from "../config/settings.ts";\nimport * as z from "zod/v4";',
    ],
    [
      "src/features/items/store.ts",
      'import { emit } from "../events/index.ts";\nimport { now } from "../../kernel/x.ts";',
    ],
    ["src/features/items/tools.ts", 'import { post } from "./operations.ts";\nimport guide from "./guide.md";'],
    ["src/features/brief/operations.ts", 'import { createHash } from "node:crypto";'],
    ["src/server/hub.ts", 'import { questions } from "../features/questions/index.ts";\nimport "./http/app.ts";'],
    ["src/server/http/app.ts", 'import { Elysia } from "elysia";\nimport { openapi } from "@elysiajs/openapi";'],
    ["src/server/mcp/lines.ts", 'import { Server } from "@modelcontextprotocol/sdk/server/index.js";'],
    ["src/client/proxy.ts", 'import { createLog } from "../kernel/log.ts";'],
    ["src/cli/serve.ts", 'const { openHub } = await import("../server/hub.ts");'],
    ["src/web/app.tsx", 'import { h } from "preact/hooks";\nimport { View } from "./view.tsx";'],
  ])("allows %s: %j", (path, text) => {
    expect(forbiddenImports([read(path, text)])).toEqual([]);
  });

  test.each([
    ["src/main.ts", 'import { openHub } from "./server/hub.ts";'],
    ["src/shared/ids.ts", 'import { randomBytes } from "node:crypto";'],
    ["src/shared/ids.ts", 'import type { Ctx } from "../kernel/ctx.ts";'],
    ["src/config/load.ts", 'export type { Ctx } from "../kernel/ctx.ts";'],
    ["src/storage/db.ts", 'import { load } from "../config/load.ts";'],
    ["src/storage/db.ts", 'import { load, type Config } from "../config/load.ts";'],
    ["src/kernel/run.ts", 'import { Database } from "bun:sqlite";'],
    ["src/kernel/run.ts", 'type Question = import("../features/questions/index.ts").Question;'],
    ["src/kernel/run.ts", 'import defu from "defu";'],
    ["src/kernel/run.ts", 'import { readFileSync } from "fs";'],
    ["src/features/items/store.ts", 'import { post } from "../questions/index.ts";'],
    ["src/features/items/store.ts", 'import { emit } from "../events/store.ts";'],
    ["src/features/items/store.ts", 'export * from "../../server/hub.ts";'],
    ["src/features/items/store.ts", 'import { readFileSync } from "node:fs";'],
    ["src/features/widgets/store.ts", ""],
    ["src/server/hub.ts", 'import { Elysia } from "elysia";'],
    ["src/server/hub.ts", 'import { insert } from "../features/events/store.ts";'],
    ["src/server/http/app.ts", 'import { createMcpHandler } from "@modelcontextprotocol/server";'],
    ["src/server/mcp/lines.ts", 'import { Elysia } from "elysia";'],
    ["src/server/hub.ts", 'import { serve } from "../cli/serve.ts";'],
    ["src/client/proxy.ts", 'import { run } from "../kernel/run.ts";'],
    ["src/client/proxy.ts", 'import { z } from "zod";'],
    ["src/cli/serve.ts", 'const feed = await import("../features/feed/index.ts");'],
    ["src/cli/serve.ts", "const feed = await import(name);"],
    ["src/cli/serve.ts", 'new Worker(new URL("../storage/worker.ts", import.meta.url));'],
    ["src/web/app.tsx", 'import { run } from "../kernel/run.ts";'],
    ["src/cli/serve.ts", 'import { start } from "../../test/support/binary.ts";'],
    ["src/extras/thing.ts", ""],
  ])("refuses %s: %j", (path, text) => {
    expect(refused(path, text)).toBe(1);
  });

  test("a chain that leads back is a cycle; a diamond and types are none", () => {
    const a = read("src/kernel/a.ts", 'import { B } from "./b.ts";\nimport { C } from "./c.ts";');
    const b = read("src/kernel/b.ts", 'import { C } from "./c.ts";');
    expect(importCycles([a, b, read("src/kernel/c.ts", 'import type { A } from "./a.ts";')])).toEqual([]);
    expect(importCycles([a, b, read("src/kernel/c.ts", 'export { A } from "./a.ts";')])).not.toEqual([]);
  });
});

describe("a rule fails on what it forbids and lets the rest pass", () => {
  test("size gate", () => {
    expect(objections(rules.sizeGate, "src/kernel/a.ts", "x;\n".repeat(rules.maxLines))).toBe(0);
    expect(objections(rules.sizeGate, "src/kernel/a.ts", "x;\n".repeat(rules.maxLines + 1))).toBe(1);
  });

  test.each(["utils.ts", "helpers.ts", "common.ts", "types.ts", "manager.ts", "text-utils.ts", "types.test.ts"])(
    "file name %s",
    (name) => {
      expect(objections(rules.vagueFileName, `src/kernel/${name}`, "")).toBe(1);
      expect(objections(rules.vagueFileName, "src/kernel/media-types.ts", "")).toBe(0);
    },
  );

  test.each([
    "process.env.HOME",
    'process["env"]',
    "const { env } = process?.env",
    "Bun.env.HOME",
    "import.meta.env",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text that holds a template
    "`${process.env.HOME}`",
    'import { env } from "node:process";',
  ])("environment: %j", (text) => {
    expect(objections(rules.environmentAccess, "src/server/hub.ts", text)).toBe(1);
    expect(objections(rules.environmentAccess, "src/config/load.ts", text)).toBe(0);
  });
  test("environment in prose", () => {
    const text = '// process.env is read elsewhere\nconst help = "process.env";\nconst env = config.env;';
    expect(objections(rules.environmentAccess, "src/server/hub.ts", text)).toBe(0);
  });

  test.each(["console.log(1)", "console?.error(1)", 'console["warn"](1)'])("console: %j", (text) => {
    expect(objections(rules.consoleUse, "src/cli/serve.ts", text)).toBe(1);
    expect(objections(rules.consoleUse, "src/cli/serve.ts", `// ${text}\nconst text = "console.log";`)).toBe(0);
  });

  test.each([
    "const a = b as string;",
    "const a = (b as { c: string }).c;",
    "const a = f() as unknown;",
    "// too far away\n\nconst a = b as string;",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text that holds a template
    "const a = `${b as string}`;",
    "const a = b as\n  string;",
  ])("cast: %j", (text) => {
    expect(objections(rules.bareCast, "src/kernel/a.ts", text)).toBe(1);
  });
  test.each([
    "const a = [1] as const;",
    "const a = b as string; // Parsed JSON holds nothing else.",
    "// Parsed JSON holds nothing else.\nconst a = b as string;",
    "// Parsed JSON holds nothing else.\nconst a = f(\n  b,\n  { c },\n) as string;",
    "/* Parsed JSON\n   holds nothing else. */\nconst a = b as string;",
    'import { a as b } from "./c.ts";\nimport * as d from "./e.ts";\nexport { a as f };\nexport * as g from "./h.ts";',
    'const text = "read as string"; // x\n\nconst other = `as is`;\n// as written\n\nconst re = /\'as string/;',
    "const options = { as: 1 };\noptions.as = 2;",
  ])("no cast: %j", (text) => {
    expect(objections(rules.bareCast, "src/kernel/a.ts", text)).toBe(0);
  });
  test("prose between tags is no code", () => {
    const text =
      "const a = <p title='as is'>Don't save as draft! It's <b>{b as string}</b>!</p>;\nconst c = <T,>(x: T) => x!;";
    expect(objections(rules.bareCast, "src/web/a.tsx", text)).toBe(1);
    expect(objections(rules.nonNullAssertion, "src/web/a.tsx", text)).toBe(1);
  });

  test.each(["a!.b", "f()!", "list[0]!", "let a!: string;", "a! = b"])("assertion: %j", (text) => {
    expect(objections(rules.nonNullAssertion, "src/kernel/a.ts", text)).toBe(1);
  });
  test.each(["if (!a) b();", "a !== b; a != b;", "return !a;", "const a = !b && !c;", '"a!"', "/a!/.test(b)"])(
    "no assertion: %j",
    (text) => {
      expect(objections(rules.nonNullAssertion, "src/kernel/a.ts", text)).toBe(0);
    },
  );

  test.each(["// @ts-ignore\n", "/* @ts-expect-error */", "// @ts-nocheck"])("silenced compiler: %j", (text) => {
    expect(objections(rules.compilerSilencing, "src/kernel/a.ts", text)).toBe(1);
    expect(objections(rules.compilerSilencing, "src/kernel/a.ts", `const a = ${JSON.stringify(text)};`)).toBe(0);
  });

  test.each(["export default 1;", "const a = 1;\nexport { a as default };"])("default export: %j", (text) => {
    expect(objections(rules.defaultExport, "src/kernel/a.ts", text)).toBe(1);
    expect(objections(rules.defaultExport, "src/text-modules.d.ts", text)).toBe(0);
  });
  test("default elsewhere", () => {
    const text = 'import { default as a } from "./b.ts";\nswitch (a) { default: b(); }\nconst c = { default: 1 };';
    expect(objections(rules.defaultExport, "src/kernel/a.ts", text)).toBe(0);
  });

  test.each(["const question = 1;", "type OpenApproval = 1;", "f(brain_path)", "listArtifacts()", "a.knowledgeBase"])(
    "noun in the kernel: %j",
    (text) => {
      expect(objections(rules.kernelNoun, "src/kernel/a.ts", text)).toBe(1);
      expect(objections(rules.kernelNoun, "src/features/items/a.ts", text)).toBe(0);
    },
  );
  test("other words in the kernel", () => {
    const text = '// A question is a feature.\nconst acknowledged = session("question");';
    expect(objections(rules.kernelNoun, "src/kernel/a.ts", text)).toBe(0);
  });

  test.each([
    "test.only('a', f)",
    "describe.skip('a', f)",
    "test.todo('a')",
    "it.only.each([])",
    "test.skipIf(a)('b', f)",
  ])("switched-off test: %j", (text) => {
    expect(objections(rules.switchedOffTest, "test/a.test.ts", text)).toBe(1);
    expect(objections(rules.switchedOffTest, "test/a.test.ts", `const a = ${JSON.stringify(text)};`)).toBe(0);
  });
});

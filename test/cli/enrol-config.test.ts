// The config file after an enrolment (cli.md 7.2): two keys set, every other byte as it was, and what is written parses.
import { describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "smol-toml";
import { writeClientFile } from "../../src/config/client-file.ts";
import { withTableKeys } from "../../src/config/toml-edit.ts";

const client = { url: "https://hub.example", token: "t0ken" };
const set = 'url = "https://hub.example"\ntoken = "t0ken"\n';

describe("keys are set where they belong", () => {
  test.each([
    ["nothing", "", `[client]\n${set}`],
    ["another table", '[hub]\nbind = "x"\n', `[hub]\nbind = "x"\n\n[client]\n${set}`],
    ["no last line break", '[hub]\nbind = "x"', `[hub]\nbind = "x"\n\n[client]\n${set}`],
    ["an empty table", "[client]\n", `[client]\n${set}`],
    ["an empty table at the very end", "[client]", `[client]\n${set}`.trimEnd()],
    [
      "keys of its own",
      '[client]\nproject = "p" # mine\n\n[hub]\nbind = "x"\n',
      `[client]\nproject = "p" # mine\n${set}\n[hub]\nbind = "x"\n`,
    ],
    [
      "both keys there",
      '[client]\ntoken = "old"  # secret\nproject = "p"\nurl="old"\n',
      '[client]\ntoken = "t0ken"  # secret\nproject = "p"\nurl="https://hub.example"\n',
    ],
    [
      "one of them",
      "[client]\n  url = 'old'\n  timeout = 30\n[hub]\n",
      '[client]\n  url = "https://hub.example"\n  timeout = 30\n  token = "t0ken"\n[hub]\n',
    ],
    [
      "line breaks of another kind",
      '# a\r\n[client]\r\nproject = "p"\r\n',
      '# a\r\n[client]\r\nproject = "p"\r\nurl = "https://hub.example"\r\ntoken = "t0ken"\r\n',
    ],
    [
      "what only looks like it",
      '[hub]\nnode_name = """\n[client]\nurl = "no"\n"""\n# [client]\n[ "client" ] # here\n"url" = \'\'\'old\n[client]\'\'\'\n',
      '[hub]\nnode_name = """\n[client]\nurl = "no"\n"""\n# [client]\n[ "client" ] # here\n"url" = "https://hub.example"\ntoken = "t0ken"\n',
    ],
    [
      "dotted keys",
      'client.project = "p"\nclient.url = "old"\n[hub]\n',
      'client.project = "p"\nclient.url = "https://hub.example"\nclient.token = "t0ken"\n[hub]\n',
    ],
    [
      "a byte order mark",
      '\uFEFF[client]\nurl = "old"\n',
      '\uFEFF[client]\nurl = "https://hub.example"\ntoken = "t0ken"\n',
    ],
    [
      "a list over lines",
      '[other]\nlist = [ "]", # ]\n  "[client]",\n]\n[client]\n',
      `[other]\nlist = [ "]", # ]\n  "[client]",\n]\n[client]\n${set}`,
    ],
    ["long quotes", '[client]\nurl = """a""""" # c\n', '[client]\nurl = "https://hub.example" # c\ntoken = "t0ken"\n'],
  ])("%s", (_, before, after) => {
    expect(withTableKeys(before, "client", client)).toBe(after);
    expect(withTableKeys(after, "client", client)).toBe(after);
    expect(parse(after.replace("\uFEFF", ""))["client"]).toMatchObject(client);
  });

  test("any value is written so that it reads back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (value) => {
        const text = withTableKeys("", "client", { url: value });
        expect(Object(parse(text)["client"]).url).toBe(value);
      }),
      { numRuns: 500 },
    );
  });

  test("any file that parses keeps all it said", () => {
    const value = fc.constantFrom(
      '"a"',
      "'b#'",
      "1",
      "true",
      '["x", "]"]',
      '{ a = "}" }',
      '"""l\n[client]\n"""',
      "1979-05-27",
    );
    const key = fc.constantFrom("project", "timeout", "url", "token", '"odd key"', "a.b");
    const comment = fc.constantFrom("", " # [client]", "\t#=");
    const entry = fc.tuple(key, value, comment).map(([name, of, said]) => `${name} = ${of}${said}`);
    const table = fc.tuple(
      fc.constantFrom("[client]", "[hub]", "[[list]]", "[client.sub]", "[a.b]"),
      fc.array(entry, { maxLength: 4 }),
    );
    const file = fc
      .array(table, { maxLength: 4 })
      .map((tables) => tables.map(([head, lines]) => [head, ...lines].join("\n")).join("\n"));
    fc.assert(
      fc.property(file, (text) => {
        const before = tryParse(text);
        if (before === undefined) return;
        const after = tryParse(withTableKeys(text, "client", client));
        expect(after).toEqual({ ...before, client: { ...Object(before["client"]), ...client } });
      }),
      { numRuns: 2000 },
    );
  });
});

function tryParse(text: string): Record<string, unknown> | undefined {
  try {
    return structuredClone(parse(text));
  } catch {
    // Most of what chance writes has a key twice; those are no config files.
    return undefined;
  }
}

describe("a file that cannot be edited stays as it is", () => {
  test.each(['client = { url = "x" }\n', 'client = "x"\n', "[client\n", "\u0000"])("%p", async (text) => {
    const folder = await mkdtemp(join(tmpdir(), "agent-hub-test-"));
    try {
      const file = join(folder, "config.toml");
      await Bun.write(file, text);
      expect(() => writeClientFile(file, client)).toThrow();
      expect(await Bun.file(file).text()).toBe(text);
      expect(await readdir(folder)).toEqual(["config.toml"]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

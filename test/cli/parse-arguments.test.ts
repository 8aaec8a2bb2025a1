// Strict command lines (cli.md 2.1), at the parser.
import { describe, expect, test } from "bun:test";
import type { Command } from "../../src/cli/command.ts";
import { UsageError } from "../../src/cli/exit-codes.ts";
import { parseArguments } from "../../src/cli/parse-arguments.ts";

const command: Command = {
  name: "probe",
  usage: "usage: agent-hub probe\n",
  positionals: { min: 1, max: 2 },
  options: { name: { takes: "value" }, mode: { takes: "value", choices: ["a", "b"] }, quick: { takes: "flag" } },
  run: async () => 0,
};

describe("accepted", () => {
  test.each<[argv: string[], positionals: string[], values: Record<string, string>, flags: string[]]>([
    [["x"], ["x"], {}, []],
    [["x", "-"], ["x", "-"], {}, []],
    [["--name", "v", "x"], ["x"], { name: "v" }, []],
    [["x", "--name=v=w"], ["x"], { name: "v=w" }, []],
    [["x", "--name", "-"], ["x"], { name: "-" }, []],
    [["x", "--name", "-5"], ["x"], { name: "-5" }, []],
    [["x", "--name=--odd"], ["x"], { name: "--odd" }, []],
    [["x", "--name", "v", "--name=w"], ["x"], { name: "w" }, []],
    [["--quick", "x", "--quick"], ["x"], {}, ["quick"]],
    [["--mode", "b", "x"], ["x"], { mode: "b" }, []],
    [["--", "--name", "x"], ["--name", "x"], {}, []],
  ])("%j", (argv, positionals, values, flags) => {
    const input = parseArguments(command, argv);
    expect([...input.positionals]).toEqual(positionals);
    expect(Object.fromEntries(input.values)).toEqual(values);
    expect([...input.flags]).toEqual(flags);
  });
});

describe("refused", () => {
  test.each<[argv: string[], message: string]>([
    [[], "missing argument for 'probe'"],
    [["x", "y", "z"], "unexpected argument 'z' for 'probe'"],
    [["x", "--unknown"], "unknown option '--unknown' for 'probe'"],
    [["x", "--unknown=v"], "unknown option '--unknown' for 'probe'"],
    [["x", "--constructor"], "unknown option '--constructor' for 'probe'"],
    [["x", "-q"], "unknown option '-q' for 'probe'"],
    [["x", "-name", "v"], "unknown option '-name' for 'probe'"],
    [["x", "--Name", "v"], "unknown option '--Name' for 'probe'"],
    [["x", "--no-quick"], "unknown option '--no-quick' for 'probe'"],
    [["x", "--=v"], "unknown option '--' for 'probe'"],
    [["x", "--name"], "option '--name' needs a value"],
    [["x", "--name", "--quick"], "option '--name' needs a value"],
    [["x", "--name", "--"], "option '--name' needs a value"],
    [["x", "--name", ""], "option '--name' has an empty value"],
    [["x", "--name="], "option '--name' has an empty value"],
    [["x", "--name= "], "option '--name' has an empty value"],
    [["x", "--quick=yes"], "option '--quick' takes no value"],
    [["x", "--mode", "c"], "option '--mode' is 'c'; give a or b"],
  ])("%j", (argv, message) => {
    expect(() => parseArguments(command, argv)).toThrow(new UsageError(message));
  });
});

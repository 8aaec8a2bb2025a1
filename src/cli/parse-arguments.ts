// A strict command line (cli.md 2.1): closed option lists, nothing ignored. Written by hand because citty accepts
// unknown options and loading `node:util` for its parser costs a third of an empty program's start.
import type { Command, Input, OptionForm } from "./command.ts";
import { UsageError } from "./exit-codes.ts";

export function isHelpFlag(argument: string): boolean {
  return argument === "--help" || argument === "-h";
}

export function parseArguments(command: Command, argv: readonly string[]): Input {
  const positionals: string[] = [];
  const values = new Map<string, string>();
  const flags = new Set<string>();
  const queue = argv[Symbol.iterator]();
  for (const argument of queue) {
    if (argument === "--") {
      positionals.push(...queue);
      break;
    }
    // A lone dash is a value: standard input.
    if (!argument.startsWith("-") || argument === "-") {
      positionals.push(argument);
      continue;
    }
    const [name, inline] = splitOption(argument);
    const form = optionForm(command, name, argument);
    if (form.takes === "flag") {
      if (inline !== undefined) throw new UsageError(`option '--${name}' takes no value`);
      flags.add(name);
      continue;
    }
    values.set(name, checkedValue(name, form, inline ?? nextValue(queue)));
  }
  checkCount(command, positionals);
  return { positionals, values, flags };
}

function splitOption(argument: string): [name: string, inline: string | undefined] {
  const equals = argument.indexOf("=");
  if (equals === -1) return [argument.slice(2), undefined];
  return [argument.slice(2, equals), argument.slice(equals + 1)];
}

function optionForm(command: Command, name: string, argument: string): OptionForm {
  const form = argument.startsWith("--") && Object.hasOwn(command.options, name) ? command.options[name] : undefined;
  if (form !== undefined) return form;
  const [shown] = argument.split("=", 1);
  throw new UsageError(`unknown option '${shown}' for '${command.name}'`);
}

function nextValue(queue: Iterator<string>): string | undefined {
  const next = queue.next();
  // What looks like the next option is not a value; `--name=--text` passes one all the same.
  return next.done === true || next.value.startsWith("--") ? undefined : next.value;
}

function checkedValue(name: string, form: OptionForm, value: string | undefined): string {
  if (value === undefined) throw new UsageError(`option '--${name}' needs a value`);
  // An unset shell variable is not a value.
  if (value.trim() === "") throw new UsageError(`option '--${name}' has an empty value`);
  if (form.choices !== undefined && !form.choices.includes(value)) {
    throw new UsageError(`option '--${name}' is '${value}'; give ${form.choices.join(" or ")}`);
  }
  return value;
}

function checkCount(command: Command, positionals: readonly string[]): void {
  const { min, max } = command.positionals;
  const surplus = positionals[max];
  if (surplus !== undefined) throw new UsageError(`unexpected argument '${surplus}' for '${command.name}'`);
  if (positionals.length < min) throw new UsageError(`missing argument for '${command.name}'`);
}

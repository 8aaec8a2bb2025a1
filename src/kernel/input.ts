// Reads raw arguments against a schema and turns the first thing wrong into an error that names the value, what is
// accepted and the next step (mcp-tools.md 4.4, 4.5).
import type { z } from "zod";
import { HubError } from "../shared/errors.ts";
import { isObject } from "../shared/json.ts";
import { LargeText } from "./large-text.ts";

const shownChars = 60;
// A character takes two units at most; two more tell that something follows.
const shownUnits = 2 * shownChars + 2;

/**
 * @param raw arguments as they came: top-level `null` members count as absent, except those in `nullable`; a large text
 * is a plain one, except in those of `large`
 * @throws HubError `invalid_argument` or `payload_too_large`
 */
export function parseInput<I>(
  schema: z.ZodType<I>,
  raw: unknown,
  nullable: readonly string[] = [],
  large: readonly string[] = [],
): I {
  const given = raw ?? {};
  if (!isObject(given)) throw invalid("arguments", given, "a JSON object");
  const cleaned = Object.fromEntries(
    Object.entries(given)
      .filter(([key, value]) => value !== null || nullable.includes(key))
      .map(([key, value]) => [key, value instanceof LargeText && !large.includes(key) ? value.toPlain() : value]),
  );
  const result = schema.safeParse(cleaned);
  if (result.success) return result.data;
  throw toError(result.error.issues[0], cleaned);
}

function toError(issue: z.core.$ZodIssue | undefined, input: unknown): HubError {
  if (issue === undefined) return invalid("arguments", input, "valid arguments");
  if (issue.code === "unrecognized_keys") {
    const field = [...issue.path, issue.keys[0] ?? ""].join(".");
    return new HubError("invalid_argument", `${field} is not known here; leave it out`, { field, expected: "absent" });
  }
  const field = issue.path.join(".") || "arguments";
  if (issue.code === "custom" && isTooLarge(issue.params)) {
    return tooLarge(field, issue.params.actual, issue.params.limit, issue.params.unit);
  }
  return invalid(field, valueAt(input, issue.path), issue.message);
}

type TooLarge = { limit: number; actual: number; unit: string };

function isTooLarge(params: unknown): params is TooLarge {
  return isObject(params) && typeof params["limit"] === "number" && typeof params["actual"] === "number";
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (Array.isArray(value) && typeof key === "number") value = value[key];
    else if (isObject(value) && typeof key === "string") value = value[key];
    else return undefined;
  }
  return value;
}

/** An `invalid_argument` about one field. `expected` completes "expected ...". */
export function invalid(field: string, value: unknown, expected: string): HubError {
  const given = value === undefined ? "missing" : shown(value);
  return new HubError("invalid_argument", `${field} is ${given}; expected ${expected}`, { field, expected });
}

/** A `payload_too_large` about one field; `unit` is what both numbers count. */
export function tooLarge(field: string, actual: number, limit: number, unit: string): HubError {
  return new HubError("payload_too_large", `${field} is ${actual} ${unit} long; shorten it; limit=${limit}`, {
    limit,
    actual,
  });
}

// Callers send up to tens of megabytes: only as much as may be shown is ever taken apart.
function shown(value: unknown): string {
  const text = startOfJson(value, shownUnits);
  const characters = [...text.slice(0, shownUnits)];
  return characters.length <= shownChars ? text : `${characters.slice(0, shownChars).join("")}...`;
}

/** A value as JSON, of which no more is written once so many units are: every level and every member takes one. */
function startOfJson(value: unknown, units: number): string {
  if (value instanceof LargeText) return startOfJson(value.start(4 * units), units);
  if (typeof value === "string") return JSON.stringify(value.slice(0, units));
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? String(value);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  let text = "";
  for (const [key, member] of Object.entries(value)) {
    if (text.length >= units) break;
    const name = Array.isArray(value) ? "" : `${startOfJson(key, units)}:`;
    const left = Math.max(0, units - text.length - name.length - 1);
    text += `${text === "" ? "" : ","}${name}${startOfJson(member, left)}`;
  }
  return `${open}${text}${close}`;
}

// Writes hub and token into the user's config file: what enrolment leaves behind (cli.md 7.2).
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import { isObject } from "../shared/json.ts";
import { writePrivateFile } from "./private-file.ts";
import { withTableKeys } from "./toml-edit.ts";

/** @throws Error when the file cannot be read, edited or written; it is then as it was */
export function writeClientFile(path: string, client: { url: string; token: string }): void {
  const before = readIfThere(path);
  const after = withTableKeys(before, "client", client);
  if (!isDeepStrictEqual(parsed(after), expected(parsed(before), client))) {
    throw new Error("it is written in a form that cannot be edited");
  }
  writePrivateFile(path, after);
}

function readIfThere(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

function parsed(text: string): Record<string, unknown> {
  // A copy has plain objects, which compare by what they hold.
  return structuredClone(parse(text.replace(/^\uFEFF/, "")));
}

function expected(before: Record<string, unknown>, client: object): Record<string, unknown> {
  const own = isObject(before["client"]) ? before["client"] : {};
  return { ...before, client: { ...own, ...client } };
}

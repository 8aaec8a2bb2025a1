// The request that is open, kept beside the config file, so that an interrupted enrolment goes on (cli.md 7.1).
import { chmodSync, readFileSync, statSync } from "node:fs";
import { removeFile, writePrivateFile } from "../../config/private-file.ts";
import { isObject } from "../../shared/json.ts";

const format = 1;

export type Pending = { url: string; agentId: string; token: string; requestedAt: string };

/** `config.toml.enrol-pending.json`: one for each config file. */
export function pendingFileOf(configFile: string): string {
  return `${configFile}.enrol-pending.json`;
}

export function writePending(path: string, { url, agentId, token, requestedAt }: Pending): void {
  const content = { format, url, agent_id: agentId, token, requested_at: requestedAt };
  writePrivateFile(path, `${JSON.stringify(content)}\n`);
}

export const removePending: (path: string) => void = removeFile;

/**
 * Undefined when there is none. A file that others may read is closed to them first.
 * @throws Error that names the file when it cannot be used
 */
export function readPending(path: string, warn: (text: string) => void): Pending | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Error(`cannot read ${path}: ${codeOf(error) || "read failed"}; --force discards it`, { cause: error });
  }
  const pending = parsePending(text);
  if (pending === undefined) {
    throw new Error(`${path} is not a pending enrolment of this agent-hub; --force discards it`);
  }
  closeToOthers(path, warn);
  return pending;
}

function parsePending(text: string): Pending | undefined {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // Told with every other file that is none of ours.
    return undefined;
  }
  if (!isObject(content) || content["format"] !== format) return undefined;
  const { url, agent_id: agentId, token, requested_at: requestedAt } = content;
  const isWhole = [url, agentId, token, requestedAt].every((value) => typeof value === "string" && value !== "");
  return isWhole
    ? { url: String(url), agentId: String(agentId), token: String(token), requestedAt: String(requestedAt) }
    : undefined;
}

function closeToOthers(path: string, warn: (text: string) => void): void {
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o177) === 0) return;
  chmodSync(path, 0o600);
  warn(`${path} had mode 0${mode.toString(8)} and holds a token; it is 0600 now`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

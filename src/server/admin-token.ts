// The operator's token: configured, or made by the hub itself on a loopback bind (config.md 4, notes).
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import type { HubConfig } from "../config/settings.ts";
import type { DataDir } from "../storage/data-dir.ts";

const tokenBytes = 32;

export type AdminToken = {
  token: string;
  /** The hub made it, so it may print the start-up link; a configured token is never printed. */
  isSelfMade: boolean;
};

/** @throws Error when the stored token is unusable; a bind that is not loopback needs a configured one */
export function resolveAdminToken(dir: DataDir, config: HubConfig): AdminToken {
  if (config.adminToken !== null) return { token: config.adminToken, isSelfMade: false };
  if (!config.bind.isLoopback) throw new Error("a bind that is not loopback needs HUB_ADMIN_TOKEN");
  return { token: existsSync(dir.adminToken) ? readStored(dir.adminToken) : make(dir.adminToken), isSelfMade: true };
}

function readStored(path: string): string {
  const token = readFileSync(path, "utf8").trim();
  if (!/^[0-9a-f]{64}$/.test(token)) {
    throw new Error(`${path} holds no token of 64 hex digits; remove the file and start again to get a new one`);
  }
  return token;
}

function make(path: string): string {
  const token = randomBytes(tokenBytes).toString("hex");
  // Renamed into place, so that a crash leaves no file without a token, which would refuse every start after it.
  const unfinished = `${path}.new`;
  const file = openSync(unfinished, "w", 0o600);
  try {
    writeSync(file, `${token}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
  return token;
}

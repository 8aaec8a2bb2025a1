// What `agent-hub enrol` does, step by step as in cli.md 7. The token is on disk before anything else is done with it.
import type { Hub } from "../client/connection.ts";
import { askToJoin } from "../client/enrol/ask.ts";
import { type Approval, waitForDecision } from "../client/enrol/decision.ts";
import { type Pending, pendingFileOf, readPending, removePending, writePending } from "../client/enrol/pending-file.ts";
import { HubFailure } from "../client/hub-failure.ts";
import { clientConfig, requiredUrl } from "../config/client.ts";
import { writeClientFile } from "../config/client-file.ts";
import { ConfigError } from "../config/config-error.ts";
import { type Env, variable } from "../config/environment.ts";
import type { Settings } from "../config/load.ts";
import { makeFolderOf } from "../config/private-file.ts";
import type { ClientConfig } from "../config/settings.ts";
import type { Io, StopSignal } from "./command.ts";
import type { Asked } from "./enrol.ts";
import { exitCodes, UsageError } from "./exit-codes.ts";
import { readSettings } from "./settings.ts";

export async function enrol(asked: Asked, io: Io): Promise<number> {
  const settings = await readSettings(io);
  const config = clientConfig(settings);
  if (config.token !== null && !asked.isForced) {
    await io.stdout(`${configuredToken(settings)}\n`);
    return exitCodes.success;
  }
  const url = asked.url ?? requiredUrl(config, settings);
  const { configFile } = settings;
  if (configFile === undefined) {
    throw new ConfigError(
      "there is no config file to keep a token in; set HOME, or HUB_CONFIG to a file of this agent",
    );
  }
  const run: Run = { asked, io, config, url, configFile, pendingFile: pendingFileOf(configFile) };
  const stopping = new AbortController();
  const giveBack = io.onStop((signal) => stopping.abort(new Interrupted(signal)));
  try {
    const pending = openRequest(run) ?? (await request(run, stopping.signal));
    stopping.signal.throwIfAborted();
    return await finish(run, pending, await decision(run, pending, stopping.signal));
  } catch (error) {
    const { reason } = stopping.signal;
    if (!(reason instanceof Interrupted)) throw error;
    sayHowToGoOn(run);
    return await io.endBy(reason.signal);
  } finally {
    giveBack();
  }
}

type Run = { asked: Asked; io: Io; config: ClientConfig; url: string; configFile: string; pendingFile: string };

class Interrupted extends Error {
  readonly signal: StopSignal;
  constructor(signal: StopSignal) {
    super(`interrupted by ${signal}`);
    this.name = "Interrupted";
    this.signal = signal;
  }
}

function say(io: Io, text: string): void {
  io.stderr(`agent-hub enrol: ${text}\n`);
}

function configuredToken({ found, env }: Settings): string {
  const source = found.get("token")?.source;
  const where = source?.from === "file" ? withTilde(env, source.path) : "HUB_TOKEN";
  return `A token is configured in ${where}; --force replaces it, HUB_CONFIG=<path> keeps it and gives this agent a file of its own.`;
}

/** The request an earlier run left open, to go on with. */
function openRequest({ asked, io, url, pendingFile }: Run): Pending | undefined {
  if (asked.isForced) {
    removePending(pendingFile);
    return undefined;
  }
  const pending = readPending(pendingFile, (text) => io.stderr(`agent-hub: ${text}\n`));
  if (pending === undefined) return undefined;
  if (pending.url !== url) {
    throw new UsageError(
      `a request to ${pending.url} is open (${pendingFile}); go on with --url ${pending.url}, or --force`,
    );
  }
  const isOther = asked.isExplicit || (asked.id !== undefined && asked.id.trim() !== pending.agentId);
  if (isOther) say(io, `going on with the open request of agent '${pending.agentId}'; the options given are ignored`);
  return pending;
}

async function request({ asked, io, config, url, pendingFile }: Run, signal: AbortSignal): Promise<Pending> {
  // Found out before the hub hands out a token that could not be kept.
  makeFolderOf(pendingFile);
  const hub: Hub = { url, token: null, timeoutMs: config.timeoutMs };
  const wanted = { displayName: asked.name ?? defaultName(config, io.env), suggestedId: asked.id, why: asked.why };
  const { token, agentId } = await askToJoin(hub, wanted, signal);
  const pending: Pending = { url, agentId, token, requestedAt: new Date().toISOString() };
  writePending(pendingFile, pending);
  return pending;
}

function defaultName({ agentId }: ClientConfig, env: Env): string {
  return agentId ?? variable(env, "USER") ?? variable(env, "HOSTNAME") ?? "Agent";
}

async function decision(run: Run, pending: Pending, signal: AbortSignal): Promise<Approval> {
  say(run.io, `agent '${pending.agentId}' is waiting for the operator`);
  try {
    const hub: Hub = { url: run.url, token: pending.token, timeoutMs: run.config.timeoutMs };
    return await waitForDecision(hub, signal);
  } catch (error) {
    if (error instanceof HubFailure && error.reason === "unauthenticated") {
      removePending(run.pendingFile);
      say(run.io, `agent '${pending.agentId}' was refused by the operator, or its request expired`);
    }
    throw error;
  }
}

async function finish(run: Run, { token }: Pending, { agentId, shares }: Approval): Promise<number> {
  const { io, configFile, url } = run;
  const isSaved = shares && save(run, token);
  const kept = isSaved
    ? `Token and hub URL saved to ${withTilde(io.env, configFile)}.\nNext: agent-hub call whoami\n`
    : `Token: ${token}\nNext: set HUB_URL and HUB_TOKEN, then agent-hub call whoami\n`;
  // What is only printed stays at hand until it is.
  if (isSaved) removePending(run.pendingFile);
  await io.stdout(`Enrolment approved: agent '${agentId}'.\n${kept}`);
  removePending(run.pendingFile);
  if (isSaved && variable(io.env, "HUB_TOKEN") !== undefined) {
    say(io, "HUB_TOKEN is set and is used instead of the token in the file; unset it");
  }
  const otherUrl = variable(io.env, "HUB_URL");
  if (isSaved && otherUrl !== undefined && otherUrl.replace(/\/+$/, "") !== url) {
    say(io, "HUB_URL is set and is used instead of the address in the file; unset it");
  }
  return exitCodes.success;
}

// A token that cannot be kept is printed, so that it is not lost.
function save({ io, configFile, url }: Run, token: string): boolean {
  try {
    writeClientFile(configFile, { url, token });
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say(io, `${configFile} could not be written: ${why.split("\n", 1)[0]}`);
    return false;
  }
}

function sayHowToGoOn({ io, url, pendingFile }: Run): void {
  const isOpen = readPendingQuietly(pendingFile);
  say(io, isOpen ? `interrupted; the request stays open, go on with: agent-hub enrol --url ${url}` : "interrupted");
}

function readPendingQuietly(path: string): boolean {
  try {
    return readPending(path, () => undefined) !== undefined;
  } catch {
    // Whatever it is, the next run says so.
    return false;
  }
}

function withTilde(env: Env, path: string): string {
  const home = variable(env, "HOME");
  return home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

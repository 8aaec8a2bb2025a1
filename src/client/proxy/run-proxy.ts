// `agent-hub mcp` with a hub: JSON-RPC lines of stdin go to the hub's /mcp under one connection, what comes back goes
// to stdout, and nothing else does (cli.md 4.2).
import { mcpBodyBytes } from "../../shared/limits.ts";
import { wireError } from "../hub-failure.ts";
import { type Era, errorAnswer } from "./call.ts";
import type { Envelope } from "./envelope-scan.ts";
import { failureAnswer } from "./failure-answer.ts";
import { createForward } from "./forward.ts";
import { createHandshake } from "./handshake.ts";
import { type Line, readLines } from "./line-reader.ts";
import { createLineWriter, type LineWriter, type Output } from "./line-writer.ts";
import { readMessage } from "./message.ts";
import { openUpstream } from "./opening.ts";
import { createTraffic, type Traffic } from "./traffic.ts";
import { createUpstream, type Send, type Upstream } from "./upstream.ts";
import { settledWithin, until } from "./waiting.ts";

export type ProxyBounds = Readonly<{
  /** The opening ping: a hub that takes longer to say a word is not there. */
  openingMs: number;
  /** A replayed `initialize`, for the same reason. */
  replayMs: number;
  /** Answers in flight once stdin ended: official clients give a process 2 s before they signal it. */
  drainMs: number;
  /** Ending the connection upstream: the same clients kill 2 s after the signal. */
  endMs: number;
}>;

const defaultBounds: ProxyBounds = { openingMs: 10_000, replayMs: 10_000, drainMs: 2000, endMs: 1000 };

export type ProxyOptions = Readonly<{
  /** Hub URL without trailing slashes. */
  url: string;
  token: string | null;
  tools: "core" | "full";
  input: AsyncIterable<Uint8Array>;
  output: Output;
  stderr(text: string): void;
  /** Aborted by SIGTERM or SIGINT. */
  stop: AbortSignal;
  /** How a request gets to the hub; over the network when left out. */
  send?: Send;
  bounds?: ProxyBounds;
}>;

/**
 * Serves until stdin ends or `stop` aborts, and returns the exit code of that. Throws `HubFailure` when the opening
 * fails, with stdin and stdout untouched, and what `output` throws when nobody reads it any more.
 */
export async function runProxy(options: ProxyOptions): Promise<number> {
  const bounds = options.bounds ?? defaultBounds;
  const upstream = createUpstream({ ...options, connectionId: crypto.randomUUID() });
  try {
    await openUpstream(upstream, AbortSignal.any([options.stop, AbortSignal.timeout(bounds.openingMs)]));
  } catch (error) {
    if (!options.stop.aborted) throw error;
  }
  try {
    if (!options.stop.aborted) await serve(upstream, options, bounds);
  } finally {
    await endQuietly(upstream, bounds.endMs);
  }
  return 0;
}

async function serve(upstream: Upstream, options: ProxyOptions, bounds: ProxyBounds): Promise<void> {
  const writer = createLineWriter(options.output);
  const handshake = createHandshake({
    upstream,
    timeoutMs: bounds.replayMs,
    onReplayed({ serverVersionChanged }) {
      options.stderr(`agent-hub mcp: reconnected to ${options.url}\n`);
      // Not awaited: order is kept by the writer, and a failed write ends the proxy there.
      if (serverVersionChanged) void writer.write(toolsChanged);
    },
  });
  const forward = createForward({
    handshake,
    writer,
    onFault: (error) => options.stderr(`agent-hub mcp: ${error instanceof Error ? error.stack : String(error)}\n`),
  });
  const traffic = createTraffic(forward);

  const ended = AbortSignal.any([options.stop, writer.closed]);
  for await (const line of until(readLines(options.input, mcpBodyBytes), ended)) {
    take(line, { traffic, writer, eraOfOverlong: handshake.hasBegun() ? "legacy" : "modern" });
  }
  if (!writer.closed.aborted) await settledWithin(traffic.settled(), bounds.drainMs, writer.closed);
  traffic.abort();
  writer.closed.throwIfAborted();
}

const toolsChanged = JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });

function take(line: Line, to: { traffic: Traffic; writer: LineWriter; eraOfOverlong: Era }): void {
  if (line.kind === "overlong") {
    const answer = overlongAnswer(line.bytes, line.envelope, to.eraOfOverlong);
    if (answer !== undefined) to.traffic.track(to.writer.write(answer));
    return;
  }
  if (line.bytes.every(isBlank)) return;
  const read = readMessage(line.bytes);
  if (read.kind === "message") to.traffic.start(read.message);
  else to.traffic.track(to.writer.write(read.answer));
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

function overlongAnswer(bytes: number, { id, method }: Envelope, era: Era): string | undefined {
  const error = wireError(
    "payload_too_large",
    `the message is ${bytes} bytes, more than the ${mcpBodyBytes} a call may have; send less in one call`,
    { limit: mcpBodyBytes, actual: bytes },
  );
  if (id !== undefined) return failureAnswer({ id, method: method ?? "", era }, error);
  // A notification is never answered; what has neither member may have been a call.
  if (method !== undefined) return undefined;
  return errorAnswer(null, { code: -32600, message: error.message, data: { error } });
}

async function endQuietly(upstream: Upstream, timeoutMs: number): Promise<void> {
  try {
    await upstream.end(AbortSignal.timeout(timeoutMs));
  } catch {
    // Best effort: the hub forgets an idle connection by itself.
  }
}

// A harness for the stdio proxy: `runProxy` in place, its stdin and stdout as lines, and a hub that says what the
// test tells it to. Nothing here waits for a time, only for a condition, with a bound.
import { type ProxyBounds, runProxy } from "../../src/client/proxy/run-proxy.ts";
import { uuidPattern } from "../../src/shared/ids.ts";
import { isObject } from "../../src/shared/json.ts";

export const token = "agent-token";
export const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

const waitMsMax = 20_000;

/** The first value of `read` that is not undefined or false. */
export async function eventually<T>(what: string, read: () => T | undefined | false): Promise<T> {
  const deadline = performance.now() + waitMsMax;
  while (performance.now() < deadline) {
    const value = read();
    if (value !== undefined && value !== false) return value;
    await Bun.sleep(2);
  }
  throw new Error(`waited ${waitMsMax} ms in vain for ${what}`);
}

/** A promise opened from outside: what a scripted hub holds an answer back with. */
export function gate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

export type Rpc = { [member: string]: unknown };

export type Seen = {
  method: string;
  path: string;
  headers: Headers;
  body: string;
  /** The parsed body; empty when it is none. */
  message: Rpc;
  /** Set once the proxy dropped the request. */
  signal: AbortSignal;
};

export type Script = (seen: Seen) => Response | Promise<Response>;
export type ScriptedHub = AsyncDisposable & {
  url: string;
  seen: Seen[];
  /** Requests of one JSON-RPC method. */
  calls(method: string): Seen[];
  script: Script;
  /** Answers the opening ping of the proxy. */
  onPing: Script;
  /** Answers the end of the connection. */
  onDelete: Script;
  /** Drops every connection and listener, as a killed hub does. */
  kill(): Promise<void>;
  /** Listens again on the same port. */
  start(): void;
};

/** A hub of one test. `script` is not asked for the opening ping and the end of a connection. */
export function openScriptedHub(script: Script = answerEmpty): ScriptedHub {
  const seen: Seen[] = [];
  let server = listen(0);
  const port = server.port;

  function listen(onPort: number | undefined): Bun.Server<undefined> {
    return Bun.serve({
      hostname: "127.0.0.1",
      port: onPort ?? 0,
      idleTimeout: 0,
      async fetch(request) {
        const url = new URL(request.url);
        const body = await request.text();
        const item: Seen = {
          method: request.method,
          path: url.pathname + url.search,
          headers: request.headers,
          body,
          message: parse(body),
          signal: request.signal,
        };
        seen.push(item);
        if (request.method === "DELETE") return hub.onDelete(item);
        return isOpening(item) ? hub.onPing(item) : hub.script(item);
      },
    });
  }

  const hub: ScriptedHub = {
    url: `http://127.0.0.1:${port}`,
    seen,
    calls: (method) => seen.filter((item) => item.message["method"] === method),
    script,
    onPing: answerEmpty,
    onDelete: () => new Response(null, { status: 200 }),
    kill: () => server.stop(true),
    start() {
      server = listen(port);
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return hub;
}

// The proxy's own ping has a uuid for an id; what the tests send has none.
function isOpening({ message }: Seen): boolean {
  return message["method"] === "ping" && uuidPattern.test(String(message["id"]));
}

function parse(text: string): Rpc {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export function answer(seen: Seen, result: object, init?: ResponseInit): Response {
  return Response.json({ jsonrpc: "2.0", id: seen.message["id"], result }, init);
}

export function answerEmpty(seen: Seen): Response {
  if (seen.message["id"] === undefined) return new Response(null, { status: 202 });
  return answer(seen, {});
}

/** An `initialize` answer, as the hub gives it. */
export function initialized(seen: Seen, session: string, version = "1.0.0"): Response {
  const result = {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "agent-hub", version },
  };
  return answer(seen, result, { headers: { "mcp-session-id": session } });
}

export function problem(status: number, code: string, detail: string, details: object = {}): Response {
  const body = { type: "about:blank", title: "x", status, detail, code, retryable: code === "unavailable", details };
  return Response.json(body, { status, headers: { "content-type": "application/problem+json" } });
}

export type TestProxy = AsyncDisposable & {
  /** A line for stdin: text as it is, or a message as JSON. */
  send(line: string | object): void;
  bytes(chunk: Uint8Array): void;
  endInput(): void;
  stop(): void;
  /** Every line of stdout so far. */
  stdout: string[];
  stderr(): string;
  /** The answer to a call. */
  answer(id: string | number): Promise<Rpc>;
  /** The first line that `is` true of. */
  line(what: string, is: (message: Rpc) => boolean): Promise<Rpc>;
  exit: Promise<number>;
  /** Set once it returned. */
  exited(): boolean;
  /** From now on, writes to stdout fail. */
  closeOutput(): void;
  /** True once stdin was read from. */
  isReading(): boolean;
};

export type ProxySetup = {
  url: string;
  token?: string | null;
  tools?: "core" | "full";
  bounds?: Partial<ProxyBounds>;
  /** Nothing is read from stdout before. */
  slowOutput?: Promise<void>;
};

/** Bounds no test runs into unless it shortens one; calls left open at its end are dropped at once. */
const patient: ProxyBounds = { openingMs: 15_000, replayMs: 15_000, drainMs: 0, endMs: 15_000 };

export function startProxy(setup: ProxySetup): TestProxy {
  const stdin = createInput();
  const stdout: string[] = [];
  const messages: Rpc[] = [];
  let stderr = "";
  let isOutputClosed = false;
  let hasExited = false;
  const stop = new AbortController();
  const run = runProxy({
    url: setup.url,
    token: setup.token === undefined ? token : setup.token,
    tools: setup.tools ?? "full",
    input: stdin.chunks(),
    output: {
      async write(text) {
        await setup.slowOutput;
        if (isOutputClosed) throw new Error("EPIPE");
        stdout.push(text);
        messages.push(parse(text));
      },
    },
    stderr: (text) => {
      stderr += text;
    },
    stop: stop.signal,
    bounds: { ...patient, ...setup.bounds },
  });
  const exit = run.finally(() => {
    hasExited = true;
  });

  return {
    send: (line) => stdin.push(new TextEncoder().encode(`${typeof line === "string" ? line : JSON.stringify(line)}\n`)),
    bytes: stdin.push,
    endInput: stdin.end,
    stop: () => stop.abort(),
    stdout,
    stderr: () => stderr,
    answer: (id) =>
      eventually(`the answer to ${id}`, () => messages.find((one) => one["id"] === id && !("method" in one))),
    line: (what, is) => eventually(what, () => messages.find(is)),
    exit,
    exited: () => hasExited,
    isReading: stdin.isRead,
    closeOutput() {
      isOutputClosed = true;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await exit;
    },
  };
}

type TestInput = {
  push(chunk: Uint8Array): void;
  end(): void;
  chunks(): AsyncGenerator<Uint8Array>;
  isRead(): boolean;
};

function createInput(): TestInput {
  const queue: Uint8Array[] = [];
  let hasEnded = false;
  let isRead = false;
  let wake = gate();
  const changed = (): void => {
    wake.open();
    wake = gate();
  };
  return {
    push(chunk) {
      queue.push(chunk);
      changed();
    },
    end() {
      hasEnded = true;
      changed();
    },
    isRead: () => isRead,
    async *chunks() {
      isRead = true;
      for (;;) {
        const next = queue.shift();
        if (next !== undefined) yield next;
        else if (hasEnded) return;
        else await wake.opened;
      }
    },
  };
}

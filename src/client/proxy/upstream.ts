// The hub's `/mcp` as the proxy uses it: one POST a message, never sent twice, its answer read as it arrives.
import { isObject } from "../../shared/json.ts";
import { authorization, endpointOf, statusFailure } from "../connection.ts";
import { type HubFailure, refused, unreachable, wireError } from "../hub-failure.ts";
import { readEventData } from "./event-stream.ts";

/** One JSON-RPC message, or batch, of the hub: its text on one line, and what it says. */
export type Incoming = { json: string; value: unknown };

export type Reply =
  | {
      kind: "messages";
      sessionId: string | undefined;
      messages: AsyncIterable<Incoming> | Iterable<Incoming>;
      /** What to tell a call that none of the messages answers. */
      missing: HubFailure;
    }
  | { kind: "refused"; status: number; failure: HubFailure };

export type Upstream = {
  /** Throws `HubFailure` when the hub does not answer; so does reading the messages. */
  post(body: Uint8Array, headers: Record<string, string>, signal: AbortSignal): Promise<Reply>;
  /** Ends the connection on the hub. Rejects when the hub does not take it. */
  end(signal: AbortSignal): Promise<void>;
};

export type UpstreamOptions = Readonly<{
  url: string;
  token: string | null;
  tools: "core" | "full";
  connectionId: string;
  /** How a request gets to the hub; over the network when left out. */
  send?: Send | undefined;
}>;

export type Send = (address: string, init: BunFetchRequestInit) => Promise<Response>;

export function createUpstream(options: UpstreamOptions): Upstream {
  const endpoint = endpointOf(options.url, "/mcp");
  const address = options.tools === "core" ? `${endpoint}?tools=core` : endpoint;
  const send: Send = options.send ?? fetch;
  const identity = { "Hub-Connection": options.connectionId, ...authorization(options.token) };
  const transport = {
    // A redirect would carry the token and the call to where nobody configured it.
    redirect: "manual",
    // A TCP connection of its own for each request: one kept open may have died unseen, and the call with it.
    keepalive: false,
    // Bun's idle limit: a wait is silent for up to 55 s, and the harness has a limit of its own.
    timeout: false,
  } as const;

  return {
    async post(body, headers, signal) {
      const form = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
      const init = { ...transport, method: "POST", headers: { ...identity, ...form, ...headers }, body, signal };
      try {
        return await readReply(endpoint, await send(address, init));
      } catch (error) {
        throw unreachable(endpoint, error);
      }
    },
    async end(signal) {
      const response = await send(address, { ...transport, method: "DELETE", headers: identity, signal });
      await response.body?.cancel();
    },
  };
}

async function readReply(endpoint: string, response: Response): Promise<Reply> {
  const { ok, status, body } = response;
  const sessionId = response.headers.get("mcp-session-id") ?? undefined;
  if (ok && body !== null && mediaType(response) === "text/event-stream") {
    const missing = unreachable(endpoint, new Error("connection lost"));
    return { kind: "messages", sessionId, messages: readStream(endpoint, body), missing };
  }
  const text = await response.text();
  const value = parseJson(text);
  const failure = ok ? notMcp(endpoint, status) : statusFailure(endpoint, status, value);
  const incoming = readIncoming(text, value);
  if (incoming !== undefined) return { kind: "messages", sessionId, messages: [incoming], missing: failure };
  // What only takes a notification has no body.
  if (ok && text.trim() === "") return { kind: "messages", sessionId, messages: [], missing: failure };
  return { kind: "refused", status, failure };
}

async function* readStream(endpoint: string, body: ReadableStream<Uint8Array>): AsyncGenerator<Incoming, void> {
  try {
    for await (const data of readEventData(body)) {
      const incoming = readIncoming(data, parseJson(data));
      if (incoming !== undefined) yield incoming;
    }
  } catch (error) {
    throw unreachable(endpoint, error);
  }
}

function readIncoming(text: string, value: unknown): Incoming | undefined {
  const messages = Array.isArray(value) ? value : [value];
  if (!messages.every((message) => isObject(message) && message["jsonrpc"] === "2.0")) return undefined;
  // A line end can only stand between tokens of JSON, where a blank is the same.
  return { json: text.trim().replace(/[\r\n]+/g, " "), value };
}

function notMcp(endpoint: string, status: number): HubFailure {
  const message = `${endpoint} answered ${status} without an MCP answer; check that HUB_URL names an Agent Hub`;
  return refused(wireError("internal", message));
}

function mediaType(response: Response): string | undefined {
  return response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON, so no message and no problem document
  }
}

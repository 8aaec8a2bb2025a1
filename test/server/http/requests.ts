// Requests to a real listener, byte by byte where a client library would tidy them up, and every kind of caller.
import { expect } from "bun:test";
import { connect } from "node:net";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import { sql } from "../../features/as-caller.ts";
import { openTestHub, type TestHub, type TestHubOptions } from "../../support/hub.ts";

const rawTimeoutMs = 10_000;

export const callers = ["operator", "agent", "none", "basic", "empty", "garbage", "revoked", "pending"] as const;
export type As = (typeof callers)[number];
/** Who never gets past a token check, and what each sends. */
export const strangers = ["none", "basic", "empty", "garbage", "revoked", "pending"] as const;

export type Sent = {
  as?: As;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
};
export type Answer = { status: number; headers: Headers; text: string; json: JsonObject };

export type HttpHub = AsyncDisposable & {
  hub: TestHub;
  url: string;
  authorization: Record<As, string | null>;
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** Sends the bytes as they are and reads until the hub closes the connection. */
  raw(text: string): Promise<Answer>;
};

/** A hub that listens, with the agent `alice`, one whose token was revoked and one that is still pending. */
export async function openHttpHub(options: TestHubOptions = {}): Promise<HttpHub> {
  const hub = await openTestHub(options);
  const alice = await hub.agent("alice");
  const mallory = await hub.agent("mallory");
  const newcomer = await hub.agent("newcomer");
  await hub.rest("revokeToken", { params: { id: "mallory" } });
  await sql(hub, "UPDATE agents SET state = 'pending' WHERE id = 'newcomer'");
  const url = await hub.listen();
  const authorization: Record<As, string | null> = {
    operator: `Bearer ${hub.operator.token}`,
    agent: `Bearer ${alice.token}`,
    none: null,
    basic: "Basic YWxpY2U6c2VjcmV0",
    empty: "Bearer ",
    garbage: `Bearer ${"0".repeat(64)}`,
    revoked: `Bearer ${mallory.token}`,
    pending: `Bearer ${newcomer.token}`,
  };
  return {
    hub,
    url,
    authorization,
    async send(method, path, { as = "operator", headers = {}, body, text } = {}) {
      const token = authorization[as];
      const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: "manual",
        headers: {
          ...(token === null ? {} : { authorization: token }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(payload === undefined ? {} : { body: payload }),
      });
      return toAnswer(response.status, response.headers, await response.text());
    },
    raw: (text) => exchange(url, text),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

function toAnswer(status: number, headers: Headers, text: string): Answer {
  const isJson = /json/.test(headers.get("content-type") ?? "") && text !== "";
  const parsed: unknown = isJson ? JSON.parse(text) : {};
  return { status, headers, text, json: isObject(parsed) ? (parsed as JsonObject) : {} }; // parsed from JSON
}

function exchange(url: string, text: string): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ""), () => socket.write(text));
    socket.setTimeout(rawTimeoutMs, () => socket.destroy(new Error("the hub neither answered nor closed in time")));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(parse(Buffer.concat(chunks).toString("utf8"))));
  });
}

function parse(text: string): Answer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());
  return toAnswer(Number(statusLine.split(" ")[1]), headers, rest.join("\r\n\r\n"));
}

/** A whole problem document, for `toEqual`; its detail is a sentence that names no file, stack or statement. */
export function problem(title: string, status: number, code: string, details: JsonObject = {}) {
  return {
    type: "about:blank",
    title,
    status,
    detail: expect.stringMatching(/^(?!.*(?:\.ts\b|SELECT |INSERT |node_modules)).+$/s),
    code,
    retryable: code === "unavailable",
    details,
  };
}

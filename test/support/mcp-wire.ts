// Tool calls over the wire in the form of either protocol line, with what came on the way: progress, comments, time.
import { isObject, type JsonObject } from "../../src/shared/json.ts";

export const wireLines = ["2025", "2026"] as const;
export type WireLine = (typeof wireLines)[number];

export type WireOptions = {
  progressToken?: string;
  signal?: AbortSignal;
  /** Before `/mcp`. */
  prefix?: string;
  /** Names the connection with `Hub-Connection`. */
  connection?: string;
};

export type WireAnswer = {
  status: number;
  /** Structured content of the result. */
  content: JsonObject;
  /** The one text block, parsed. */
  text: unknown;
  isError: boolean;
  isStream: boolean;
  progress: number;
  comments: number;
  seconds: number;
  /** The longest time in which nothing came, from the request on. */
  silentSeconds: number;
};

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Headers and body of one `tools/call`. */
export function wireCall(
  line: WireLine,
  token: string,
  name: string,
  args: object,
  progressToken?: string,
): { headers: Record<string, string>; body: string } {
  const meta = {
    ...(line === "2026" ? envelope : {}),
    ...(progressToken === undefined ? {} : { progressToken }),
  };
  const params = { name, arguments: args, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) };
  const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
  return {
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(line === "2026" ? modern : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  };
}

/** One call; whatever its answer is, it is returned. */
export async function callOnWire(
  url: string,
  token: string,
  line: WireLine,
  name: string,
  args: object = {},
  { progressToken, signal, prefix = "", connection }: WireOptions = {},
): Promise<WireAnswer> {
  const { headers, body } = wireCall(line, token, name, args, progressToken);
  const startedAt = performance.now();
  const response = await fetch(`${url}${prefix}/mcp`, {
    method: "POST",
    headers: connection === undefined ? headers : { ...headers, "hub-connection": connection },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
  const { text, silentSeconds } = await readTimed(response, startedAt);
  const seconds = (performance.now() - startedAt) / 1000;
  const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
  const lines = text.split("\n");
  const messages: unknown[] = isStream
    ? lines.filter((each) => each.startsWith("data: ")).map((each) => JSON.parse(each.slice("data: ".length)))
    : [parsed(text)];
  const answer = messages.at(-1);
  const result = isObject(answer) && isObject(answer["result"]) ? answer["result"] : {};
  const [block] = Array.isArray(result["content"]) ? result["content"] : [];
  return {
    status: response.status,
    content: isObject(result["structuredContent"]) ? (result["structuredContent"] as JsonObject) : {}, // came as JSON
    text: isObject(block) ? parsed(String(block["text"])) : undefined,
    isError: result["isError"] === true,
    isStream,
    progress: messages.filter((each) => isObject(each) && each["method"] === "notifications/progress").length,
    comments: isStream ? lines.filter((each) => each.startsWith(":")).length : 0,
    seconds,
    silentSeconds,
  };
}

async function readTimed(response: Response, startedAt: number): Promise<{ text: string; silentSeconds: number }> {
  const decoder = new TextDecoder();
  let text = "";
  let last = startedAt;
  let longest = 0;
  function note(): void {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  note();
  for await (const chunk of response.body ?? []) {
    note();
    text += decoder.decode(chunk, { stream: true });
  }
  note();
  return { text: text + decoder.decode(), silentSeconds: longest / 1000 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a page of something in between
  }
}

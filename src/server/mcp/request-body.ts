// What the body of a request says before either line has read it.
import { parseJson } from "../../kernel/large-json.ts";
import { HubError } from "../../shared/errors.ts";
import { isObject } from "../../shared/json.ts";

/** Undefined for what is no JSON. A large argument of a tool comes as a large text. @throws HubError `payload_too_large` */
export async function parseBody(bytes: Uint8Array): Promise<unknown> {
  try {
    const body = await parseJson(bytes, argumentsIn);
    return Array.isArray(body) ? body.map(withoutNullArguments) : withoutNullArguments(body);
  } catch (error) {
    if (error instanceof HubError) throw error;
    // The caller answers with the protocol's own parse error.
    return undefined;
  }
}

// Tools alone know what to do with a large text.
function argumentsIn(body: unknown): unknown {
  if (!isObject(body) || body["method"] !== "tools/call" || !isObject(body["params"])) return undefined;
  return body["params"]["arguments"];
}

// `null` is absent (mcp-tools.md 2), and clients of untyped languages send it for "no arguments".
function withoutNullArguments(message: unknown): unknown {
  if (!isObject(message) || message["method"] !== "tools/call") return message;
  if (!isObject(message["params"]) || message["params"]["arguments"] !== null) return message;
  const { arguments: _absent, ...params } = message["params"];
  return { ...message, params };
}

/** A request with the revision's envelope is never of the 2025 line; this spares the SDK's classification of it. */
export function claimsModern(body: unknown): boolean {
  if (!isObject(body) || !isObject(body["params"])) return false;
  const meta = body["params"]["_meta"];
  return isObject(meta) && typeof meta["io.modelcontextprotocol/protocolVersion"] === "string";
}

export function isInitialize(body: unknown): boolean {
  return isObject(body) && body["method"] === "initialize";
}

/** The name a client gives itself in `initialize`. */
export function clientNameIn(body: unknown): string | null {
  const params = isObject(body) && isObject(body["params"]) ? body["params"] : {};
  const info = isObject(params["clientInfo"]) ? params["clientInfo"] : {};
  return typeof info["name"] === "string" ? info["name"].slice(0, 200) : null;
}

/** The revision an answer to `initialize` settles on; undefined when it is a refusal. */
export function negotiatedIn(answer: unknown): string | undefined {
  const result = isObject(answer) && isObject(answer["result"]) ? answer["result"] : {};
  return typeof result["protocolVersion"] === "string" ? result["protocolVersion"] : undefined;
}

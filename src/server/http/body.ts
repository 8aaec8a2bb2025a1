// Reads request bodies up to a cap (rest-api.md 0.5): a declared length over it is refused before reading, an
// undeclared one stops at the cap, so no caller makes the hub hold more.
import { HubError } from "../../shared/errors.ts";

/**
 * The body as text; undefined when its bytes are not UTF-8, which no JSON is.
 * @throws HubError `payload_too_large` `{limit, actual?}`
 */
export async function readBody(request: Request, limit: number): Promise<string | undefined> {
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared > limit) throw tooLong(limit, declared);
  // The runtime refuses a body that differs from its declared length.
  if (!Number.isNaN(declared)) return decode(await request.bytes());
  return request.body === null ? "" : decode(await readStream(request.body, limit));
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > limit) throw tooLong(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Replacing what cannot be read would store another text than the caller's.
    return undefined;
  }
}

function tooLong(limit: number, actual?: number): HubError {
  return new HubError(
    "payload_too_large",
    `the request body is ${actual === undefined ? `over ${limit}` : actual} bytes; at most ${limit} are taken`,
    actual === undefined ? { limit } : { limit, actual },
  );
}

/** True for `application/json` with or without parameters. */
export function isJson(request: Request): boolean {
  return /^\s*application\/json\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "");
}

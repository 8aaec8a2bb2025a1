// Reads request bodies up to a cap (rest-api.md 0.5): a declared length over it is refused before reading, an
// undeclared one stops at the cap, so no caller makes the hub hold more.
import { HubError } from "../../shared/errors.ts";

/** @throws HubError `payload_too_large` `{limit, actual?}` */
export async function readBody(request: Request, limit: number): Promise<string> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    const length = Number(declared);
    if (length > limit) throw tooLong(limit, length);
    return request.text();
  }
  return request.body === null ? "" : readStream(request.body, limit);
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > limit) throw tooLong(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
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

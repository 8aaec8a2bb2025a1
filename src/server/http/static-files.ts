// Serves the packed app (rest-api.md 22): encodings made at build, validators, and the policies of documents.
import { createHash } from "node:crypto";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Encoding, PackedFile } from "../../shared/web-pack.ts";
import { webFiles } from "./web-files.ts";

/** Of everything that a browser shows as a document (rest-api.md 0.9). */
export const documentHeaders = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
};

/** Of the app and of the pages around artifacts: nothing from elsewhere, no markup made from strings. */
export const appPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types hub",
].join("; ");

type Served = {
  type: string;
  isImmutable: boolean;
  tag: string;
  body(encoding: Encoding): Uint8Array<ArrayBuffer> | undefined;
};

/** Answers by path, each for GET and HEAD. */
export function staticFiles(nodeName: string | null): Record<string, (request: Request) => Response> {
  const files = webFiles();
  const answers: Record<string, (request: Request) => Response> = {};
  for (const file of files.files) {
    if (file.cache === "internal") continue;
    const served = file.path === "manifest.webmanifest" ? manifestOf(file, nodeName) : packed(file);
    if (file.path === "index.html") {
      const headers = { ...documentHeaders, "content-security-policy": appPolicy };
      answers["/"] = (request) => answer(request, served, headers);
    } else {
      answers[`/${file.path}`] = (request) => answer(request, served, {});
    }
  }
  return answers;
}

function packed(file: PackedFile): Served {
  return {
    type: file.type,
    isImmutable: file.cache === "immutable",
    tag: tagOf(file.sha256),
    body: (encoding) => webFiles().bytesOf(file, encoding),
  };
}

// One hub among several is told apart by its name where apps are listed.
function manifestOf(file: PackedFile, nodeName: string | null): Served {
  const plain = webFiles().bytesOf(file, "identity");
  if (nodeName === null || plain === undefined) return packed(file);
  const given: object = JSON.parse(new TextDecoder().decode(plain));
  const named = { ...given, name: `Agent Hub (${nodeName})`, short_name: nodeName };
  const bytes = new TextEncoder().encode(JSON.stringify(named));
  const bodies = { identity: bytes, br: brotliCompressSync(bytes), gzip: gzipSync(bytes) };
  return {
    type: file.type,
    isImmutable: false,
    tag: tagOf(createHash("sha256").update(bytes).digest("hex")),
    body: (encoding) => bodies[encoding],
  };
}

// Weak, since one tag stands for the same content in every encoding.
function tagOf(sha256: string): string {
  return `W/"${sha256.slice(0, 32)}"`;
}

function answer(request: Request, served: Served, own: Record<string, string>): Response {
  const encoding = encodingFor(request.headers.get("accept-encoding") ?? "", served);
  const headers = {
    ...own,
    "content-type": served.type,
    "cache-control": served.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    etag: served.tag,
    vary: "Accept-Encoding",
  };
  if (isKnown(request.headers.get("if-none-match"), served.tag)) return new Response(null, { status: 304, headers });
  return new Response(served.body(encoding), {
    headers: encoding === "identity" ? headers : { ...headers, "content-encoding": encoding },
  });
}

function isKnown(sent: string | null, tag: string): boolean {
  if (sent === null) return false;
  const opaque = (text: string): string => text.trim().replace(/^W\//, "");
  return sent.trim() === "*" || sent.split(",").some((given) => opaque(given) === opaque(tag));
}

function encodingFor(sent: string, served: Served): Encoding {
  const weights = new Map(
    sent.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";");
      const weight = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean);
      return [name.trim().toLowerCase(), Number(weight ?? 1)] as const;
    }),
  );
  const accepts = (name: string): boolean => (weights.get(name) ?? weights.get("*") ?? 0) > 0;
  return (["br", "gzip"] as const).find((encoding) => accepts(encoding) && served.body(encoding)) ?? "identity";
}

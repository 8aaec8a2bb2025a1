// The first pass of the build: the web app as one file that the second pass embeds (web-app.md 2.5).
import { createHash } from "node:crypto";
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { type Content, writePack } from "../shared/web-pack.ts";
import { overweight, type Weight, weigh } from "./budgets.ts";
import { type Bundle, bundleScript, bundleWeb } from "./bundle.ts";
import { indexPage, manifest } from "./documents.ts";
import { iconPngs, iconSvg } from "./icons.ts";
import { webEntries } from "./web-entries.ts";

export const packPath = "dist/web.pack";

const typeByExtension: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  webmanifest: "application/manifest+json",
};
const noText = new Set(["png"]);

/** @throws Error when the bundler fails or a budget is exceeded */
export async function buildWeb(root: string): Promise<Weight[]> {
  const bundle = await bundleWeb(root, webEntries);
  const weights = weigh(bundle, webEntries);
  const over = overweight(weights);
  if (over.length > 0) throw new Error(over.join("\n"));
  const contents = await allContents(root, bundle);
  const pack = writePack(contents.build, contents.files, bundle.entries);
  const path = join(root, packPath);
  await mkdir(dirname(path), { recursive: true });
  // Put in place in one step: whoever reads it meanwhile has the whole of one build.
  await Bun.write(`${path}.${process.pid}`, pack);
  await rename(`${path}.${process.pid}`, path);
  return weights;
}

async function allContents(root: string, bundle: Bundle): Promise<{ build: string; files: Content[] }> {
  const page = await Bun.file(join(root, "src/web/index.html")).text();
  const worker = await Bun.file(join(root, "src/web/sw.ts")).text();
  const stable = new Map<string, Uint8Array<ArrayBuffer>>([
    ["icon.svg", bytesOf(iconSvg())],
    ...iconPngs(),
    ["manifest.webmanifest", bytesOf(JSON.stringify(manifest))],
  ]);
  const build = buildId([
    ...bundle.files,
    ...bundle.inline,
    ...stable,
    ["index.html", bytesOf(page)],
    ["sw.ts", bytesOf(worker)],
  ]);
  const index = bytesOf(indexPage(page, bundle.entries, build));
  const script = await bundleScript(root, "src/web/sw.ts", {
    HUB_BUILD: JSON.stringify(build),
    HUB_FILES: JSON.stringify([...bundle.files.keys()]),
  });
  return {
    build,
    files: [
      ...[...bundle.files].map(([path, bytes]) => content(path, bytes, "immutable")),
      ...[...bundle.inline].map(([name, bytes]) => content(`${name}.js`, bytes, "internal")),
      ...[...stable, ["index.html", index] as const, ["sw.js", script] as const].map(([path, bytes]) =>
        content(path, bytes, "revalidate"),
      ),
    ],
  };
}

function content(path: string, bytes: Uint8Array<ArrayBuffer>, cache: Content["cache"]): Content {
  const extension = path.split(".").at(-1) ?? "";
  const type = typeByExtension[extension];
  if (type === undefined) throw new Error(`${path} has no media type`);
  const isServedSmall = cache !== "internal" && !noText.has(extension);
  const packed = isServedSmall ? { br: brotliCompressSync(bytes), gzip: gzipSync(bytes, { level: 9 }) } : {};
  return { path, type, cache, sha256: sha256(bytes), bytes: { identity: bytes, ...packed } };
}

function buildId(parts: readonly (readonly [string, Uint8Array])[]): string {
  return sha256(bytesOf(parts.map(([path, bytes]) => `${path} ${sha256(bytes)}\n`).join(""))).slice(0, 16);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

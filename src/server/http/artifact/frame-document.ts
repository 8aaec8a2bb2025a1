// The documents inside artifact frames (artifacts.md 5, rest-api.md 0.9): authored bytes in a page whose policy gives it
// no origin, no network and no way out.

import type { ArtifactKind } from "../../../shared/artifacts.ts";
import { markdownHtml } from "../../../shared/markdown.ts";
import { documentHeaders } from "../static-files.ts";
import { webFiles } from "../web-files.ts";
import { escapedLine } from "./escape.ts";
import frameStyle from "./frame.css" with { type: "text" };

export type FrameTheme = "light" | "dark";

type Script = { text: string; source: string };

function policy(scripts: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "media-src data: blob:",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ].join("; ");
}

function frameHeaders(kind: ArtifactKind, scripts: readonly Script[]): Record<string, string> {
  const sources = kind === "html" ? "'unsafe-inline'" : scripts.map(({ source }) => source).join(" ");
  return {
    ...documentHeaders,
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    // A looked-up name is a message; the policy has no word for it.
    "x-dns-prefetch-control": "off",
    "content-security-policy": policy(sources),
    // No connection to anywhere, peers and the document's own navigations among them, which that policy has no words
    // for. Chromium keeps to it; in other browsers the runtime takes the peers away.
    "connection-allowlist": "()",
  };
}

type Head = { title: string; theme: FrameTheme; isReceiving: boolean; scripts: readonly Script[]; style: string };

// The head is left open: an authored document goes on from here with a head and a body of its own.
function head({ title, theme, isReceiving, scripts, style }: Head): string {
  const [last, ...before] = scripts.toReversed();
  const script = (text: string, marks = ""): string => `<script${marks}>${text}</script>`;
  return [
    `<!doctype html><html data-theme="${theme}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${escapedLine(title)}</title>`,
    style === "" ? "" : `<style>${style}</style>`,
    ...before.map(({ text }) => script(text)),
    last === undefined ? "" : script(last.text, isReceiving ? " data-receive" : ""),
  ].join("");
}

export type Shown = {
  kind: ArtifactKind;
  title: string;
  theme: FrameTheme;
  /** Asked for as a page of its own, not to be framed. */
  isAlone: boolean;
};

/**
 * A document of a browser's own window: the authored one one level further in. A window may always go elsewhere by
 * itself; what is framed may not, since the policy, which the inner document inherits, names no place for frames.
 */
function framedOnceMore(title: string, html: string): string {
  const text = html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const name = escapedLine(title);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${name}</title><style>html,body{height:100%;margin:0}iframe{display:block;width:100%;height:100%;border:0}</style>`,
    `</head><body><iframe title="${name}" sandbox="allow-scripts" srcdoc="${text}"></iframe></body></html>`,
  ].join("");
}

/** A plain document. Markdown is written piece by piece, so that a long one holds nobody up. */
export function frameOf({ kind, title, theme, isAlone }: Shown, bytes: Uint8Array): Response {
  const scripts = scriptsFor("frame", holdsDiagram(kind, bytes));
  const opening = { title, theme, isReceiving: false, scripts };
  if (kind === "html") {
    const before = head({ ...opening, style: "" });
    const body = isAlone
      ? framedOnceMore(title, before + new TextDecoder().decode(bytes))
      : Buffer.concat([new TextEncoder().encode(before), bytes]);
    return new Response(body, { headers: frameHeaders(kind, scripts) });
  }
  const start = `${head({ ...opening, style: frameStyle })}</head><body><main>`;
  const text = new TextDecoder().decode(bytes);
  return new Response(streamed(start, markdownHtml(text), "</main></body></html>"), {
    headers: frameHeaders(kind, scripts),
  });
}

/** An empty frame for what its parent decrypts. */
export function receivingFrame({ kind, title, theme }: Shown, hasDiagram: boolean): Response {
  const scripts = scriptsFor(kind === "html" ? "frame" : "frame-markdown", hasDiagram);
  const style = kind === "html" ? "" : frameStyle;
  const start = head({ title, theme, isReceiving: true, scripts, style });
  const body = kind === "html" ? "</head><body></body></html>" : "</head><body><main></main></body></html>";
  return new Response(`${start}${body}`, { headers: frameHeaders(kind, scripts) });
}

function scriptsFor(runtime: string, hasDiagram: boolean): Script[] {
  const names = hasDiagram ? ["diagrams", runtime] : [runtime];
  return names.map((name) => webFiles().inline(name));
}

function holdsDiagram(kind: ArtifactKind, bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (kind === "html") return text.includes("mermaid");
  return (
    text.includes("mermaid") && /^[ \t>*+-]*(?:\d+[.)][ \t]+)?(?:`{3,}|~{3,})[ \t]*mermaid\b/im.test(text.toString())
  );
}

// The runtime asks for a piece when the one before is on its way; between two of them others have their turn.
function streamed(start: string, pieces: Generator<string>, end: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isStarted = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!isStarted) {
        isStarted = true;
        controller.enqueue(encoder.encode(start));
        return;
      }
      for (;;) {
        await turn();
        const { done, value } = pieces.next();
        if (done === true) {
          controller.enqueue(encoder.encode(end));
          controller.close();
          return;
        }
        if (value === "") continue;
        controller.enqueue(encoder.encode(value));
        return;
      }
    },
    cancel() {
      pieces.return(undefined);
    },
  });
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

// What the web bundle is made of, and what each part of it may weigh (web-app.md 2.5). A new page, worker or frame
// runtime is one line here.

export type WebEntry = {
  name: string;
  source: string;
  /**
   * `module`: split into chunks it shares with the others. `script`: one classic file of its own. `style`: one sheet.
   * `inline`: one classic file that the hub writes into documents and allows by its hash; it has no address.
   */
  kind: "module" | "script" | "style" | "inline";
  /** Gzip bytes; of a module with all it imports statically. */
  maxBytes: number;
};

export const webEntries: readonly WebEntry[] = [
  { name: "main", source: "src/web/main.tsx", kind: "module", maxBytes: 60_000 },
  { name: "app", source: "src/web/style/app.css", kind: "style", maxBytes: 16_000 },
  { name: "public", source: "src/web/public/public.ts", kind: "module", maxBytes: 14_000 },
  { name: "public-theme", source: "src/web/public/public-theme.ts", kind: "script", maxBytes: 600 },
  { name: "public-style", source: "src/web/public/public.css", kind: "style", maxBytes: 8_000 },
  { name: "frame", source: "src/web/frame/frame.ts", kind: "inline", maxBytes: 4_000 },
  { name: "frame-markdown", source: "src/web/frame/frame-markdown.ts", kind: "inline", maxBytes: 24_000 },
  // Only in frames that hold a diagram; whoever never sees one never loads it.
  { name: "diagrams", source: "src/web/frame/diagrams.ts", kind: "inline", maxBytes: 1_800_000 },
  { name: "boot-theme", source: "src/web/boot-theme.ts", kind: "script", maxBytes: 500 },
];

/** Gzip bytes of a chunk that is loaded on demand, by the name of its module. */
export const chunkBudgets: Readonly<Record<string, number>> = { markdown: 20_000 };
export const anyChunkBytes = 30_000;
/** All scripts and sheets together. */
export const wholeAppBytes = 240_000;

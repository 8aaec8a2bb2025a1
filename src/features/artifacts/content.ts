// Content on its way in and out: stored before the transaction that names it, read back as text or as bytes. What is
// large is taken apart a piece a turn.
import type { Ctx, Services } from "../../kernel/ctx.ts";
import { isUtf8InTurns, LargeText, largeTextBytes } from "../../kernel/large-text.ts";
import type { ArtifactKind } from "../../shared/artifacts.ts";
import { HubError } from "../../shared/errors.ts";
import type { StoredBlob } from "../../storage/blobs.ts";
import type { VersionRecord } from "./store.ts";
import { type Content, openingWords, searchedText } from "./text.ts";

/** Content that is stored and waits for the row that names it. */
export type PreparedContent = Disposable & {
  readonly blob: StoredBlob;
  /** Its opening words and what of it is searched, should it turn out to be plain. */
  readonly opening: string;
  readonly searched: string;
};

/** The content belongs to what is prepared, and is gone with it where it is large. */
export async function storeContent(ctx: Ctx, kind: ArtifactKind, content: Content): Promise<PreparedContent> {
  const blob = await ctx.blobs.put(content instanceof LargeText ? content.bytes : new TextEncoder().encode(content));
  return {
    blob,
    opening: openingWords(kind, content),
    searched: searchedText(kind, content),
    [Symbol.dispose]() {
      blob[Symbol.dispose]();
      if (content instanceof LargeText) content.release();
    },
  };
}

type Reading = Pick<Services, "db" | "blobs">;
type Stored = Pick<VersionRecord, "blob" | "size">;

/** The bytes of a version as they were stored. @throws HubError `unavailable` when they are missing or damaged */
export function readContent({ db, blobs }: Reading, version: Stored): Uint8Array {
  return blobs.read(db, version.blob);
}

/** The same; large ones are read beside the event loop. */
export async function loadContent(services: Reading, version: Stored): Promise<Uint8Array> {
  const { db, blobs } = services;
  return version.size < largeTextBytes ? readContent(services, version) : blobs.load(db, version.blob);
}

/** The same as text. @throws HubError `invalid_argument` when the bytes are no UTF-8 */
export async function loadText(services: Reading, version: Stored): Promise<Content> {
  const bytes = await loadContent(services, version);
  if (!(await isUtf8InTurns(bytes))) throw noText();
  return bytes.byteLength < largeTextBytes ? decodeContent(bytes) : new LargeText(bytes);
}

/** Bytes as text, in one go. @throws HubError `invalid_argument` when they are no UTF-8 */
export function decodeContent(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw noText(error);
  }
}

function noText(cause?: unknown): HubError {
  const details = { field: "version", expected: "a version that holds text" };
  return new HubError("invalid_argument", "the content of this version is not UTF-8 text", details, { cause });
}

// Content on its way in and out: stored before the transaction that names it, read back as text or as bytes.
import type { Ctx, Services } from "../../kernel/ctx.ts";
import type { ArtifactKind } from "../../shared/artifacts.ts";
import { HubError } from "../../shared/errors.ts";
import type { StoredBlob } from "../../storage/blobs.ts";
import type { VersionRecord } from "./store.ts";
import { openingWords } from "./text.ts";

/** Content that is stored and waits for the row that names it. */
export type PreparedContent = Disposable & {
  readonly blob: StoredBlob;
  /** Its opening words, should it turn out to be plain. */
  readonly opening: string;
};

export async function storeContent(ctx: Ctx, kind: ArtifactKind, content: string): Promise<PreparedContent> {
  const blob = await ctx.blobs.put(new TextEncoder().encode(content));
  return { blob, opening: openingWords(kind, content), [Symbol.dispose]: () => blob[Symbol.dispose]() };
}

/** The bytes of a version as they were stored. @throws HubError `unavailable` when they are missing or damaged */
export function readContent(
  services: Pick<Services, "db" | "blobs">,
  version: Pick<VersionRecord, "blob">,
): Uint8Array {
  return services.blobs.read(services.db, version.blob);
}

/** @throws HubError `invalid_argument` when the bytes are no UTF-8 text */
export function decodeContent(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new HubError(
      "invalid_argument",
      "the content of this version is not UTF-8 text",
      { field: "version", expected: "a version that holds text" },
      { cause: error },
    );
  }
}

// Bytes of pages on their way in and out: versions, guards, text (knowledge-base.md 9.1).
import { HubError } from "../../shared/errors.ts";

/** How a version of bytes is written on the wire. */
export function versionOf(hash: string): string {
  return `sha256:${hash}`;
}

/** The digest a version names. */
export function hashOf(version: string): string {
  return version.slice("sha256:".length).toLowerCase();
}

/** @throws HubError `conflict` with the version stored now when the guard does not hold */
export function holdVersion(guard: string | undefined, stored: string | null): void {
  if (guard === undefined) return;
  const current = stored === null ? "absent" : versionOf(stored);
  if (guard.toLowerCase() === current) return;
  throw new HubError("conflict", `if_version does not hold; read again and retry; current_version=${current}`, {
    current_version: current,
  });
}

/** @throws HubError `invalid_argument` when the bytes are no UTF-8 text */
export function decodePage(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new HubError(
      "invalid_argument",
      `what is stored at '${path}' is not UTF-8 text`,
      { field: "path", expected: "a path that holds text" },
      { cause: error },
    );
  }
}

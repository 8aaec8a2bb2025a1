// Viewer passes (rest-api.md 12): they let the operator's app open a concealed page for a minute or two. Nothing is
// stored: a pass is a code over the artifact and the minute, under the admin token.
import { createHmac, timingSafeEqual } from "node:crypto";

const windowMs = 60_000;
const passBytes = 16;

/** @param key the admin token */
export function mintPass(key: string, artifactId: string, now: number): string {
  return passOf(key, artifactId, Math.floor(now / windowMs)).toString("hex");
}

/** True for a pass of this minute or the one before. */
export function isPassValid(key: string, artifactId: string, pass: string, now: number): boolean {
  const given = Buffer.from(pass, "hex");
  if (pass.length !== 2 * passBytes || given.byteLength !== passBytes) return false;
  const window = Math.floor(now / windowMs);
  const fits = [window, window - 1].map((each) => timingSafeEqual(given, passOf(key, artifactId, each)));
  return fits.includes(true);
}

function passOf(key: string, artifactId: string, window: number): Buffer {
  return createHmac("sha256", key).update(`viewer-pass\0${artifactId}\0${window}`).digest().subarray(0, passBytes);
}

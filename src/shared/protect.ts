// Protection of a document with a password (artifacts.md 4): Web Crypto alone, the same source in the app, the public
// page and the tests. The hub never runs it; what it stores are envelope and ciphertext as they come out of here.
import { isObject } from "./json.ts";

export type ProtectionEnvelope = {
  alg: "AES-256-GCM";
  kdf: "PBKDF2-HMAC-SHA256";
  iterations: number;
  /** Standard base64 of 16 random bytes. */
  salt: string;
  /** Standard base64 of 12 random bytes. */
  iv: string;
};

export type DecryptCode = "unsupported-envelope" | "insecure-context";

/** Without a code it is a wrong password or altered data; which of the two cannot be told. */
export class ProtectionError extends Error {
  override readonly name = "ProtectionError";

  constructor(
    message: string,
    readonly code: DecryptCode | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const writtenIterations = 600_000;
/** Fewer are guessed too fast; more lock up the device that opens it. */
const iterationsMin = 100_000;
const iterationsMax = 10_000_000;
const saltBytes = 16;
const ivBytes = 12;

/** The envelope when the viewer accepts its settings. */
export function acceptedEnvelope(value: unknown): ProtectionEnvelope | undefined {
  if (!isObject(value)) return undefined;
  const { alg, kdf, iterations, salt, iv } = value;
  if (alg !== "AES-256-GCM" || kdf !== "PBKDF2-HMAC-SHA256") return undefined;
  if (typeof iterations !== "number" || !Number.isInteger(iterations)) return undefined;
  if (iterations < iterationsMin || iterations > iterationsMax) return undefined;
  if (typeof salt !== "string" || typeof iv !== "string") return undefined;
  return { alg, kdf, iterations, salt, iv };
}

/** @throws ProtectionError for an empty password, or where there is no Web Crypto */
export async function encrypt(
  password: string,
  plaintext: string,
): Promise<{ envelope: ProtectionEnvelope; ciphertext: string }> {
  if (password === "") throw new ProtectionError("the password is empty");
  const subtle = webCrypto();
  const envelope: ProtectionEnvelope = {
    alg: "AES-256-GCM",
    kdf: "PBKDF2-HMAC-SHA256",
    iterations: writtenIterations,
    salt: toBase64(crypto.getRandomValues(new Uint8Array(saltBytes))),
    iv: toBase64(crypto.getRandomValues(new Uint8Array(ivBytes))),
  };
  const key = await keyOf(subtle, password, envelope, "encrypt");
  const sealed = await subtle.encrypt(parameters(envelope), key, new TextEncoder().encode(plaintext));
  return { envelope, ciphertext: toBase64(new Uint8Array(sealed)) };
}

/** @throws ProtectionError */
export async function decrypt(password: string, envelope: unknown, ciphertext: string): Promise<string> {
  const accepted = acceptedEnvelope(envelope);
  if (accepted === undefined) {
    throw new ProtectionError("the settings of the envelope are not accepted", "unsupported-envelope");
  }
  const subtle = webCrypto();
  try {
    const key = await keyOf(subtle, password, accepted, "decrypt");
    const opened = await subtle.decrypt(parameters(accepted), key, fromBase64(ciphertext));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(opened);
  } catch (error) {
    throw new ProtectionError("wrong password or altered data", null, { cause: error });
  }
}

/** `sha256 a1b2...c3d4 · 4.2 KB ciphertext`; the size alone without a salt, or without Web Crypto. */
export async function fingerprint(envelope: unknown, ciphertext: string): Promise<string> {
  const size = `${sizeWords(ciphertext.length)} ciphertext`;
  const salt = isObject(envelope) ? envelope["salt"] : undefined;
  if (typeof salt !== "string" || !hasWebCrypto()) return size;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(salt)));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `sha256 ${hex.slice(0, 4)}...${hex.slice(-4)} · ${size}`;
}

function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 999_500 ? ([bytes / 1000, "KB"] as const) : ([bytes / 1_000_000, "MB"] as const);
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

// A page that is not in a secure context has no `subtle`, whatever the types say.
function hasWebCrypto(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

function webCrypto(): typeof crypto.subtle {
  if (hasWebCrypto()) return crypto.subtle;
  throw new ProtectionError("encryption needs HTTPS or localhost", "insecure-context");
}

async function keyOf(
  subtle: typeof crypto.subtle,
  password: string,
  { iterations, salt }: ProtectionEnvelope,
  use: "encrypt" | "decrypt",
) {
  const material = await subtle.importKey("raw", new TextEncoder().encode(password), "PBKDF2", false, ["deriveKey"]);
  const derivation = { name: "PBKDF2", hash: "SHA-256", salt: fromBase64(salt), iterations };
  return subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, [use]);
}

function parameters({ alg, kdf, iterations, salt, iv }: ProtectionEnvelope) {
  const bound = `alg=${alg};kdf=${kdf};iterations=${iterations};salt=${salt};iv=${iv}`;
  return { name: "AES-GCM", iv: fromBase64(iv), additionalData: new TextEncoder().encode(bound), tagLength: 128 };
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // As many at a time as the arguments of a call may be.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

// Protection of documents (artifacts.md 4.1): what comes out opens again with the password alone, and nothing else does.
import { describe, expect, test } from "bun:test";
import { acceptedEnvelope, decrypt, encrypt, fingerprint, ProtectionError } from "../../src/shared/protect.ts";

const password = "correct horse";
const plaintext = "\uFEFF# Héllo 🔒\n<script>1</script>";
const { envelope, ciphertext } = await encrypt(password, plaintext);

async function refusal(given: {
  password?: string;
  envelope?: unknown;
  ciphertext?: string;
}): Promise<ProtectionError> {
  const what = { password, envelope, ciphertext, ...given };
  const error: unknown = await decrypt(what.password, what.envelope, what.ciphertext).catch(
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProtectionError)) throw new Error(`opened as ${String(error)}`);
  return error;
}

function flipped(base64: string, byte: number): string {
  const bytes = Buffer.from(base64, "base64");
  bytes[byte] = (bytes[byte] ?? 0) ^ 1;
  return bytes.toString("base64");
}

describe("an encrypted document", () => {
  test("opens with its password", async () => {
    expect(await decrypt(password, envelope, ciphertext)).toBe(plaintext);
  });
  test("has the settings of the specification, fresh salt and iv", async () => {
    expect(envelope).toMatchObject({ alg: "AES-256-GCM", kdf: "PBKDF2-HMAC-SHA256", iterations: 600_000 });
    expect(Buffer.from(envelope.salt, "base64")).toHaveLength(16);
    expect(Buffer.from(envelope.iv, "base64")).toHaveLength(12);
    expect(Buffer.from(ciphertext, "base64")).toHaveLength(Buffer.byteLength(plaintext) + 16);
    const again = await encrypt(password, plaintext);
    expect([again.envelope.salt, again.envelope.iv, again.ciphertext]).not.toContainAnyValues([
      envelope.salt,
      envelope.iv,
      ciphertext,
    ]);
  });
  test("is what the description of the format says, made by other means", async () => {
    const raw = (text: string) => Buffer.from(text, "base64");
    const { createDecipheriv, pbkdf2Sync } = await import("node:crypto");
    const key = pbkdf2Sync(password, raw(envelope.salt), 600_000, 32, "sha256");
    const bytes = raw(ciphertext);
    const decipher = createDecipheriv("aes-256-gcm", key, raw(envelope.iv));
    decipher.setAAD(
      Buffer.from(`alg=AES-256-GCM;kdf=PBKDF2-HMAC-SHA256;iterations=600000;salt=${envelope.salt};iv=${envelope.iv}`),
    );
    decipher.setAuthTag(bytes.subarray(-16));
    expect(Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString()).toBe(plaintext);
  });
  test("may be large", async () => {
    const large = await encrypt(password, "ä".repeat(300_000));
    expect(await decrypt(password, large.envelope, large.ciphertext)).toHaveLength(300_000);
  });
  test("needs a password", () => expect(encrypt("", plaintext)).rejects.toThrow("the password is empty"));
});

describe("what was altered does not open, and does not say why", () => {
  const cases: [string, Parameters<typeof refusal>[0]][] = [
    ["the password", { password: "correct horsE" }],
    ["no password", { password: "" }],
    ["the first byte", { ciphertext: flipped(ciphertext, 0) }],
    ["the last byte of the tag", { ciphertext: flipped(ciphertext, Buffer.from(ciphertext, "base64").length - 1) }],
    ["bytes cut off", { ciphertext: ciphertext.slice(0, -8) }],
    ["no bytes", { ciphertext: "" }],
    ["no base64", { ciphertext: "<>" }],
    ["iterations", { envelope: { ...envelope, iterations: 600_001 } }],
    ["salt", { envelope: { ...envelope, salt: flipped(envelope.salt, 3) } }],
    ["salt, written in another way", { envelope: { ...envelope, salt: ` ${envelope.salt}` } }],
    ["salt that is no base64", { envelope: { ...envelope, salt: "*" } }],
    ["iv", { envelope: { ...envelope, iv: flipped(envelope.iv, 3) } }],
    ["no iv", { envelope: { ...envelope, iv: "" } }],
  ];
  test.each(cases)("%s", async (_, given) => {
    const { message, code } = await refusal(given);
    expect({ message, code }).toEqual({ message: "wrong password or altered data", code: null });
  });
});

describe("settings that are not accepted are told before a password is used", () => {
  test.each([
    ["another cipher", { ...envelope, alg: "AES-128-GCM" }],
    ["another derivation", { ...envelope, kdf: "scrypt" }],
    ["too few iterations", { ...envelope, iterations: 99_999 }],
    ["too many iterations", { ...envelope, iterations: 10_000_001 }],
    ["half an iteration", { ...envelope, iterations: 600_000.5 }],
    ["iterations as text", { ...envelope, iterations: "600000" }],
    ["no salt", { ...envelope, salt: undefined }],
    ["no envelope", null],
    ["a list", [envelope]],
  ])("%s", async (_, given) => {
    expect(acceptedEnvelope(given)).toBeUndefined();
    expect((await refusal({ envelope: given })).code).toBe("unsupported-envelope");
  });
  test.each([100_000, 10_000_000])("%i iterations are accepted", (iterations) => {
    expect(acceptedEnvelope({ ...envelope, iterations })?.iterations).toBe(iterations);
  });
});

describe("the fingerprint", () => {
  test("names the first and last two bytes of the salt's hash, and the size", async () => {
    const hash = new Bun.CryptoHasher("sha256").update("c2FsdA==").digest("hex");
    const given = { ...envelope, salt: "c2FsdA==" };
    const expected = `sha256 ${hash.slice(0, 4)}...${hash.slice(-4)} · `;
    expect(await fingerprint(given, "a".repeat(812))).toBe(`${expected}812 B ciphertext`);
    expect(await fingerprint(given, "a".repeat(4200))).toBe(`${expected}4.2 KB ciphertext`);
    expect(await fingerprint(given, "a".repeat(18_000_000))).toBe(`${expected}18 MB ciphertext`);
  });
  test("is the size alone without a salt", async () => {
    expect(await fingerprint({}, "abc")).toBe("3 B ciphertext");
  });
});

// The voice of the app (web-app.md 3.7, 9.1): what its sentences never hold.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "src");
const files = [
  ...readdirSync(join(root, "web", "text"))
    .filter((name) => name.startsWith("en-"))
    .map((name) => join(root, "web", "text", name)),
  join(root, "shared", "words.ts"),
];

/** Names that are written so everywhere. */
const abbreviations = /^(?:HTTP|HTTPS|MCP|API|JSON|TOML|CLI|ID|URL|VS|MIT|LAN|DNS|TLS|KB|MB|GB|TB|OK|QR)$/;

const faults: Record<string, (words: string) => boolean> = {
  "an exclamation mark": (words) => words.includes("!"),
  please: (words) => /\bplease\b/i.test(words),
  oops: (words) => /\bo+ps\b/i.test(words),
  invalid: (words) => /\binvalid\b/i.test(words),
  "capitals throughout": (words) =>
    (words.match(/(?<![\w-])\p{Lu}{2,}(?![\w-])/gu) ?? []).some((word) => !abbreviations.test(word)),
  "an emoji": (words) => /\p{Extended_Pictographic}/u.test(words),
};

/** Every piece of text of a file, without what is put into it; comments and imports are none. */
function wordsIn(source: string): string[] {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*|import ).*$/gm, "");
  return [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(([, plain, template]) =>
    (plain ?? template ?? "").replaceAll(/\$\{[^}]*\}/g, "…"),
  );
}

function faultsOf(words: string): string[] {
  return Object.entries(faults).flatMap(([name, isFault]) => (isFault(words) ? [`${name}: ${words}`] : []));
}

test("no sentence shouts, begs, or blames", () => {
  const words = files.flatMap((file) => wordsIn(readFileSync(file, "utf8")));
  expect(words.length).toBeGreaterThan(400);
  expect(words.flatMap(faultsOf)).toEqual([]);
});

test("each fault would be found, and names are none", () => {
  const samples = ["Done!", "Please wait", "Oops, gone", "Invalid name", "DELETE it", "Sent 🎉"];
  expect(samples.map((sample) => faultsOf(sample).length)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(["The MCP address", "`HUB_ADMIN_TOKEN`", "4.2 KB", "Ctrl+C", "I"].flatMap(faultsOf)).toEqual([]);
});

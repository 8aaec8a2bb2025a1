// Large texts in JSON, in and out: read and written a piece a turn they are what JSON.parse and JSON.stringify make of
// them in one go.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type JsonPart, partsOf, quotedParts, streamParts } from "../../src/kernel/json-parts.ts";
import { parseLargeJson } from "../../src/kernel/large-json.ts";
import { isUtf8InTurns, LargeText, largeTextBytes } from "../../src/kernel/large-text.ts";
import { isObject } from "../../src/shared/json.ts";
import { jsonValuesMax } from "../../src/shared/limits.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
/** What `in` holds may stay large. */
const holder = (document: unknown): unknown => (isObject(document) ? document["in"] : undefined);
const parse = (text: string): Promise<unknown> => parseLargeJson(bytesOf(text), holder);

/** A text of many characters, each of the kind given. */
const long = (unit: string): string => unit.repeat(Math.ceil((largeTextBytes + 100) / unit.length));

async function textOf(parts: readonly JsonPart[]): Promise<string> {
  return new Response(streamParts(parts)).text();
}

describe("a document", () => {
  const texts = ["a", "é", "\u{1F680}", '\n"\\/\b\f\r\t\u0001', "\u2028", "\uFEFF", '<p class="x">words</p>\n'];

  test.each(texts.map((unit) => [JSON.stringify(unit), unit]))(
    "with a long text of %s is read whole",
    async (_name, unit) => {
      const text = long(unit);
      const document = { id: 1, in: { content: text, title: unit }, list: [text, 1, null, { a: text }] };
      const read = await parse(JSON.stringify(document));
      const { in: kept, list } = read as { in: { content: unknown }; list: unknown[] }; // as it was written above
      expect(kept.content).toBeInstanceOf(LargeText);
      expect((kept.content as LargeText).isWellFormed).toBe(true); // as just asserted
      expect(list).toEqual(document.list);
      expect(JSON.stringify(read)).toBe(JSON.stringify(document));
    },
  );

  test("with every character as an escape is read whole", async () => {
    const text = long("aé\u{1F680}\uFFFD\0");
    const escaped = [...text]
      .flatMap((character) => character.split(""))
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
    expect(String(await parse(`"${escaped}"`))).toBe(text);
  });

  test("reads the same whatever it holds", async () => {
    const value = fc.tuple(fc.json(), fc.string({ unit: "binary" }));
    await fc.assert(
      fc.asyncProperty(value, async ([other, unit]) => {
        const text = unit === "" ? "" : long(unit);
        const document = `{"a":${other},"b":${JSON.stringify(text)},"c":[${JSON.stringify(unit)}]}`;
        expect(JSON.stringify(await parse(document))).toBe(JSON.stringify(JSON.parse(document)));
      }),
      { numRuns: 10 },
    );
  });

  test("tells half a character, also one beside an escape of another", async () => {
    for (const half of ["\\ud800", "\\udc00", "\\ud800\\ud800", "\\ud83d\\u0041"]) {
      const [kept, plain] = [`{"in":{"x":"${long("a")}${half}"}}`, `"${long("a")}${half}"`].map(parse);
      expect(await kept).toEqual({ in: { x: expect.objectContaining({ isWellFormed: false }) } });
      expect(String(await plain).isWellFormed()).toBe(false);
    }
  });

  test("of small texts alone is plain", async () => {
    const document = JSON.stringify({ list: Array.from({ length: 60_000 }, () => "small") });
    expect(await parse(document)).toEqual(JSON.parse(document));
    expect(await parse(`\uFEFF${document}`)).toEqual(JSON.parse(document));
  });

  const a = long("a");
  test.each([
    ["a control character", `"${a}\n"`],
    ["an unknown escape", `"${a}\\x"`],
    ["half an escape", `"${a}\\u12"`],
    ["no hex digits", `"${a}\\u12g4"`],
    ["no end", `"${a}`],
    ["an escaped end", `"${a}\\"`],
    ["more behind it", `"${a}" 1`],
    ["a name of that length", `{"${a}": 1}`],
    ["nothing", ""],
  ])("with %s is none", async (_what, text) => {
    await expect(parse(text)).rejects.toThrow(SyntaxError);
  });

  test.each([
    ["numbers", (n: number) => `[${"1,".repeat(n - 2)}1]`],
    ["objects", (n: number) => `[${"{},".repeat(n / 2 - 1)}1]`],
    ["lists in lists", (n: number) => "[".repeat(n - 1) + "]".repeat(n - 1)],
  ])("of so many %s is read, and of one more it is too large", async (_what, of) => {
    expect(await parse(of(jsonValuesMax))).toBeArray();
    for (const text of [of(jsonValuesMax + 2), `["${a}",${of(jsonValuesMax)}]`, "[".repeat(jsonValuesMax + 1)]) {
      await expect(parse(text)).rejects.toMatchObject({ code: "payload_too_large", details: { limit: jsonValuesMax } });
    }
  });

  test("counts what stands outside of its strings", async () => {
    const text = '{[,\\"'.repeat(jsonValuesMax);
    expect(await parse(`["${text}", "${"[".repeat(9)}"]`)).toEqual([JSON.parse(`"${text}"`), "[".repeat(9)]);
  });

  test("that is no UTF-8 is none", async () => {
    for (const wrong of [[0xff], [0xc3], [0x80], [0xed, 0xa0, 0x80]]) {
      const bytes = new Uint8Array([...bytesOf(`"${a}`), ...wrong, 0x22]);
      await expect(parseLargeJson(bytes, holder)).rejects.toThrow(SyntaxError);
      expect(await isUtf8InTurns(bytes)).toBe(false);
    }
    expect(await isUtf8InTurns(new Uint8Array(3_000_000).fill(0x80))).toBe(false);
    expect(await isUtf8InTurns(bytesOf("é".repeat(1_500_000)))).toBe(true);
  });
});

describe("an object with large texts", () => {
  const text = long('a"é\u{1F680}\n\\');
  const made = () => ({
    first: 1,
    content: new LargeText(bytesOf(text)),
    gone: undefined,
    more: { x: [null] },
    again: new LargeText(bytesOf("")),
  });
  const plain = JSON.stringify({ first: 1, content: text, more: { x: [null] }, again: "" });

  test("is written as JSON", async () => {
    expect(await textOf(partsOf(made()))).toBe(plain);
    expect(JSON.stringify(made())).toBe(plain);
    expect(await textOf(partsOf({ content: new LargeText(bytesOf("x")) }))).toBe('{"content":"x"}');
  });

  test("is written as JSON inside of JSON", async () => {
    expect(await textOf(['"', ...quotedParts(partsOf(made())), '"'])).toBe(JSON.stringify(plain));
  });

  test("is written so whatever is in it", async () => {
    const every = String.fromCharCode(...Array.from({ length: 0x3000 }, (_, code) => code));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (other) => {
        const content = `${every}${other}`;
        const inner = () => partsOf({ content: new LargeText(bytesOf(content)) });
        const expected = JSON.stringify({ content });
        expect(await textOf(inner())).toBe(expected);
        expect(await textOf(['"', ...quotedParts(inner()), '"'])).toBe(JSON.stringify(expected));
      }),
      { numRuns: 50 },
    );
  });

  test("gives its memory back with the end of what it is written to, read or not", async () => {
    for (const end of [
      (stream: ReadableStream) => stream.cancel(),
      (stream: ReadableStream) => new Response(stream).text(),
    ]) {
      const value = made();
      const stream = streamParts(partsOf(value));
      expect(value.content.bytes.byteLength).toBeGreaterThan(largeTextBytes);
      await end(stream);
      expect(value.content.bytes.byteLength).toBe(0);
    }
  });

  test("starts with whole characters", () => {
    expect(new LargeText(bytesOf("aé\u{1F680}b")).start(4)).toBe("aé");
    expect(new LargeText(bytesOf("aé")).start(100)).toBe("aé");
    expect(new LargeText(bytesOf("\uFEFFa")).start(100)).toBe("\uFEFFa");
  });

  test("is read no further than its reader goes", async () => {
    let pieces = 0;
    const counted = new LargeText(bytesOf("a".repeat(10_000_000)));
    const original = counted.pieces.bind(counted);
    counted.pieces = async function* () {
      for await (const piece of original()) {
        pieces += 1;
        yield piece;
      }
    };
    const reader = streamParts(partsOf({ content: counted })).getReader();
    for (let chunk = 0; chunk < 3; chunk += 1) await reader.read();
    await reader.cancel();
    expect(pieces).toBeLessThan(6);
  });
});

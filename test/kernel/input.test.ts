// Arguments as they come, and what is said of the first thing wrong with them.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import * as fields from "../../src/kernel/fields.ts";
import { invalid, parseInput, tooLarge } from "../../src/kernel/input.ts";
import { type ErrorObject, HubError } from "../../src/shared/errors.ts";

function refusalOf(schema: z.ZodType, raw: unknown, nullable?: readonly string[]): ErrorObject {
  try {
    parseInput(schema, raw, nullable);
  } catch (error) {
    if (error instanceof HubError) return error.toObject();
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(raw)}`);
}

const one = (field: z.ZodType): z.ZodType => z.object({ field });

describe("arguments", () => {
  const schema = z.object({ name: fields.shortText(5), count: fields.integer(1, 3).optional() });

  test("none, or null, are an empty object", () => {
    const optional = z.object({ count: fields.integer(1, 3).optional() });
    for (const raw of [undefined, null, {}]) expect(parseInput(optional, raw)).toEqual({});
  });

  test.each([[[]], ["text"], [1], [true]])("%j are refused", (raw) => {
    expect(refusalOf(schema, raw)).toMatchObject({
      code: "invalid_argument",
      message: `arguments is ${JSON.stringify(raw)}; expected a JSON object`,
      details: { field: "arguments", expected: "a JSON object" },
    });
  });

  test("unknown ones are ignored, null ones are absent", () => {
    expect(parseInput(schema, { name: "a", actor: "eve", count: null })).toEqual({ name: "a" });
    expect(refusalOf(schema, { name: null }).message).toBe("name is missing; expected a text of 1 to 5 characters");
  });

  test("null is kept where it has a meaning of its own", () => {
    const nullable = z.object({ label: z.string().nullable().optional() });
    expect(parseInput(nullable, { label: null }, ["label"])).toEqual({ label: null });
    expect(parseInput(nullable, { label: null })).toEqual({});
  });

  test("nested ones are named with dots", () => {
    const nested = z.object({
      session: z.object({ agent: fields.shortText(5) }),
      kinds: fields.listOf(fields.flag, "a list"),
    });
    expect(refusalOf(nested, { session: { agent: 7 }, kinds: [] })).toMatchObject({
      message: "session.agent is 7; expected a text of 1 to 5 characters",
      details: { field: "session.agent", expected: "a text of 1 to 5 characters" },
    });
    expect(refusalOf(nested, { session: { agent: "a" }, kinds: [true, 1] })).toMatchObject({
      message: "kinds.1 is 1; expected true or false",
      details: { field: "kinds.1" },
    });
    expect(refusalOf(nested, { session: {}, kinds: [] }).message).toContain("session.agent is missing");
  });

  test("those a strict schema does not know are named", () => {
    const strict = z.strictObject({ a: fields.flag.optional(), inner: z.strictObject({}).optional() });
    expect(refusalOf(strict, { b: 1 })).toMatchObject({
      message: "b is not known here; leave it out",
      details: { field: "b", expected: "absent" },
    });
    expect(refusalOf(strict, { inner: { c: 1 } }).details).toEqual({ field: "inner.c", expected: "absent" });
  });

  test("names that mean something to JavaScript are names like others", () => {
    const raw = JSON.parse('{"__proto__": {"name": "a"}, "constructor": 1}');
    expect(refusalOf(schema, raw).message).toContain("name is missing");
  });
});

describe("the value in a message", () => {
  test("is cut to 60 characters, whole ones", () => {
    expect(invalid("f", "x".repeat(58), "e").message).toBe(`f is "${"x".repeat(58)}"; expected e`);
    expect(invalid("f", "x".repeat(59), "e").message).toBe(`f is "${"x".repeat(59)}...; expected e`);
    expect(invalid("f", "😀".repeat(80), "e").message).toBe(`f is "${"😀".repeat(59)}...; expected e`);
    expect(invalid("f", undefined, "e").message).toBe("f is missing; expected e");
    expect(invalid("f", { a: [1, null] }, "e").message).toBe('f is {"a":[1,null]}; expected e');
  });

  test("is never taken apart as a whole, however large it is", () => {
    const large = "x".repeat(50_000_000);
    const before = process.memoryUsage().rss;
    for (const value of [large, [large]]) expect(invalid("f", value, "e").message.length).toBeLessThan(100);
    // Its characters one by one would take some 600 MB.
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });

  test("may be nested as deep as JSON can be", () => {
    const deep = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
    expect(refusalOf(one(fields.shortText(5)), { field: deep })).toMatchObject({
      code: "invalid_argument",
      message: `field is ${"[".repeat(60)}...; expected a text of 1 to 5 characters`,
    });
  });

  test("is the start of its JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const characters = [...(JSON.stringify(value) ?? "")];
        const shown = characters.length <= 60 ? characters.join("") : `${characters.slice(0, 60).join("")}...`;
        expect(invalid("f", value, "e").message).toBe(`f is ${shown}; expected e`);
      }),
    );
  });

  test("whatever it is, the error is one of the closed list with a short message", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const refusal = refusalOf(one(z.custom(() => false, { error: "nothing" })), { field: value ?? 0 });
        expect(refusal.code).toBe("invalid_argument");
        expect(refusal.message).toMatch(/^field is .*; expected nothing$/su);
        expect([...refusal.message].length).toBeLessThan(100);
      }),
    );
  });
});

const smile = "😀";

describe("fields", () => {
  test.each<[string, z.ZodType, unknown, unknown]>([
    ["pattern", fields.pattern(/^[a-z]+$/, "small letters"), "abc", "abc"],
    ["shortText", fields.shortText(3), smile.repeat(3), smile.repeat(3)],
    ["shortText keeps spaces", fields.shortText(3), "  ", "  "],
    ["name is trimmed", fields.name(3), " abc ", "abc"],
    ["boundedText is trimmed", fields.boundedText(3), "\n abc", "abc"],
    ["limitedText is kept", fields.limitedText(3), " a ", " a "],
    ["limitedText may be empty", fields.limitedText(3), "", ""],
    ["trimmedText is trimmed first", fields.trimmedText(3), "   abc   ", "abc"],
    ["trimmedText may be blank", fields.trimmedText(3), "  ", ""],
    ["content counts bytes", fields.content(4), "éé", "éé"],
    ["jsonValue", fields.jsonValue(20), { a: [null, 1.5] }, { a: [null, 1.5] }],
    ["jsonValue keeps null", fields.jsonValue(20), [null], [null]],
    ["integer, lowest", fields.integer(1, 3), 1, 1],
    ["integer, highest", fields.integer(1, 3), 3, 3],
    ["cutInteger", fields.cutInteger(1, 500), 100_000, 500],
    ["oneOf", fields.oneOf(["a", "b"]), "b", "b"],
    ["listOf", fields.listOf(fields.flag, "a list"), [true, false], [true, false]],
    ["anyId", fields.anyId, "", ""],
    ["flag", fields.flag, false, false],
  ])("%s is accepted", (_name, field, given, taken) => {
    expect(parseInput(one(field), { field: given })).toEqual({ field: taken });
  });

  test.each<[string, z.ZodType, readonly unknown[], string]>([
    ["pattern", fields.pattern(/^[a-z]+$/, "small letters"), ["A", "", 7, ["a"]], "small letters"],
    ["shortText", fields.shortText(3), ["", "abcd", smile.repeat(4), 7], "a text of 1 to 3 characters"],
    [
      "name",
      fields.name(3),
      ["", " ", "abcd", "a\u0000b", "a\nb", 7],
      "a text of 1 to 3 characters, not blank, without control characters",
    ],
    ["boundedText", fields.boundedText(3), ["", " \n", 7], "a text of 1 to 3 characters, not blank"],
    ["limitedText", fields.limitedText(3), [7, {}], "a text"],
    ["trimmedText", fields.trimmedText(3), [7, []], "a text"],
    ["content", fields.content(4), [7, true], "a text"],
    ["integer", fields.integer(1, 3), [0, 4, 1.5, "2", true, 2 ** 60], "a whole number from 1 to 3"],
    ["cutInteger", fields.cutInteger(1, 500), [0, -1, 1.5, "2"], "a whole number of at least 1"],
    ["oneOf", fields.oneOf(["a", "b"]), ["c", "A", 7, ["a"]], "one of a, b"],
    ["listOf", fields.listOf(fields.flag, "a list of flags"), ["a", { 0: true }, 7], "a list of flags"],
    ["anyId", fields.anyId, [7, {}], "a text"],
    ["flag", fields.flag, ["true", 1, 0], "true or false"],
  ])("%s says what it expects", (_name, field, refused, expected) => {
    for (const value of refused) {
      const refusal = refusalOf(one(field), { field: value });
      expect(refusal).toMatchObject({
        code: "invalid_argument",
        retryable: false,
        details: { field: "field", expected },
      });
      expect(refusal.message).toBe(`field is ${JSON.stringify(value)}; expected ${expected}`);
    }
    expect(refusalOf(one(field), {}).message).toBe(`field is missing; expected ${expected}`);
  });

  test.each<[string, z.ZodType, unknown, number, number, string]>([
    ["boundedText", fields.boundedText(3), ` ${smile.repeat(4)} `, 3, 4, "characters"],
    ["limitedText", fields.limitedText(3), " abc", 3, 4, "characters"],
    ["trimmedText", fields.trimmedText(3), " abcd", 3, 4, "characters"],
    ["content", fields.content(4), "éée", 4, 5, "bytes"],
    ["jsonValue", fields.jsonValue(4), { a: 1 }, 4, 7, "bytes"],
  ])("%s that is too long is `payload_too_large`, with both numbers", (_name, field, value, limit, actual, unit) => {
    expect(refusalOf(one(field), { field: value })).toEqual({
      code: "payload_too_large",
      message: `field is ${actual} ${unit} long; shorten it; limit=${limit}`,
      retryable: false,
      details: { limit, actual },
    });
    expect(tooLarge("field", actual, limit, unit).toObject()).toEqual(refusalOf(one(field), { field: value }));
  });

  test("JSON nested deeper than readers follow is refused by name", () => {
    const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`);
    const field = fields.jsonValue(1_000_000);
    expect(parseInput(one(field), { field: nested(100) })).toEqual({ field: nested(100) });
    for (const levels of [102, 200_000]) {
      expect(refusalOf(one(field), { field: nested(levels) })).toMatchObject({
        code: "invalid_argument",
        details: { field: "field", expected: "JSON of at most 100 levels" },
      });
    }
  });

  test("any text is within its limit or refused, by characters and by bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 12 }), (text) => {
        const characters = [...text].length;
        const bytes = new TextEncoder().encode(text).byteLength;
        const accepts = (field: z.ZodType): boolean => one(field).safeParse({ field: text }).success;
        expect(accepts(fields.limitedText(6))).toBe(characters <= 6);
        expect(accepts(fields.content(6))).toBe(bytes <= 6);
        expect(accepts(fields.shortText(6))).toBe(characters >= 1 && characters <= 6);
      }),
    );
  });
});

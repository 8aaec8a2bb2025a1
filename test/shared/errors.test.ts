// The closed list of errors and how one travels.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { errorCodes, HubError, isErrorCode, isRetryable, parseErrorObject } from "../../src/shared/errors.ts";

test("only `unavailable` may be sent again unchanged", () => {
  expect(errorCodes.filter(isRetryable)).toEqual(["unavailable"]);
});

test("an error keeps its cause to itself", () => {
  const error = new HubError("conflict", "no", { current: 1 }, { cause: new Error("secret") });
  expect(error).toBeInstanceOf(Error);
  expect(error.toObject()).toEqual({ code: "conflict", message: "no", retryable: false, details: { current: 1 } });
  expect(JSON.stringify(error.toObject())).not.toContain("secret");
  expect(new HubError("unavailable", "later").toObject()).toMatchObject({ retryable: true, details: {} });
});

test("what an error says survives the wire", () => {
  fc.assert(
    fc.property(fc.constantFrom(...errorCodes), fc.string(), (code, message) => {
      const sent = new HubError(code, message, { limit: 1, list: [null, "a"] }).toObject();
      expect(parseErrorObject(JSON.parse(JSON.stringify(sent)))).toEqual(sent);
    }),
  );
});

test.each([
  [undefined],
  [null],
  ["conflict"],
  [[]],
  [{}],
  [{ code: "nope", message: "m" }],
  [{ code: "conflict" }],
  [{ code: "conflict", message: 7 }],
  [{ code: "toString", message: "m" }],
])("%j is no error object", (value) => expect(parseErrorObject(value)).toBeUndefined());

test("missing details are none, a missing flag is false", () => {
  const parsed = parseErrorObject({ code: "unavailable", message: "m", details: ["odd"] });
  expect(parsed).toEqual({ code: "unavailable", message: "m", retryable: false, details: {} });
});

test("codes are told from other values", () => {
  expect([...errorCodes].every(isErrorCode)).toBe(true);
  expect([undefined, null, 7, "", "Conflict", "length"].some(isErrorCode)).toBe(false);
});

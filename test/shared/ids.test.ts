// Forms of ids.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as ids from "../../src/shared/ids.ts";

const latestMs = 2 ** 48 - 1;
const times = fc.oneof(fc.nat(latestMs), fc.constantFrom(0, 31, 32, latestMs));
const randomDigits = fc.uint8Array({ minLength: 16, maxLength: 16, max: 31 });

function ulid(ms: number, digits: Uint8Array): string {
  return ids.encodeTime(ms) + ids.encodeRandom(digits);
}

describe("a ULID", () => {
  test("has the form of one and gives its time back", () => {
    fc.assert(
      fc.property(times, randomDigits, (ms, digits) => {
        expect(ulid(ms, digits)).toMatch(ids.ulidPattern);
        expect(ids.timeOf(ulid(ms, digits))).toBe(ms);
      }),
    );
  });

  test("is above another exactly when its time, then its digits are", () => {
    const compare = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
      const index = Array.from(a).findIndex((digit, at) => digit !== b[at]);
      return index === -1 ? 0 : Math.sign((a[index] ?? 0) - (b[index] ?? 0));
    };
    fc.assert(
      fc.property(times, randomDigits, times, randomDigits, (ms, digits, otherMs, otherDigits) => {
        const order = Math.sign(ms - otherMs) || compare(digits, otherDigits);
        const [one, other] = [ulid(ms, digits), ulid(otherMs, otherDigits)];
        expect(Number(one > other) - Number(one < other)).toBe(order);
      }),
    );
  });

  test("of a time is at or above the lowest one of it", () => {
    fc.assert(
      fc.property(times, randomDigits, (ms, digits) => {
        expect(ids.lowestUlidAt(ms) <= ulid(ms, digits)).toBe(true);
        if (ms > 0) expect(ids.lowestUlidAt(ms) > ulid(ms - 1, digits)).toBe(true);
      }),
    );
  });

  test.each([
    ["01ARZ3NDEKTSV4RRFFQ69G5FAV", true],
    ["7ZZZZZZZZZZZZZZZZZZZZZZZZZ", true],
    ["8ZZZZZZZZZZZZZZZZZZZZZZZZZ", false],
    ["01arz3ndektsv4rrffq69g5fav", false],
    ["01ARZ3NDEKTSV4RRFFQ69G5FAI", false],
    ["01ARZ3NDEKTSV4RRFFQ69G5FA", false],
    ["01ARZ3NDEKTSV4RRFFQ69G5FAV\n", false],
  ])("%j: %p", (text, isOne) => expect(ids.ulidPattern.test(text)).toBe(isOne));
});

describe("names", () => {
  test.each([
    ["a", true],
    ["A-b_9", true],
    ["x".repeat(64), true],
    ["x".repeat(65), false],
    ["-a", false],
    ["_a", false],
    ["", false],
    ["a b", false],
    ["ä", false],
    ["a\n", false],
  ])("project id %j: %p", (text, isOne) => expect(ids.projectIdPattern.test(text)).toBe(isOne));

  test.each([
    ["_", true],
    ["x".repeat(128), true],
    ["x".repeat(129), false],
    ["", false],
    ["a.b", false],
  ])("session name %j: %p", (text, isOne) => expect(ids.sessionNamePattern.test(text)).toBe(isOne));

  test("reserved agents are the hub, the operator and the local one, by exact name", () => {
    expect(["hub", "human", "local"].map(ids.isReservedAgentId)).toEqual([true, true, true]);
    expect(["Hub", "humans", "", "constructor"].map(ids.isReservedAgentId)).toEqual([false, false, false, false]);
    expect([ids.operatorActor, ids.hubActor].map(ids.isReservedAgentId)).toEqual([true, true]);
  });

  test("a uuid is one in any case", () => {
    const uuid = crypto.randomUUID();
    expect([uuid, uuid.toUpperCase()].map((text) => ids.uuidPattern.test(text))).toEqual([true, true]);
    expect([`${uuid} `, uuid.slice(1), uuid.replaceAll("-", "")].some((text) => ids.uuidPattern.test(text))).toBe(
      false,
    );
  });
});

// The shared table of calls and the table of limits: what must hold whatever is added to them.
import { describe, expect, test } from "bun:test";
import { type CallSpec, calls } from "../../src/shared/api.ts";
import * as limits from "../../src/shared/limits.ts";

const rows: [string, CallSpec][] = Object.entries(calls);

describe("the table of calls", () => {
  test("no two calls answer to one method and path", () => {
    // Parameters match anything, so their names do not tell paths apart.
    const addresses = rows.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ":")}`);
    expect(addresses.length).toBe(new Set(addresses).size);
  });

  test.each(rows)("%s has a path of the API and a body that fits its method", (_name, spec) => {
    expect(spec.path).toMatch(/^\/api\/v1(\/(:[a-z_]+|[a-z0-9._-]+|\*))+$/);
    if (spec.method === "GET") expect(spec.body).toBe("none");
    const parameters = [...spec.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(new Set(parameters).size).toBe(parameters.length);
    for (const parameter of parameters) expect(Object.keys(spec.query ?? {})).not.toContain(parameter);
  });
});

describe("the table of limits", () => {
  test("every limit is a whole number above zero", () => {
    for (const [name, value] of Object.entries(limits))
      expect(`${name} ${Number.isSafeInteger(value) && value > 0}`).toBe(`${name} true`);
  });

  test("what depends on each other agrees", () => {
    expect(limits.pageDefault).toBeLessThanOrEqual(limits.pageMax);
    expect(limits.waitSecondsDefault).toBeLessThanOrEqual(limits.waitSecondsMax);
    expect(limits.waitMsLongest).toBeLessThan(limits.waitSecondsMax * 1000);
    expect(limits.deadlineSecondsMin).toBeLessThan(limits.deadlineSecondsMax);
    expect(limits.optionsMin).toBeLessThan(limits.optionsMax);
    expect(limits.storeSoftBytes).toBeLessThan(limits.storeHardBytes);
    expect(limits.inlineBlobBytes).toBeLessThan(limits.brainValueBytes);
    expect(limits.brainValueBytes).toBeLessThan(limits.mcpBodyBytes);
    expect(limits.restBodyBytes).toBeLessThan(limits.mcpBodyBytes);
  });
});

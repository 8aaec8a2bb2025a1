// What an agent reads at its start stays as small as README.md says (mcp-tools.md 2, 21).
import { beforeAll, expect, test } from "bun:test";
import {
  bytesPerToken,
  measureOrientation,
  orientationTokens,
  renderTable,
  type Step,
  storedTable,
} from "./context-economy.ts";

/** A figure of the table may be off by this much before the table has to be written anew. */
const slack = 0.1;

let steps: Step[];
let stored: Awaited<ReturnType<typeof storedTable>>;
beforeAll(async () => {
  steps = await measureOrientation();
  stored = await storedTable();
});

test("an agent knows where it stands after fewer than 2,000 tokens", () => {
  const counted = steps.filter(({ isCounted }) => isCounted);
  expect(counted).toHaveLength(5);
  const bytes = counted.reduce((sum, step) => sum + step.bytes, 0);
  expect(bytes).toBeLessThan(orientationTokens * bytesPerToken);
});

test("no step has grown or shrunk by a tenth since README.md was written; bun test/docs/context-economy.ts does", () => {
  for (const { name, bytes, isCounted } of steps) {
    const said = stored.bytes.get(isCounted ? name : `Not counted: ${name}`) ?? 0;
    expect([name, said > 0, bytes < said * (1 + slack), bytes > said * (1 - slack)]).toEqual([name, true, true, true]);
  }
});

test("the table adds up", () => {
  const said = steps.map((step) => ({
    ...step,
    bytes: stored.bytes.get(step.isCounted ? step.name : `Not counted: ${step.name}`) ?? 0,
  }));
  expect(stored.text).toBe(renderTable(said));
});

// Rows that are read again: from memory until something changes, and never more of them than a call has use for.
import { expect, test } from "bun:test";
import { keepRows, mostKept } from "../../src/storage/kept-rows.ts";

function counted() {
  const asked: string[] = [];
  const kept = keepRows({
    get<Row>(sql: string, ...values: unknown[]) {
      asked.push(`${sql} ${values.join()}`);
      return undefined as Row | undefined; // that there is none is an answer to keep, too
    },
    all: () => [],
  });
  return { kept, asked };
}

test("the same look-up is made once; a change, or a statement that may be one, makes it anew", () => {
  const { kept, asked } = counted();
  const look = () => kept.get("SELECT a", 1);
  for (const between of [
    () => undefined,
    () => kept.all("SELECT b"),
    () => kept.forget(),
    () => kept.all("UPDATE c RETURNING d"),
    () => kept.get("INSERT INTO c RETURNING d"),
  ]) {
    look();
    between();
    look();
  }
  expect(asked.filter((each) => each === "SELECT a 1")).toHaveLength(4);
});

test("however many rows are read in one go, few are kept", () => {
  const { kept, asked } = counted();
  for (let n = 0; n <= mostKept; n += 1) kept.get("SELECT a", n);
  kept.get("SELECT a", mostKept);
  expect(asked).toHaveLength(mostKept + 1);
  kept.get("SELECT a", 0);
  expect(asked).toHaveLength(mostKept + 2);
});

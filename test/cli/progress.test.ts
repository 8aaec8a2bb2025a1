// Progress of long commands (cli.md 2.2): on a terminal and nowhere else.
import { expect, test } from "bun:test";
import { createProgress, progressLine } from "../../src/cli/progress.ts";

test.each([
  [0, 100, 1000, "0%, 0 of 100 bytes"],
  [25, 100, 1000, "25%, 25 of 100 bytes, 3 s left"],
  [100, 100, 1000, "100%, 100 of 100 bytes, 0 s left"],
  [150, 100, 1000, "100%, 150 of 100 bytes, 0 s left"],
])("%i of %i bytes after %i ms", (done, total, elapsedMs, line) => {
  expect(progressLine(done, total, elapsedMs)).toBe(line);
});

test.each([true, false])("somebody watches: %p", async (isWatched) => {
  let shown = "";
  const progress = await createProgress({
    isWatched: async () => isWatched,
    stderr: (text) => {
      shown += text;
    },
  });
  progress.progress(1, 2);
  progress.progress(0, 0);
  progress.end();
  const line = shown.replaceAll("\r\u001b[K", "|").replace(/\d+ s/, "N s");
  expect(line).toBe(isWatched ? "|50%, 1 of 2 bytes, N s left|" : "");
});

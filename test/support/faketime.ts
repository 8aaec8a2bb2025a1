// Moves the wall clock of a running binary with Debian's libfaketime: the library reads its offset from a file at every
// look at the clock. Monotonic time stays real, so timers, waits and time-outs run as they do in service.
import { mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type FakeClock = AsyncDisposable & {
  /** For the environment of the processes that live by this clock. */
  readonly env: Record<string, string>;
  /** What they take for now, milliseconds. */
  now(): number;
  /** Moves the clock on, or back when negative. Every look at it from then on sees the new time. */
  move(ms: number): Promise<void>;
};

export async function openFakeClock(): Promise<FakeClock> {
  const library = await findLibrary();
  const folder = await mkdtemp(join(tmpdir(), "agent-hub-clock-"));
  const file = join(folder, "offset");
  let offsetMs = 0;

  // Put in place in one step: a reader never meets half a file.
  async function store(): Promise<void> {
    const next = `${file}.next`;
    await writeFile(next, `${offsetMs < 0 ? "-" : "+"}${(Math.abs(offsetMs) / 1000).toFixed(3)}\n`);
    await rename(next, file);
  }
  await store();
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    now: () => Date.now() + offsetMs,
    async move(ms) {
      offsetMs += ms;
      await store();
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function findLibrary(): Promise<string> {
  const places = await readdir("/usr/lib", { withFileTypes: true });
  // The one for programs with threads where there is one.
  for (const name of ["libfaketimeMT.so.1", "libfaketime.so.1"]) {
    for (const place of places) {
      const folder = join("/usr/lib", place.name, "faketime");
      const files = await readdir(folder).catch((): string[] => []); // most hold no such folder
      if (files.includes(name)) return join(folder, name);
    }
  }
  throw new Error("libfaketime is not installed; on Debian: apt-get install faketime");
}

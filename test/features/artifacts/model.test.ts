// Any order of drafts, updates, forces, sessions that start and end, quiet times and sweeps by two agents leaves what a
// model of a few lines says (artifacts.md 2, 3).
import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { HubError } from "../../../src/shared/errors.ts";
import { type Lab, openLab, sweep, type Worker } from "./lab.ts";

// A bound, not a wait: every run writes a hundred versions on a machine that others use.
setDefaultTimeout(180_000);

const windowMs = 900_000;

type Step =
  | { do: "draft" | "update"; by: 0 | 1; force: boolean; base: "none" | "current" | "stale" }
  | { do: "start" | "end"; by: 0 | 1 }
  | { do: "quiet" | "sweep" };

const by = fc.constantFrom<0 | 1>(0, 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("draft", "update"),
      by,
      force: fc.boolean(),
      base: fc.constantFrom("none", "current", "stale"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("start", "end"), by }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("quiet", "sweep") }) },
);

/** What the artifact should be. `holder` is the session a live version names. */
type Model = {
  contents: Map<number, string>;
  current: number;
  live: { rev: number; holder: string | null } | null;
  sessions: [string | null, string | null];
  /** Sessions that run and were at work lately. */
  atWork: Set<string>;
  events: number;
};

class Run {
  readonly lab: Lab;
  readonly id: string;
  readonly model: Model = {
    contents: new Map([[1, "first"]]),
    current: 1,
    live: null,
    sessions: [null, null],
    atWork: new Set(),
    events: 1,
  };
  #written = 0;

  constructor(lab: Lab, id: string) {
    this.lab = lab;
    this.id = id;
  }

  worker(index: 0 | 1): Worker {
    return index === 0 ? this.lab.alice : this.lab.bob;
  }

  get holder(): string | null {
    const holder = this.model.live?.holder ?? null;
    return holder !== null && this.model.atWork.has(holder) ? holder : null;
  }

  async take(step: Step): Promise<void> {
    const { model, lab } = this;
    switch (step.do) {
      case "start": {
        const session = await this.worker(step.by).start(`work-${step.by}`);
        model.sessions[step.by] = session;
        model.atWork.add(session);
        return;
      }
      case "end": {
        const session = model.sessions[step.by];
        if (session === null) return;
        await this.worker(step.by).call("session_end", { session_id: session });
        model.sessions[step.by] = null;
        model.atWork.delete(session);
        return;
      }
      case "quiet":
        lab.hub.clock.now += windowMs + 60_000;
        model.atWork.clear();
        return;
      case "sweep":
        await sweep(lab);
        if (model.live?.holder !== null && this.holder === null) model.live = null;
        return;
      default:
        await this.write(step);
    }
  }

  async write({ do: what, by: index, force, base }: Extract<Step, { force: boolean }>): Promise<void> {
    const { model, lab } = this;
    this.#written += 1;
    const content = `content ${this.#written}`;
    const session = model.sessions[index];
    const isStale = what === "update" && base === "stale";
    const isHeld = this.holder !== null && session !== null && session !== this.holder;
    const guard = base === "none" ? {} : { base_version: model.current + (base === "stale" ? 1 : 0) };
    const args = { artifact_id: this.id, content, force, ...(what === "update" ? guard : {}) };
    let refused: unknown;
    try {
      await this.worker(index).call(`artifact_${what}`, args);
      await lab.hub.hub.kernel.services.touches.flush();
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      refused = error.details;
    }
    if (!force && (isStale || isHeld)) {
      expect(refused).toEqual(
        isStale
          ? { current_version: model.current }
          : { live_session: this.holder ?? "", agent: index === 0 ? "bob" : "alice" },
      );
      return;
    }
    expect(refused).toBeUndefined();
    const next = model.current + 1;
    model.contents.set(next, content);
    const held = this.holder;
    if (session !== null) model.atWork.add(session);
    if (what === "draft") {
      model.live = { rev: (model.live?.rev ?? 0) + 1, holder: session ?? held };
    } else {
      model.current = next;
      model.live = null;
      model.events += 1;
    }
  }

  async check(): Promise<void> {
    const { model, lab, id } = this;
    const read = await lab.get(id);
    expect(read).toMatchObject({
      version: model.current,
      content: model.contents.get(model.current) ?? "",
      live_version: model.live === null ? null : model.current + 1,
      live_rev: model.live?.rev ?? 0,
      live_session: model.live?.holder ?? null,
    });
    const idle = this.holder === null ? "idle" : "live";
    expect(await lab.rest("getArtifactLive", id)).toMatchObject({ state: model.live === null ? "sealed" : idle });
    const versions = await lab.versions(id);
    expect(versions.map(({ version }) => version)).toEqual([...model.contents.keys()].sort((a, b) => a - b));
    const sizes = [...model.contents.values()].reduce((sum, content) => sum + content.length, 0);
    expect(await lab.hub.rest("getStorage")).toMatchObject({ by_kind: { artifacts: sizes } });
    expect(await lab.events()).toHaveLength(model.events);
  }
}

test("drafts, updates, forces and endings in any order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      await using lab = await openLab();
      const run = new Run(lab, await lab.publish());
      for (const each of steps) {
        await run.take(each);
        await run.check();
      }
      // Every version that was ever sealed reads as it was, and what was drafted over is garbage.
      for (const [version, content] of run.model.contents) {
        expect(await lab.get(run.id, { version })).toMatchObject({ content });
      }
      lab.hub.clock.now += 600_000;
      await sweep(lab);
      expect(await lab.blobFiles()).toHaveLength(run.model.contents.size);
    }),
    { numRuns: 25 },
  );
});

// Random acts of many clients at once on the sessions of two projects, with restarts and moves of the clock in between,
// against the model: what each caller is told and what is stored afterwards must be what the acts give one after the
// other in some order.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { HubError } from "../../../src/shared/errors.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { objectsIn, rows } from "../as-caller.ts";
import { sweep } from "./ended-lab.ts";
import { type Act, type Answer, apply, type State, windowMs } from "./session-model.ts";

const agents = ["alice", "bob", "carol"];
const projects = ["p", "q"];

/** An act before it is known which session it means: the n-th there is, or was. */
type Plan = { what: Act["do"]; by: string; to: string; project: string; name: string; path: string; nth: number };
type Round = { plans: Plan[]; afterwards: "nothing" | "restart" | "a little time" | "the window" };

const plan: fc.Arbitrary<Plan> = fc.record({
  what: fc.constantFrom(
    ...(["start", "start", "pick up", "pick up", "end", "end", "put", "put here", "reassign"] as const),
    ...(["prune", "prune", "prune all", "undo", "sweep"] as const),
  ),
  by: fc.constantFrom(...agents),
  to: fc.constantFrom(...agents),
  project: fc.constantFrom("p", "p", "p", "q"),
  name: fc.constantFrom("work", "nightly", "other"),
  path: fc.constantFrom("/kv/a", "/kv/b"),
  nth: fc.nat(40),
});
const round: fc.Arbitrary<Round> = fc.record({
  plans: fc.array(plan, { minLength: 1, maxLength: 4 }),
  afterwards: fc.constantFrom("nothing", "nothing", "nothing", "restart", "a little time", "the window"),
});

class World {
  readonly hub: TestHub;
  readonly callers = new Map<string, { caller: Caller; connection: string }>();
  /** Every session and token there ever was: acts name them long after they are gone. */
  readonly ids: string[] = [];
  readonly tokens: string[] = [];
  acts = 0;

  private constructor(hub: TestHub) {
    this.hub = hub;
  }

  static async open(hub: TestHub): Promise<World> {
    const world = new World(hub);
    for (const project of projects) await hub.project(project);
    for (const agent of agents) {
      const caller = await hub.agent(agent);
      world.callers.set(agent, { caller, connection: await hub.connect(caller) });
    }
    return world;
  }

  actOf({ what, by, to, project, name, path, nth }: Plan): Act {
    this.acts += 1;
    const session = this.ids[nth % Math.max(1, this.ids.length)] ?? "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const token = this.tokens[nth % Math.max(1, this.tokens.length)] ?? "none";
    const content = `content ${this.acts}`;
    switch (what) {
      case "start":
        return { do: what, by, project, name };
      case "pick up":
        return { do: what, by, project, name, from: session };
      case "end":
        return { do: what, by: nth % 5 === 0 ? "human" : by, session, note: nth % 2 === 0 ? content : null };
      case "put":
        return { do: what, by, session, path, content };
      case "put here":
        return { do: what, by, path, content };
      case "reassign":
        return { do: what, session, to };
      case "prune":
        return { do: what, session };
      case "prune all":
        return { do: what, project };
      case "undo":
        return { do: what, token };
      case "sweep":
        return { do: what };
    }
  }

  /** What the hub answers, in the words of the model. */
  async perform(act: Act): Promise<Answer> {
    const answer: Answer = { outcome: "", id: "", tokens: {} };
    try {
      answer.outcome = await this.send(act, answer);
    } catch (error) {
      if (!(error instanceof HubError) || error.code === "internal" || error.code === "unavailable") throw error;
      answer.outcome = act.do === "undo" ? "refused" : refusalOf(error, act);
    }
    return answer;
  }

  private async send(act: Act, answer: Answer): Promise<string> {
    switch (act.do) {
      case "start":
      case "pick up": {
        const from = act.do === "pick up" ? { from: { session_id: act.from } } : {};
        const started = await this.call(act.by, "session_start", {
          project_id: act.project,
          session_name: act.name,
          ...from,
        });
        answer.id = String(started["session_id"]);
        if (!this.ids.includes(answer.id)) this.ids.push(answer.id);
        const pickup = started["pickup"];
        if (pickup === null) return `${started["resumed"] === true ? "resumed" : "started"} ${answer.id}`;
        const { mode, from_agent: agent } = Object(pickup);
        return `${mode === "adopt" ? "adopted" : "forked"} ${answer.id} of ${agent}`;
      }
      case "end": {
        const note = act.note === null ? {} : { handoff: act.note };
        await this.call(act.by, "session_end", { session_id: act.session, ...note });
        return "ok";
      }
      case "put":
      case "put here": {
        const session = act.do === "put" ? { session: { session_id: act.session } } : {};
        await this.call(act.by, "brain_put", { ...session, store: "session", path: act.path, content: act.content });
        return "ok";
      }
      case "reassign":
        await this.hub.rest("reassignSession", { params: { id: act.session }, body: { agent: act.to } });
        return "ok";
      case "prune":
        this.remember(answer, act.session, await this.hub.rest("pruneSession", { params: { id: act.session } }));
        return "ok";
      case "prune all": {
        const pruned = await this.hub.rest("pruneProjectSessions", { params: { id: act.project } });
        const moved = objectsIn(pruned, "sessions");
        for (const one of moved) this.remember(answer, String(one["session_id"]), one);
        return `moved ${moved.map((one) => one["session_id"]).sort()}`;
      }
      case "undo":
        await this.hub.rest("undoPrune", { params: { token: act.token } });
        return "ok";
      case "sweep":
        await sweep(this.hub);
        return "ok";
    }
  }

  private call(by: string, tool: string, args: object): Promise<JsonObject> {
    const client = this.callers.get(by);
    if (client === undefined) return this.hub.operator.call(tool, args);
    return client.caller.call(tool, args, { connection: client.connection });
  }

  private remember(answer: Answer, session: string, pruned: JsonObject): void {
    answer.tokens[session] = String(pruned["undo_token"]);
    this.tokens.push(String(pruned["undo_token"]));
  }

  /** The store as the model sees it. */
  state(): State {
    const entries = rows(
      this.hub,
      "SELECT e.session_id, e.path, CAST(b.bytes AS TEXT) AS content FROM brain_entries e JOIN blobs b ON b.id = e.blob",
    );
    const sessions = rows(this.hub, "SELECT * FROM sessions ORDER BY id").map((row) => ({
      id: row["id"],
      project: row["project_id"],
      agent: row["agent"],
      name: row["name"],
      status: row["status"],
      handoff: row["handoff"],
      forkedFrom: row["forked_from"],
      adoptedFrom: row["adopted_from"],
      pruned: row["pruned_at"] === null ? null : { at: row["pruned_at"], token: row["undo_token"] },
      entries: Object.fromEntries(
        entries.filter((entry) => entry["session_id"] === row["id"]).map((entry) => [entry["path"], entry["content"]]),
      ),
    }));
    const slots = rows(this.hub, "SELECT identity, active_session_id FROM connections").map((row) => [
      row["identity"],
      row["active_session_id"],
    ]);
    const told = rows(this.hub, "SELECT payload FROM events WHERE kind = 'session' ORDER BY id").map((row) => {
      const { action, session_id } = JSON.parse(String(row["payload"]));
      return `${action} ${session_id}`;
    });
    return sorted({ now: this.hub.clock.now, sessions, slots: Object.fromEntries(slots), told } as State); // rows of these tables
  }
}

// Tails of a conflict, which say which of them it is.
function refusalOf(error: HubError, act: Act): string {
  const { details } = error;
  if (typeof details["pruned_session_id"] === "string") return `held by ${details["pruned_session_id"]}`;
  if (typeof details["existing_session_id"] === "string") return `exists ${details["existing_session_id"]}`;
  if (act.do === "pick up" && typeof details["session_id"] === "string") return `pruned ${details["session_id"]}`;
  return error.code;
}

function sorted(state: State): State {
  const order = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
  return { ...state, sessions: state.sessions.toSorted(order), told: state.told.toSorted() };
}

function* orders<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, first] of items.entries()) {
    for (const rest of orders(items.filter((_, other) => other !== index))) yield [first, ...rest];
  }
}

type Done = { act: Act; answer: Answer };

// A write that raced a reassignment may leave the connection as it was.
function* readings(done: readonly Done[], isAlone = done.length < 2): Generator<Done[]> {
  const [first, ...others] = done;
  if (first === undefined) {
    yield [];
    return;
  }
  const mayBeLate = !isAlone && first.act.do === "put here" && first.answer.outcome === "conflict";
  const late = { ...first, answer: { ...first.answer, isLate: true } };
  for (const rest of readings(others, isAlone)) {
    yield [first, ...rest];
    if (mayBeLate) yield [late, ...rest];
  }
}

/** The state after the acts in an order that explains what was answered and what is stored; undefined when none does. */
function explain(before: State, done: readonly Done[], stored: State): State | undefined {
  for (const order of orders(done)) {
    for (const reading of readings(order)) {
      const state = structuredClone(before);
      const isTold = reading.every(({ act, answer }) => apply(state, act, answer) === answer.outcome);
      if (isTold && Bun.deepEquals(sorted(state), stored)) return state;
    }
  }
  return undefined;
}

async function walk(rounds: readonly Round[]): Promise<void> {
  await using hub = await openTestHub();
  const world = await World.open(hub);
  let state: State = { now: hub.clock.now, sessions: [], slots: { alice: null, bob: null, carol: null }, told: [] };
  for (const { plans, afterwards } of rounds) {
    const acts = plans.map((one) => world.actOf(one));
    const answers = await Promise.all(acts.map((act) => world.perform(act)));
    await hub.hub.kernel.services.touches.flush();
    const done = acts.map((act, index) => ({ act, answer: answers[index] ?? { outcome: "", id: "", tokens: {} } }));
    const stored = world.state();
    const explained = explain(state, done, stored);
    if (explained === undefined) {
      // For the reader of a failure: one order, beside what happened.
      const naive = structuredClone(state);
      const expected = done.map(({ act, answer }) => apply(naive, act, answer));
      expect({ acts, told: answers.map(({ outcome }) => outcome), stored }).toEqual({
        acts,
        told: expected,
        stored: sorted(naive),
      });
      throw new Error("no order explains it");
    }
    if (afterwards === "restart") await hub.reopen();
    if (afterwards === "a little time") hub.clock.now += windowMs / 2;
    if (afterwards === "the window") hub.clock.now += windowMs;
    state = { ...explained, now: hub.clock.now };
  }
}

test("acts of many clients are acts one after the other", async () => {
  await fc.assert(fc.asyncProperty(fc.array(round, { minLength: 5, maxLength: 30 }), walk), {
    numRuns: 40,
    endOnFailure: true,
  });
}, 120_000);

test("the model and the hub agree act by act", async () => {
  const single = fc.record({ plans: fc.tuple(plan), afterwards: round.map(({ afterwards }) => afterwards) });
  await fc.assert(fc.asyncProperty(fc.array(single, { minLength: 20, maxLength: 80 }), walk), { numRuns: 20 });
}, 120_000);

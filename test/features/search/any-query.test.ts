// Properties of queries: no text is an error, none finds what the caller may not read, and what is found is what a naive
// filter over the visible documents finds, whatever was written, overwritten, deleted and pruned before.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { refusal } from "../as-caller.ts";
import { append } from "../conversation.ts";
import { hitsOf, say, search } from "./finding.ts";

describe("any text at all", () => {
  let hub: TestHub;
  let alice: Caller;
  beforeAll(async () => {
    hub = await openTestHub();
    alice = await hub.agent("alice");
    await hub.project("open");
    await hub.project("hidden", { confidential: true });
    const words = ["red fox", "a", "0", "模型训练", "é", "title body scope rowid", "ffeed", "NEAR OR"];
    for (const project_id of ["open", "hidden"]) {
      await say(hub.operator, project_id, ...words);
      const session = await hub.operator.call("session_start", { project_id, session_name: "s" });
      for (const [index, content] of words.entries()) {
        const path = `/kv/${index}`;
        await hub.operator.call("brain_put", {
          session: { session_id: session["session_id"] },
          store: "session",
          path,
          content,
        });
      }
    }
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const piece = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('"', "*", "^", "(", ")", "{", "}", ":", "+", "-", "'", "\\", ";", "\0", " ", "\t"),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom("AND", "OR", "NOT", "NEAR", "NEAR(", ", 5)", "title :", "scope : ffeed", "rowid"),
    },
    { weight: 2, arbitrary: fc.constantFrom("red", "fox", "a", "模型", "训", "é", "\uD800", "\uDC00", "\u{10FFFF}") },
    { weight: 1, arbitrary: fc.string({ unit, maxLength: 20 }) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  );
  const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(""));

  test("is a query, or blank; and finds nothing of a hidden project", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (query) => {
        if (query.trim() === "") {
          expect(await refusal(search(alice, query))).toMatchObject({ code: "invalid_argument" });
          return;
        }
        const found = await hitsOf(alice, query);
        expect(found.filter((hit) => hit.project_id !== "open")).toEqual([]);
        // The operator finds exactly as much there, and as much again in the other.
        expect((await hitsOf(hub.operator, query, { project_id: "open" })).length).toBe(found.length);
        expect((await hitsOf(hub.operator, query)).length).toBe(found.length * 2);
      }),
      { numRuns: 600 },
    );
  });

  test("is a query however long it is", async () => {
    for (const part of ['"', '""', "a", "a ", '"a ', "模", "模 ", "\uD800", "AND ", "(", "*", "é "]) {
      await hitsOf(alice, part.repeat(20_000) || "x");
      await hitsOf(alice, `x${part.repeat(100_000)}`);
    }
  });
});

type Step =
  | { what: "say"; agent: string; project: string; text: string }
  | { what: "put"; agent: string; project: string; path: string; text: string }
  | { what: "delete"; agent: string; project: string; path: string }
  | { what: "prune"; agent: string; project: string }
  | { what: "undo" }
  | { what: "reopen" };
/** What a hit refers to, and the words that are searched. */
type Document = { project: string; where: string; words: string[] };
type Brain = { project: string; id: string; entries: Map<string, string>; undoToken: string | undefined };

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
const maySee = (name: string, project: string): boolean => project === "open" || name === "bob";

// What a query means, said once more and naively, for words of ASCII letters and digits.
function matches(query: string, words: readonly string[]): boolean {
  const parts = query.split('"');
  const asked = parts.flatMap((part, index): { words: string[]; isPhrase: boolean }[] => {
    if (index % 2 === 1 && index < parts.length - 1) return [{ words: wordsOf(part), isPhrase: true }];
    const bare = part.replaceAll(/\b(?:AND|OR|NOT|NEAR)\b/g, " ");
    return wordsOf(bare).map((word) => ({ words: [word], isPhrase: false }));
  });
  const terms = asked.filter((term) => term.words.length > 0);
  const isThere = (term: { words: string[]; isPhrase: boolean }, isLast: boolean): boolean =>
    words.some((_, at) =>
      term.words.every((word, offset) => {
        const there = words[at + offset] ?? "";
        return isLast && !term.isPhrase ? there.startsWith(word) : there === word;
      }),
    );
  return terms.length > 0 && terms.every((term, index) => isThere(term, index === terms.length - 1));
}

/** Takes the steps on a hub; what there is to find afterwards. */
async function play(hub: TestHub, callers: ReadonlyMap<string, Caller>, steps: readonly Step[]): Promise<Document[]> {
  const said: Document[] = [];
  const brains = new Map<string, Brain>();

  async function brainOf(by: Caller, project: string): Promise<Brain | undefined> {
    const key = `${by.actor} ${project}`;
    const known = brains.get(key);
    if (known?.undoToken !== undefined) return undefined;
    const started = await by.call("session_start", { project_id: project, session_name: "s" });
    const brain = known ?? { project, id: String(started["session_id"]), entries: new Map(), undoToken: undefined };
    brains.set(key, brain);
    return brain;
  }

  async function change(by: Caller, step: Extract<Step, { agent: string }>): Promise<void> {
    if (step.what === "say") {
      const where = await append(by, step.project, { summary: "said", payload: { body: step.text } });
      said.push({ project: step.project, where, words: ["said", ",", "body", ...wordsOf(step.text)] });
      return;
    }
    const brain = await brainOf(by, step.project);
    if (brain === undefined) return;
    const session = { session_id: brain.id };
    if (step.what === "prune") {
      await by.call("session_end", session);
      brain.undoToken = String((await hub.rest("pruneSession", { params: { id: brain.id } }))["undo_token"]);
      return;
    }
    const { path } = step;
    // Refused where a file would be a directory; then nothing changed.
    const isTaken =
      step.what === "put"
        ? by.call("brain_put", { session, store: "session", path, content: step.text })
        : by.call("brain_delete", { session, store: "session", path });
    if (!(await isTaken.then(Boolean, () => false))) return;
    if (step.what === "put") brain.entries.set(path, step.text);
    else brain.entries.delete(path);
  }

  for (const step of steps) {
    if (step.what === "reopen") await hub.reopen();
    else if (step.what === "undo") {
      const brain = [...brains.values()].find(({ undoToken }) => undoToken !== undefined);
      if (brain?.undoToken === undefined) continue;
      await hub.rest("undoPrune", { params: { token: brain.undoToken } });
      brain.undoToken = undefined;
    } else {
      const by = callers.get(step.agent);
      if (by !== undefined && maySee(step.agent, step.project)) await change(by, step);
    }
  }
  const kept = [...brains.values()].filter(({ undoToken }) => undoToken === undefined);
  return [
    ...said,
    ...kept.flatMap(({ project, id, entries }) =>
      [...entries].map(([path, content]) => ({
        project,
        where: `${id}:${path}`,
        words: [...wordsOf(path), ",", ...wordsOf(content)],
      })),
    ),
  ];
}

describe("against a naive filter", () => {
  const word = fc.constantFrom("red", "redo", "re", "fox", "foxes", "a", "x1", "and", "near");
  const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
  const path = fc.constantFrom("/kv/one", "/kv/red", "/fs/fox", "/fs/a/red.md", "/fs/fox/a");
  const agent = fc.constantFrom("alice", "bob");
  const project = fc.constantFrom("open", "hidden");
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ what: fc.constant("say" as const), agent, project, text }),
    { weight: 2, arbitrary: fc.record({ what: fc.constant("put" as const), agent, project, path, text }) },
    fc.record({ what: fc.constant("delete" as const), agent, project, path }),
    fc.record({ what: fc.constant("prune" as const), agent, project }),
    fc.record({ what: fc.constant("undo" as const) }),
    fc.record({ what: fc.constant("reopen" as const) }),
  );
  const part = fc.oneof(word, fc.constantFrom('"', " ", "-", "AND", "OR", "fo", "r", "x", "zzz", "."));
  const query = fc.array(part, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(" "));
  const queries = fc.array(query, { minLength: 3, maxLength: 6 });

  test("what each caller finds is what of it matches", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), queries, async (steps, asked) => {
        await using hub = await openTestHub();
        const callers = new Map([
          ["alice", await hub.agent("alice")],
          ["bob", await hub.agent("bob")],
        ]);
        await hub.project("open");
        await hub.project("hidden", { confidential: true });
        await hub.rest("createGrant", { params: { id: "bob" }, body: { project_id: "hidden" } });
        const documents = await play(hub, callers, steps);
        for (const [name, by] of callers) {
          for (const text of asked) {
            if (text.trim() === "") continue;
            const expected = documents.filter(({ project, words }) => maySee(name, project) && matches(text, words));
            const found = (await hitsOf(by, text)).filter((hit) => hit.event_kind !== "session");
            const where = found.map((hit) => (hit.kind === "brain" ? `${hit.session_id}:${hit.ref_id}` : hit.ref_id));
            expect({ name, text, where: where.sort() }).toEqual({
              name,
              text,
              where: expected.map((document) => document.where).sort(),
            });
          }
        }
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});

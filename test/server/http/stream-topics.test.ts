// Which topics each kind of write names on the live stream, and that it names nothing else (rest-api.md 16).
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { type LiveStreamReader, openLiveStream, topicsOf } from "../../support/live-stream.ts";

// In every title, body, name and payload below; no byte of the stream may hold it.
const secret = "SECRET";

let hub: TestHub;
let stream: LiveStreamReader;
let alice: Caller;
let connection: string;

beforeAll(async () => {
  hub = await openTestHub({ config: { sweepIntervalSecs: 1 } });
  alice = await hub.agent("alice");
  connection = await hub.connect(alice);
  await hub.project("p");
  stream = await openLiveStream(await hub.listen(), { token: hub.operator.token });
  await stream.until("tick");
});
afterAll(async () => {
  await stream[Symbol.asyncDispose]();
  await hub[Symbol.asyncDispose]();
});

/** Topics of every change up to a mark of our own. */
async function topicsUpToMark(): Promise<string[]> {
  const mark = `artifact:${crypto.randomUUID()}`;
  hub.hub.kernel.bus.publish([mark]);
  const topics: string[] = [];
  for (let change = 0; change < 100; change += 1) {
    const named = topicsOf((await stream.until("change")).found);
    topics.push(...named);
    if (named.includes(mark)) return [...new Set(topics)].filter((topic) => topic !== mark).sort();
  }
  throw new Error("the mark never came");
}

const append = (kind: string, more: object = {}): Promise<JsonObject> =>
  alice.call("signal_append", { project_id: "p", kind, summary: secret, payload: { secret }, ...more }, { connection });
const ask = (more: object = {}): Promise<JsonObject> =>
  alice.call("question_post", {
    project_id: "p",
    subject: secret,
    body: secret,
    context: secret,
    options: [secret, "b"],
    ...more,
  });
const idOf = async (written: Promise<JsonObject>): Promise<string> => String((await written)["event_id"]);
const startSession = (): Promise<JsonObject> =>
  alice.call("session_start", { project_id: "p", session_name: secret }, { connection });

type Act = () => Promise<unknown>;
/** `before` prepares what the act needs; its topics are not looked at. */
type Row = [
  what: string,
  topics: string[],
  act: (prepared: string) => Promise<unknown>,
  before?: () => Promise<string>,
];

function artifactRows(): Row[] {
  const published = async (): Promise<string> => {
    const sent = { project_id: "p", kind: "markdown", title: secret, content: secret, description: secret };
    return String((await alice.call("artifact_publish", sent))["artifact_id"]);
  };
  // The artifact's own topic is its id, which no test knows before.
  const own = (topics: string[]): string[] => ["artifact:<id>", "artifacts:p", ...topics];
  const write = (tool: string) => (id: string) =>
    alice.call(tool, { artifact_id: id, content: secret }, { connection });
  const commented = async (id: string): Promise<string> => {
    const { comment } = await alice.call("comment_post", { artifact_id: id, body: secret });
    return String(Object(comment).id);
  };
  return [
    ["an artifact is published", own(["feed:p"]), published],
    ["an artifact is updated", own(["feed:p"]), write("artifact_update"), published],
    ["an artifact is drafted", own([]), write("artifact_draft"), published],
    [
      "an artifact is drafted again",
      ["artifact:<id>"],
      write("artifact_draft"),
      async () => {
        const id = await published();
        await write("artifact_draft")(id);
        return id;
      },
    ],
    ["an artifact is commented on", own([]), commented, published],
    ["an artifact is shared", own([]), (id) => hub.rest("createShare", { params: { id } }), published],
    ["a link that is not there is revoked", [], (id) => hub.rest("revokeShare", { params: { id } }), published],
    ["an artifact is deleted", own(["feed:p", "storage"]), write("artifact_delete"), published],
  ];
}

const rows: Row[] = [
  ["a project is made", ["projects"], () => hub.project("made")],
  [
    "a project is renamed",
    ["projects"],
    () => hub.rest("updateProject", { params: { id: "p" }, body: { display_name: secret } }),
  ],
  [
    "a project is closed",
    ["projects"],
    () => hub.rest("updateProject", { params: { id: "made" }, body: { confidential: true } }),
  ],
  [
    "a project is opened",
    ["projects"],
    () => hub.rest("updateProject", { params: { id: "made" }, body: { confidential: false } }),
  ],
  [
    "a project is deleted",
    ["feed:made", "inbox", "projects", "sessions:made", "storage"],
    () => hub.rest("deleteProject", { params: { id: "made" } }),
  ],
  ["nothing is named in a change of a project", [], () => hub.rest("updateProject", { params: { id: "p" }, body: {} })],
  ["a signal", ["feed:p"], () => append("signal")],
  ["an idea", ["feed:p"], () => append("idea")],
  ["finished work", ["feed:p", "inbox"], () => append("finished")],
  ["an approval", ["feed:p", "inbox"], () => append("approval")],
  ["a question", ["feed:p", "inbox"], () => ask()],
  [
    "an answer of an agent",
    ["feed:p", "inbox"],
    (id) => alice.call("answer_post", { question_id: id, body: secret }),
    () => idOf(ask()),
  ],
  [
    "an answer of the operator",
    ["feed:p", "inbox"],
    (id) => hub.rest("answerQuestion", { params: { id }, body: { body: secret } }),
    () => idOf(ask()),
  ],
  [
    "a decision",
    ["feed:p", "inbox"],
    (id) => hub.rest("decideApproval", { params: { id }, body: { decision: "decline", note: secret } }),
    () => idOf(append("approval")),
  ],
  [
    "an expiry",
    ["feed:p", "inbox"],
    async () => {
      hub.clock.now += 60_000;
      await hub.rest("listInbox");
    },
    () => idOf(ask({ expires_in_seconds: 60 })),
  ],
  [
    "an entry is read",
    ["inbox"],
    (id) => hub.rest("markRead", { params: { event_id: id } }),
    () => idOf(append("finished")),
  ],
  [
    "an entry is unread again",
    ["inbox"],
    (id) => hub.rest("markUnread", { params: { event_id: id } }),
    async () => {
      const id = await idOf(append("finished"));
      await hub.rest("markRead", { params: { event_id: id } });
      return id;
    },
  ],
  ["all is read", ["inbox"], () => hub.rest("markAllRead")],
  ["nothing is left to read", [], () => hub.rest("markAllRead")],
  [
    "an item is snoozed",
    ["inbox"],
    (id) =>
      hub.rest("snoozeItem", {
        params: { event_id: id },
        body: { until: new Date(hub.clock.now + 60_000).toISOString() },
      }),
    () => idOf(ask()),
  ],
  [
    "an item is woken",
    ["inbox"],
    (id) => hub.rest("wakeItem", { params: { event_id: id } }),
    async () => {
      const id = await idOf(ask());
      const until = new Date(hub.clock.now + 60_000).toISOString();
      await hub.rest("snoozeItem", { params: { event_id: id }, body: { until } });
      return id;
    },
  ],
  [
    "a deadline is extended",
    ["inbox"],
    (id) => hub.rest("extendItem", { params: { event_id: id }, body: { seconds: 600 } }),
    () => idOf(ask({ expires_in_seconds: 60 })),
  ],
  [
    "the operator has seen a feed",
    ["projects"],
    (id) => hub.rest("markFeedSeen", { params: { id: "p" }, body: { event_id: id } }),
    () => idOf(append("signal")),
  ],
  ["a session starts", ["feed:p", "sessions:p"], startSession],
  ["a session is resumed", ["sessions:p"], startSession],
  [
    "a brain is written",
    ["sessions:p"],
    () => alice.call("brain_put", { store: "session", path: `/kv/${secret}`, content: secret }, { connection }),
  ],
  [
    "a session ends",
    ["feed:p", "sessions:p"],
    (id) => alice.call("session_end", { session_id: id, handoff: secret }, { connection }),
    async () => String((await startSession())["session_id"]),
  ],
  [
    "the operator ends a session",
    ["feed:p", "sessions:p"],
    (id) => hub.rest("endSession", { params: { id } }),
    async () => String((await startSession())["session_id"]),
  ],
  [
    "a session is given to another agent",
    ["feed:p", "sessions:p"],
    (id) => hub.rest("reassignSession", { params: { id }, body: { agent: "dora" } }),
    async () => {
      await hub.agent("dora");
      return String((await startSession())["session_id"]);
    },
  ],
  [
    "an agent is renamed",
    ["agents"],
    () => hub.rest("updateAgent", { params: { id: "alice" }, body: { display_name: secret } }),
  ],
  ...artifactRows(),
  ["a read", [], () => alice.call("inbox_read")],
  ["an agent's own reading", [], () => alice.call("feed_read", { project_id: "p" })],
  ["a subscription", [], () => alice.call("notify_subscribe", { kinds: ["signal"] })],
  [
    "a refused write",
    [],
    () => alice.call("signal_append", { project_id: "p", kind: "nonsense" }).catch(() => undefined),
  ],
];

test.each(rows)("%s", async (_what, topics, act, before) => {
  const prepared = (await before?.()) ?? "";
  await topicsUpToMark();
  await act(prepared);
  const named = await topicsUpToMark();
  expect(named.map((topic) => topic.replace(/^artifact:\w{26}$/, "artifact:<id>"))).toEqual(topics);
});

// Audit records are in the operator's feed, so the feeds they are in may be named too.
test.each<[string, string, Act]>([
  ["an agent is made", "agents,projects", () => hub.rest("createAgent", { body: { id: "bob", display_name: secret } })],
  ["a token is issued", "agents", () => hub.rest("issueToken", { params: { id: "bob" } })],
  ["a token is revoked", "agents", () => hub.rest("revokeToken", { params: { id: "bob" } })],
  [
    "a grant is set",
    "agents",
    () => hub.rest("createGrant", { params: { id: "bob" }, body: { agent_id: "bob", project_id: "p" } }),
  ],
  ["a grant is removed", "agents", () => hub.rest("deleteGrant", { params: { id: "bob", project_id: "p" } })],
])("%s", async (_what, topics, act) => {
  await topicsUpToMark();
  await act();
  const named = await topicsUpToMark();
  expect(named.filter((topic) => !topic.startsWith("feed:")).join()).toBe(topics);
});

test("a snooze that runs out is told by the sweep", async () => {
  const id = await idOf(ask());
  await hub.rest("snoozeItem", {
    params: { event_id: id },
    body: { until: new Date(hub.clock.now + 1000).toISOString() },
  });
  await topicsUpToMark();
  hub.clock.now += 1000;
  expect(topicsOf((await stream.until("change")).found)).toEqual(["inbox"]);
});

test("every change has its tick before it, ids rise, and no byte says more of a change than its name", () => {
  const text = stream.text();
  expect(text).not.toContain(secret);
  const blocks = text.split("\n\n").slice(0, -1);
  const topic =
    "(?:inbox|projects|agents|storage|hub|(?:feed|artifacts|sessions|kb):[A-Za-z0-9_-]+|artifact:[A-Za-z0-9-]+)";
  const change = new RegExp(
    `^event: change\\nid: [0-9a-f-]{36}\\.(\\d+)\\ndata: \\{"topics":\\["${topic}"(?:,"${topic}")*\\]\\}$`,
  );
  let number = 0;
  let previous = "";
  for (const block of blocks.slice(1)) {
    if (block !== "event: tick\ndata: 1" && !block.startsWith(":")) {
      expect(block).toMatch(change);
      const id = Number(change.exec(block)?.[1]);
      expect(id).toBeGreaterThan(number);
      number = id;
      expect(previous).toBe("event: tick\ndata: 1");
    }
    previous = block;
  }
  expect(number).toBeGreaterThan(rows.length);
});

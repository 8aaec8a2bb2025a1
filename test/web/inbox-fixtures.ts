// What the Inbox is tried and looked at with: nothing, an ordinary day, a flood, ten thousand items, hostile words, and
// languages that run from the right. Everything comes in as it would: agents over MCP, the operator over REST.
import type { Agent, WebHub } from "./support/hub.ts";

export const hour = 3600;

const parallel = 8;

export function ask(agent: Agent, project: string, subject: string, more: object = {}): Promise<string> {
  return agent.call("question_post", { project_id: project, subject, ...more }).then(idOf);
}

export function request(agent: Agent, project: string, summary: string, more: object = {}): Promise<string> {
  return agent.call("signal_append", { project_id: project, kind: "approval", summary, ...more }).then(idOf);
}

export function finish(agent: Agent, project: string, summary: string, payload?: object): Promise<string> {
  const more = payload === undefined ? {} : { payload };
  return agent.call("signal_append", { project_id: project, kind: "finished", summary, ...more }).then(idOf);
}

function idOf(answer: Record<string, unknown>): string {
  return String(answer["question_id"] ?? answer["event_id"]);
}

/** An ordinary day: three projects, three agents, every kind of item in every state. */
export async function fillTypical(hub: WebHub): Promise<{ deployer: Agent; scout: Agent; indexer: Agent }> {
  await hub.project("homelab", "Homelab");
  await hub.project("notes", "Notes");
  await hub.project("garden", "Garden planner");
  const deployer = await hub.agent("deployer");
  const scout = await hub.agent("scout");
  const indexer = await hub.agent("indexer");

  const settled = [
    await request(deployer, "homelab", "Rotate the backup key"),
    await ask(scout, "notes", "Which calendar holds the birthdays?", { options: ["Family", "Private"] }),
    await request(deployer, "homelab", "Delete the old staging volume", {
      payload: { body: "120 GB, last used in May." },
    }),
  ];
  await hub.operate("decideApproval", { params: { id: settled[0] ?? "" }, body: { decision: "approve" } });
  await hub.operate("answerQuestion", { params: { id: settled[1] ?? "" }, body: { body: "Family" } });
  await hub.operate("decideApproval", {
    params: { id: settled[2] ?? "" },
    body: { decision: "decline", note: "Keep it until the move is over." },
  });
  const read = await finish(indexer, "notes", "Indexed 1204 notes", { body: "No errors. 3 duplicates were merged." });
  await hub.operate("markRead", { params: { event_id: read } });

  await finish(deployer, "homelab", "Nightly backup verified", { body: "All 418 files restored in 92 s." });
  await finish(indexer, "notes", "Cost report for November", {
    body: "| Service | Cost |\n|---|---:|\n| Storage | 4.20 |\n| Compute | 11.75 |\n\nCompute went **down** by a third.",
    artifact_id: "01JQ4TABCDEFGHJKMNPQRS9ZKX",
  });
  await finish(scout, "garden", "Ordered seeds for the spring beds");

  await request(deployer, "homelab", "Ship release 2.4?", {
    expires_in_seconds: 14 * 60 + 20,
    on_expiry: "decline",
    payload: {
      body: "Tests are green, two migrations, about **40 s** of downtime expected.\n\n- `web` and `worker` restart\n- the queue is drained first",
      effects: ["Restarts web and worker", "Runs migrations 41 and 42", "About 40 s of downtime"],
      reversible: false,
      command: "deploy --env production --tag v2.4.0",
      session_id: "01JQ4TABCDEFGHJKMNPQRS9ZKX",
      build: { commit: "4f1c9ab", checks: 214 },
    },
  });
  await ask(scout, "notes", "Which database should the search use?", {
    body: "Both fit. Postgres is there already; SQLite needs no server.",
    options: ["Use Postgres", "Use SQLite", "Ask me again next week"],
    expires_in_seconds: 3 * hour,
  });
  await request(deployer, "homelab", "Renew the certificate for box-01", {
    expires_in_seconds: 26 * hour,
    on_expiry: "approve",
    payload: { body: "It ends in 9 days. Renewing takes a minute and changes nothing else." },
  });
  await ask(scout, "garden", "What is the budget for the greenhouse?", {
    body: "I found three kits between 400 and 1900.",
    context: "The bed along the south wall is 4.2 m long; the widest kit needs 3.8 m.",
  });
  const asleep = await request(indexer, "notes", "Merge the duplicate contacts", {
    expires_in_seconds: 90 * hour,
    payload: { body: "37 pairs look alike. Nothing is deleted; the older card is kept as a note." },
  });
  await hub.operate("snoozeItem", {
    params: { event_id: asleep },
    body: { until: new Date(Date.now() + 5 * hour * 1000).toISOString() },
  });
  return { deployer, scout, indexer };
}

/** One agent with 39 things, another with one. */
export async function fillFlood(hub: WebHub): Promise<void> {
  await hub.project("homelab", "Homelab");
  const indexer = await hub.agent("indexer");
  const deployer = await hub.agent("deployer");
  for (let number = 1; number <= 39; number += 1) {
    await request(indexer, "homelab", `Reindex shelf ${number}`, { expires_in_seconds: hour + number });
  }
  await request(deployer, "homelab", "Ship release 2.4?");
}

/** Many read items, and some unread ones. */
export async function fillLarge(hub: WebHub, earlier: number, unread: number): Promise<void> {
  await hub.project("homelab", "Homelab");
  const agents = await Promise.all(["indexer", "deployer", "scout"].map((id) => hub.agent(id)));
  const post = async (amount: number, what: string): Promise<void> => {
    let number = 0;
    const work = async (agent: Agent): Promise<void> => {
      while (number < amount) {
        number += 1;
        await finish(agent, "homelab", `${what} ${number}`, { body: `Run ${number} of the nightly job.` });
      }
    };
    await Promise.all(Array.from({ length: parallel }, (_, index) => work(agents[index % 3] ?? fail())));
  };
  await post(earlier, "Nightly run");
  await hub.operate("markAllRead", { body: {} });
  await post(unread, "Fresh run");
}

/** Words an agent may write to harm or to confuse. */
const hostileWords = [
  '<img src=x onerror="document.title=1"><script>document.title=1</script>',
  "javascript:alert(1) [press](javascript:alert(1)) {{7*7}}",
  "evil\u202Egnp.exe and \u2066inside\u2069 zero\u200Bwidth",
  "W".repeat(300),
  "😀👩‍👩‍👧‍👦🇦🇹 and e\u0301\u0301\u0301\u0301\u0301\u0301",
];

export async function fillZoo(hub: WebHub): Promise<void> {
  await hub.project(
    "zoo",
    "A project whose name is long enough to be cut wherever it stands, and then some more words",
  );
  const agent = await hub.agent("an-agent-whose-name-has-sixty-four-characters-in-it-and-no-blank");
  for (const words of hostileWords) {
    await request(agent, "zoo", words, {
      payload: {
        body: `${words}\n\n<b>not bold</b> ![x](https://example.org/x.png)`,
        [words.slice(0, 60)]: words,
        command: words,
      },
    });
    await ask(agent, "zoo", words, { body: words, options: [words.slice(0, 70), "An ordinary answer"] });
    await finish(agent, "zoo", words, { body: words });
  }
}

export async function fillRtl(hub: WebHub): Promise<void> {
  await hub.project("rtl", "مشروع المنزل");
  const agent = await hub.agent("عامل");
  await request(agent, "rtl", "هل ننشر الإصدار 2.4 الآن؟", {
    expires_in_seconds: 14 * 60,
    payload: {
      body: "الاختبارات خضراء، وهناك ترحيلان، ونتوقع توقفًا لمدة 40 ثانية.\n\n- يعاد تشغيل `web`\n- تُفرَّغ قائمة الانتظار أولًا",
    },
  });
  await ask(agent, "rtl", "באיזה מסד נתונים להשתמש?", {
    options: ["Postgres", "להשתמש ב-SQLite"],
    body: "שניהם מתאימים.",
  });
  await finish(agent, "rtl", "تم التحقق من النسخة الاحتياطية", { body: "418 ملفًا في 92 ثانية." });
}

function fail(): never {
  throw new Error("no agent");
}

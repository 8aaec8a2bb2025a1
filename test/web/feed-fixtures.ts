// Hubs as Home, the projects and the feeds are tested on: sessions at work, many projects, and feeds of any length.
import { finish } from "./inbox-fixtures.ts";
import type { Agent, WebHub } from "./support/hub.ts";

const parallel = 8;

export type Crew = { deployer: Agent; scout: Agent; indexer: Agent };

/** Sessions at work, and what agents say besides what waits. */
export async function fillSessions(hub: WebHub, { deployer, scout, indexer }: Crew): Promise<void> {
  await hub.project("ledger", "Household ledger");
  await hub.operate("updateProject", { params: { id: "ledger" }, body: { confidential: true } });
  await indexer.call("session_start", { project_id: "notes", session_name: "crawl-shelves" });
  await say(indexer, "notes", "signal", "412 of 1204 notes read, no errors so far.");
  await say(indexer, "notes", "idea", "Two shelves hold the same manuals. One index could serve both.");
  await deployer.call("session_start", { project_id: "homelab", session_name: "release-2-4" });
  await say(deployer, "homelab", "signal", "Build 214 is green. The images are pushed and signed.");
  await say(scout, "garden", "signal", "Frost is likely on Thursday night; the seedlings stay inside until Friday.");
}

/** Many projects, one of them with a long feed. */
export async function fillBusy(hub: WebHub): Promise<void> {
  const agents = await Promise.all(["indexer", "deployer", "scout"].map((id) => hub.agent(id)));
  for (let number = 1; number <= 40; number += 1) await hub.project(`project-${number}`, `Project number ${number}`);
  const [first] = agents;
  if (first === undefined) return;
  await fillFeed(agents, "project-1", 400);
  for (let number = 2; number <= 12; number += 1) await finish(first, `project-${number}`, `Nightly run ${number}`);
}

/** So many updates in one feed, as quick as the hub takes them; answers with their ids, oldest first. */
export async function fillFeed(agents: readonly Agent[], project: string, amount: number): Promise<string[]> {
  const ids: string[] = [];
  let number = 0;
  const work = async (agent: Agent): Promise<void> => {
    while (number < amount) {
      number += 1;
      const words = `Update ${number}: shelf ${number % 37} was read.`;
      const body =
        number % 3 === 0 ? `Nothing moved. ${"Each book stands where the list says. ".repeat(number % 4)}` : undefined;
      ids.push(await say(agent, project, "signal", words, body === undefined ? {} : { payload: { body } }));
    }
  };
  const workers = Array.from({ length: parallel }, (_, index) => agents[index % agents.length]);
  await Promise.all(workers.map((agent) => (agent === undefined ? undefined : work(agent))));
  return ids.toSorted();
}

export async function say(
  agent: Agent,
  project: string,
  kind: "signal" | "idea",
  summary: string,
  more: object = {},
): Promise<string> {
  const { event_id: id } = await agent.call("signal_append", { project_id: project, kind, summary, ...more });
  return String(id);
}

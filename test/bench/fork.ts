// Taking up a running session whose brain holds 10,000 entries: the whole call, beside the bare copy of its rows.
import { Database } from "bun:sqlite";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { type Figure, inTurns, repetitions } from "./figure.ts";
import { startServer } from "./programs.ts";
import { callOnce } from "./requests.ts";
import { environmentOf } from "./subject.ts";

const entries = 10_000;
const writersAtOnce = 64;
/** What the call may take, milliseconds. */
const budgetMs = 150;

export const forkFigure: Figure = {
  name: "fork",
  async measure({ hub, agents, folder, binary }) {
    const [owner, other] = agents;
    if (owner === undefined || other === undefined) return [];
    const session = { name: "large", project_id: owner.projectId };
    await callOnce(hub.url, owner.token, {
      name: "session_start",
      arguments: { project_id: owner.projectId, session_name: "large" },
    });
    const agent = String(await whoami(hub.url, owner.token));
    let next = 0;
    const writer = async (): Promise<void> => {
      while (next < entries) {
        const index = next;
        next += 1;
        const content = `value ${index} of what the session knows`;
        const args = {
          session: { ...session, agent },
          store: "session",
          path: `/kv/group-${index % 100}/${index}`,
          content,
        };
        await callOnce(hub.url, owner.token, { name: "brain_put", arguments: args });
      }
    };
    await Promise.all(Array.from({ length: writersAtOnce }, writer));

    let forks = 0;
    const fork = async (): Promise<number> => {
      forks += 1;
      const startedAt = performance.now();
      await callOnce(hub.url, other.token, {
        name: "session_start",
        arguments: { project_id: owner.projectId, session_name: `fork-${forks}`, from: { ...session, agent } },
      });
      return performance.now() - startedAt;
    };
    // The hub goes on in the meantime; its store as it is now is what the floor copies rows in.
    const copy = join(folder, "fork-floor.db");
    using bare = await copyOf(join(folder, "data", "hub.db"), copy);
    const [ofHub = [], ofFloor = []] = await inTurns([fork, async () => copyRows(bare)], repetitions);
    const common = { name: "fork of 10,000 entries", unit: "ms", hub: ofHub, ofServers: null };
    const target = { kind: "at most", must: 1, ambitious: null } as const;
    void binary;
    void environmentOf;
    void startServer;
    return [
      { ...common, floor: ofHub.map(() => budgetMs), against: "the target", target },
      { ...common, floor: ofFloor, against: "the same rows copied by bare SQL, FULL", target: null },
    ];
  },
};

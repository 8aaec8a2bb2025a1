// What Agents, Settings, Hub and first run are tried and looked at with: an ordinary house, a crowd, names that break
// things, and languages that run from the right.
import { fillTypical } from "./inbox-fixtures.ts";
import type { Agent, WebHub } from "./support/hub.ts";

const hostileNames = [`<img src=x onerror=alert(1)>`, "‮gnp.exe​ {{7*7}}", "W".repeat(120), "👩‍👩‍👧‍👦 fleet"] as const;

/** Agents in every standing, and a confidential project that one of them may enter. */
export async function fillHouse(hub: WebHub): Promise<{ scout: Agent; deployer: Agent }> {
  const { scout, deployer } = await fillTypical(hub);
  await hub.project("ledger", "Household ledger");
  await hub.operate("updateProject", { params: { id: "ledger" }, body: { confidential: true } });
  await hub.operate("createGrant", { params: { id: "scout" }, body: { project_id: "ledger" } });
  await scout.call("session_start", { project_id: "notes", session_name: "calendar-cleanup" });
  await scout.call("signal_append", {
    project_id: "notes",
    kind: "signal",
    summary: "Merged three duplicate calendars",
  });
  await hub.agent("night-watch");
  await hub.operate("createAgent", { body: { id: "archivist", display_name: "Archivist" } });
  await fetch(`${hub.url}/api/v1/enrol`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ display_name: "Gardener", why: "I water the plants and want to say when." }),
  });
  return { scout, deployer };
}

export async function fillCrowd(hub: WebHub, agents: number): Promise<void> {
  await hub.project("homelab", "Homelab");
  for (let number = 1; number <= agents; number += 1) {
    const id = `worker-${String(number).padStart(3, "0")}`;
    await hub.operate("createAgent", { body: { id, display_name: `Worker ${number}` } });
  }
}

/** The first of them has an id of 64 characters. */
export async function fillHostileNames(hub: WebHub): Promise<string> {
  const longest = "agent-with-an-id-of-sixty-four-characters-without-any-place-to-wr";
  await hub.operate("createAgent", { body: { id: longest.slice(0, 64), display_name: "N".repeat(60) } });
  for (const [index, name] of hostileNames.entries()) {
    await hub.operate("createAgent", { body: { id: `strange-${index}`, display_name: name } });
    await hub.operate("createProject", { body: { id: `strange-${index}`, display_name: name } });
  }
  return longest.slice(0, 64);
}

export async function fillRtlHouse(hub: WebHub): Promise<void> {
  await hub.project("garden", "حديقة المنزل");
  await hub.project("notes", "פנקס הרשימות");
  for (const [id, name] of [
    ["gardener", "البستاني"],
    ["librarian", "הספרנית"],
  ] as const) {
    await hub.operate("createAgent", { body: { id, display_name: name } });
    await hub.operate("issueToken", { params: { id } });
  }
}

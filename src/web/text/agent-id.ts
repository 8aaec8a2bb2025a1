// The id of a new agent, made from its name: as the hub makes one for an agent that asks to join (cli.md 7), and free.
import { isReservedAgentId } from "../../shared/ids.ts";
import { freeIdBeside, projectIdFrom } from "./project-id.ts";

/** For a name without a letter an id could keep. */
const nameless = "agent";

export function agentIdFrom(name: string, taken: ReadonlySet<string>): string {
  const hasLetter = /[a-z0-9]/i.test(name.normalize("NFKD"));
  const id = hasLetter ? projectIdFrom(name) : nameless;
  return taken.has(id) || isReservedAgentId(id) ? freeIdBeside(id, taken) : id;
}

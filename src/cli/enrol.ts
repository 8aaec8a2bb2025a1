// `agent-hub enrol`: ask for an identity and wait for the operator (cli.md 7).
import { enrolNoteExpected, isEnrolNote } from "../shared/enrol-note.ts";
import type { Command, Input } from "./command.ts";
import { UsageError } from "./exit-codes.ts";
import { hubUrl } from "./hub-url.ts";

const defaultWhy = "Agent requesting access";

export const command: Command = {
  name: "enrol",
  usage: `usage: agent-hub enrol [why] [--why TEXT] [--name NAME] [--id ID] [--url URL] [--force]

Asks a hub for an identity and waits until its operator decides. Once approved, the token and the hub's address are kept
in the config file, and the next command needs no environment. Interrupted, the same command goes on waiting.

  why, --why TEXT  why, one line of at most 199 characters; default "${defaultWhy}"
  --name NAME      the name the operator sees (also --display-name); default: HUB_AGENT_ID, USER, HOSTNAME, Agent
  --id ID          the agent id to ask for; default: the hub makes one of the name
  --url URL        the hub; default: HUB_URL, or url under [client] of the config file
  --force          ask although a token or an open request is there

exit codes
  0   approved, or a token is configured already
  1   the hub refused the request, printed on stderr as JSON
  2   bad command line
  69  the hub could not be reached
  77  the operator refused, or the request expired
  78  configuration
`,
  positionals: { min: 0, max: 1 },
  options: {
    why: { takes: "value" },
    name: { takes: "value" },
    "display-name": { takes: "value" },
    id: { takes: "value" },
    url: { takes: "value" },
    force: { takes: "flag" },
  },
  async run(input, io) {
    const asked = readAsked(input);
    // What it needs of the file system costs time to load, which help must not.
    const { enrol } = await import("./enrol-run.ts");
    return enrol(asked, io);
  },
};

/** What the command line says; undefined is left to its default. */
export type Asked = {
  why: string;
  /** Some of what the hub is told was given. */
  isExplicit: boolean;
  name: string | undefined;
  id: string | undefined;
  url: string | undefined;
  isForced: boolean;
};

function readAsked({ positionals: [positional], values, flags }: Input): Asked {
  if (positional !== undefined && values.has("why")) throw new UsageError("give the reason once, as [why] or as --why");
  const given = positional ?? values.get("why");
  const why = (given ?? defaultWhy).trim();
  if (!isEnrolNote(why)) throw new UsageError(`the reason is not ${enrolNoteExpected}`);
  const name = values.get("name") ?? values.get("display-name");
  const id = values.get("id");
  return {
    why,
    isExplicit: given !== undefined || name !== undefined,
    name,
    id,
    url: values.has("url") ? hubUrl(values.get("url") ?? "") : undefined,
    isForced: flags.has("force"),
  };
}

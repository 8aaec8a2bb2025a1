// The stage of the whole day: one hub that is stopped, killed and started again on the same port and data, a clock that
// the story moves, the operator, and agents who are told apart by how they come in.
import { join } from "node:path";
import type { CallName } from "../../src/shared/api.ts";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { type RunningHub, run, startHub, TempDir } from "../support/binary.ts";
import { openFakeClock } from "../support/faketime.ts";
import { type CallInput, operate, request } from "../support/operator.ts";

/** What a shell hook sees of one `agent-hub call`. */
export type HookOutcome = { code: number | null; result: JsonObject; error: JsonObject };

export type Day = AsyncDisposable & {
  readonly url: string;
  /** Moves the hub's clock to a time of the day, `09:30`. Time only goes forward. */
  reaches(time: string): Promise<void>;
  /** A time of the day as the hub writes times. */
  at(time: string): string;
  /** The operator's act, which must succeed. */
  operator(call: CallName, input?: CallInput): Promise<JsonObject>;
  /** Status of an act of the operator that the hub may refuse. */
  attempt(call: CallName, input?: CallInput): Promise<number>;
  /** Makes an agent and gives it a token. */
  hire(id: string): Promise<string>;
  /** Gives an agent a new token; the one it had is dead. */
  renewToken(id: string): Promise<string>;
  /** `agent-hub call` from a shell hook. */
  hook(token: string, tool: string, args?: object): Promise<HookOutcome>;
  /** SIGTERM; returns the exit code. */
  stops(): Promise<number>;
  /** SIGKILL; returns the exit code a shell shows. */
  isKilled(): Promise<number>;
  /** Starts again, same port, same data. */
  startsAgain(): Promise<void>;
  stderr(): string;
};

const minuteMs = 60_000;

/** A hub at eight in the morning of tomorrow. */
export async function openDay(): Promise<Day> {
  const folder = await TempDir.create();
  const clock = await openFakeClock();
  const midnight = new Date(Date.now() + 24 * 60 * minuteMs).setUTCHours(0, 0, 0, 0);
  const timeOf = (time: string): number => {
    const [hours = 0, minutes = 0] = time.split(":").map(Number);
    return midnight + (hours * 60 + minutes) * minuteMs;
  };
  const reaches = async (time: string): Promise<void> => {
    const ahead = timeOf(time) - clock.now();
    if (ahead < 0) throw new Error(`${time} has passed`);
    await clock.move(ahead);
  };
  await reaches("08:00");
  const start = (port: number): Promise<RunningHub> =>
    startHub({ dataDir: join(folder.path, "data"), port, env: clock.env });
  let hub = await start(0);

  async function renewToken(id: string): Promise<string> {
    return String((await operate(hub, "issueToken", { params: { id } }))["token"]);
  }

  return {
    get url() {
      return hub.url;
    },
    reaches,
    at: (time) => new Date(timeOf(time)).toISOString(),
    operator: (call, input) => operate(hub, call, input),
    attempt: async (call, input) => (await request(hub.url, hub.adminToken, call, input)).status,
    async hire(id) {
      await operate(hub, "createAgent", { body: { id, display_name: `Agent ${id}` } });
      return renewToken(id);
    },
    renewToken,
    async hook(token, tool, args = {}) {
      const env = { HUB_URL: hub.url, HUB_TOKEN: token };
      const { code, stdout, stderr } = await run(["call", tool, JSON.stringify(args)], { env });
      return { code, result: parsed(stdout), error: parsed(stderr) };
    },
    stops: () => hub.stop(),
    isKilled: () => hub.kill(),
    async startsAgain() {
      const { port } = hub;
      await hub[Symbol.asyncDispose]();
      hub = await start(port);
    },
    stderr: () => hub.stderr(),
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await clock[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function parsed(text: string): JsonObject {
  if (!text.startsWith("{")) return {};
  const value: unknown = JSON.parse(text);
  const object = isObject(value) && isObject(value["error"]) ? value["error"] : value;
  return isObject(object) ? (object as JsonObject) : {}; // parsed from JSON
}

/** Objects of a list in an answer. */
export function listIn(answer: JsonObject, member: string): JsonObject[] {
  const list = answer[member];
  return Array.isArray(list) ? list.filter((entry): entry is JsonObject => isObject(entry)) : [];
}

/** What an agent is told besides the result it asked for: the titles on its trailer. */
export function toldIn(result: JsonObject): string[] {
  const { notifications } = result;
  return isObject(notifications)
    ? listIn(notifications as JsonObject, "pending").map(({ title }) => String(title))
    : [];
}

/** One line an event, oldest first: how the story is told. */
export function tale(events: JsonObject[]): string[] {
  return events
    .toSorted((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1))
    .map(({ actor, kind, summary }) => `${actor} ${kind}: ${summary}`);
}

// What sessions are by contract (mcp-tools.md 13, rest-api.md 14), said once more on plain objects: the yardstick of the
// model-based test. Every act is one step; `apply` changes the state and says what its caller must be told.
export const windowMs = 30_000;

export type Act =
  | { do: "start"; by: string; project: string; name: string }
  | { do: "pick up"; by: string; project: string; name: string; from: string }
  | { do: "end"; by: string; session: string; note: string | null }
  | { do: "put"; by: string; session: string; path: string; content: string }
  | { do: "put here"; by: string; path: string; content: string }
  | { do: "reassign"; session: string; to: string }
  | { do: "prune"; session: string }
  | { do: "prune all"; project: string }
  | { do: "undo"; token: string }
  | { do: "sweep" };

export type Session = {
  id: string;
  project: string;
  agent: string;
  name: string;
  status: "active" | "ended";
  handoff: string | null;
  forkedFrom: string | null;
  adoptedFrom: string | null;
  pruned: { at: number; token: string } | null;
  entries: Record<string, string>;
};

export type State = {
  now: number;
  sessions: Session[];
  /** The active session of each agent's one connection. */
  slots: Record<string, string | null>;
  /** Session events: action and session. */
  told: string[];
};

/**
 * What the hub answered, as far as the model needs it to go on: ids and tokens it minted. `isLate`: a write found its
 * session reassigned only inside its own transaction, which was then undone; the next one clears the connection.
 */
export type Answer = { outcome: string; id: string; tokens: Record<string, string>; isLate?: boolean };

export function apply(state: State, act: Act, answer: Answer): string {
  const byId = (id: string): Session | undefined => state.sessions.find((session) => session.id === id);
  switch (act.do) {
    case "start":
      return start(state, act, answer);
    case "pick up":
      return pickUp(state, act, byId(act.from), answer);
    case "end":
      return end(state, act, byId(act.session));
    case "put": {
      const session = byId(act.session);
      if (session === undefined) return "forbidden";
      if (session.pruned !== null) return "not_found";
      if (session.agent !== act.by) return "forbidden";
      return write(session, act);
    }
    case "put here": {
      const session = byId(state.slots[act.by] ?? "");
      if (session === undefined) return "conflict";
      if (session.pruned !== null || session.agent !== act.by) {
        if (answer.isLate !== true) state.slots[act.by] = null;
        return "conflict";
      }
      return write(session, act);
    }
    case "reassign":
      return reassign(state, act, byId(act.session));
    case "prune":
      return prune(state, byId(act.session), answer.tokens);
    case "prune all": {
      const ended = state.sessions.filter(({ status, pruned }) => status === "ended" && pruned === null);
      const moved = ended.filter((session) => session.project === act.project);
      for (const session of moved) prune(state, session, answer.tokens);
      return `moved ${moved.map(({ id }) => id).sort()}`;
    }
    case "undo": {
      const session = state.sessions.find(({ pruned }) => pruned?.token === act.token);
      if (session?.pruned === null || session === undefined) return "refused";
      if (session.pruned.at + windowMs <= state.now) return "refused";
      session.pruned = null;
      return "ok";
    }
    case "sweep":
      sweep(state);
      return "ok";
  }
}

function holderOf(state: State, project: string, agent: string, name: string): Session | undefined {
  return state.sessions.find((one) => one.project === project && one.agent === agent && one.name === name);
}

function start(state: State, act: { by: string; project: string; name: string }, answer: Answer): string {
  const found = holderOf(state, act.project, act.by, act.name);
  if (found !== undefined && found.pruned !== null) return `held by ${found.id}`;
  if (found !== undefined) {
    found.status = "active";
    state.slots[act.by] = found.id;
    return `resumed ${found.id}`;
  }
  state.sessions.push({
    id: answer.id,
    project: act.project,
    agent: act.by,
    name: act.name,
    status: "active",
    handoff: null,
    forkedFrom: null,
    adoptedFrom: null,
    pruned: null,
    entries: {},
  });
  state.slots[act.by] = answer.id;
  state.told.push(`started ${answer.id}`);
  return `started ${answer.id}`;
}

function pickUp(
  state: State,
  act: { by: string; project: string; name: string },
  source: Session | undefined,
  answer: Answer,
): string {
  if (source === undefined) return "forbidden";
  if (source.project !== act.project) return "invalid_argument";
  const found = holderOf(state, act.project, act.by, act.name);
  if (found === source) return start(state, act, answer);
  if (source.pruned !== null) return `pruned ${source.id}`;
  if (found !== undefined) return found.pruned === null ? `exists ${found.id}` : `held by ${found.id}`;
  if (source.status === "ended") {
    const from = source.agent;
    source.adoptedFrom = from === act.by ? null : source.id;
    source.agent = act.by;
    source.name = act.name;
    source.status = "active";
    state.slots[act.by] = source.id;
    state.told.push(`adopted ${source.id}`);
    return `adopted ${source.id} of ${from}`;
  }
  state.sessions.push({
    ...source,
    id: answer.id,
    agent: act.by,
    name: act.name,
    forkedFrom: source.id,
    adoptedFrom: null,
    entries: { ...source.entries },
  });
  state.slots[act.by] = answer.id;
  state.told.push(`forked ${answer.id}`);
  return `forked ${answer.id} of ${source.agent}`;
}

function end(state: State, act: { by: string; note: string | null }, session: Session | undefined): string {
  if (session === undefined) return act.by === "human" ? "not_found" : "forbidden";
  if (session.pruned !== null) return "not_found";
  if (act.by !== "human" && session.agent !== act.by) return "forbidden";
  if (session.status === "ended") return "ok";
  session.status = "ended";
  session.handoff = act.note ?? session.handoff;
  for (const [agent, id] of Object.entries(state.slots)) if (id === session.id) state.slots[agent] = null;
  state.told.push(`ended ${session.id}`);
  return "ok";
}

function write(session: Session, act: { path: string; content: string }): string {
  if (session.status === "ended") return "conflict";
  session.entries[act.path] = act.content;
  return "ok";
}

function reassign(state: State, act: { to: string }, session: Session | undefined): string {
  if (session === undefined || session.pruned !== null) return "not_found";
  if (session.status === "ended" || session.agent === act.to) return "conflict";
  const holder = holderOf(state, session.project, act.to, session.name);
  if (holder !== undefined) return holder.pruned === null ? `exists ${holder.id}` : `held by ${holder.id}`;
  session.agent = act.to;
  state.told.push(`reassigned ${session.id}`);
  return "ok";
}

function prune(state: State, session: Session | undefined, tokens: Answer["tokens"]): string {
  if (session === undefined) return "not_found";
  if (session.status === "active" || session.pruned !== null) return "conflict";
  session.pruned = { at: state.now, token: tokens[session.id] ?? "none" };
  return "ok";
}

function sweep(state: State): void {
  const isOver = ({ pruned }: Session): boolean => pruned !== null && pruned.at + windowMs <= state.now;
  const gone = new Set(state.sessions.filter(isOver).map(({ id }) => id));
  state.sessions = state.sessions.filter(({ id }) => !gone.has(id));
  state.told = state.told.filter((line) => !gone.has(line.split(" ")[1] ?? ""));
  for (const [agent, id] of Object.entries(state.slots)) if (id !== null && gone.has(id)) state.slots[agent] = null;
}

// A hub that takes requests to join, and newcomers that ask from addresses of their own: what a trusted proxy says of
// them, as no test has many machines.
import type { HubConfig } from "../../../src/config/settings.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Answer, type HttpHub, openHttpHub } from "../../server/http/requests.ts";
import { rows } from "../as-caller.ts";

export type Newcomer = { token: string; agentId: string; source: string };

export type EnrolLab = AsyncDisposable & {
  http: HttpHub;
  /** Asks from an address of its own unless one is named. */
  ask(body?: object, headers?: Record<string, string>): Promise<Answer>;
  /** Asks and is taken. */
  enter(id: string, body?: object): Promise<Newcomer>;
  status(token: string, query?: string): Promise<Answer>;
  approve(id: string, body?: object): Promise<Answer>;
  refuse(id: string): Promise<Answer>;
  /** The open request of an agent in the inbox. */
  requestOf(id: string): Promise<JsonObject>;
};

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** The hub trusts this process as a proxy; besides that it is as it comes, without the pending agent of `openHttpHub`. */
export async function openEnrolLab(config: Partial<HubConfig> = {}): Promise<EnrolLab> {
  const http = await openHttpHub({ config: { trustProxy: ["127.0.0.1"], ...config } });
  await http.hub.hub.kernel.services.write((tx) => tx.db.run("UPDATE agents SET state = 'active'"));
  let asked = 0;
  const nextSource = (): string => {
    asked += 1;
    return `10.0.${Math.floor(asked / 250)}.${(asked % 250) + 1}`;
  };

  const lab: EnrolLab = {
    http,
    ask: (body = { display_name: "Newcomer", why: "to help" }, headers = {}) =>
      http.send("POST", "/api/v1/enrol", {
        as: "none",
        body,
        headers: { "x-forwarded-for": nextSource(), ...headers },
      }),
    async enter(id, body = {}) {
      const source = nextSource();
      const answer = await lab.ask(
        { display_name: `Agent ${id}`.slice(0, 100), suggested_id: id, why: "to help", ...body },
        { "x-forwarded-for": source },
      );
      if (answer.status !== 202) throw new Error(`enrolment answered ${answer.status}: ${answer.text}`);
      return { token: String(answer.json["token"]), agentId: String(answer.json["agent_id"]), source };
    },
    status: (token, query = "?wait=0") =>
      http.send("GET", `/api/v1/enrol/status${query}`, { as: "none", headers: bearer(token) }),
    approve: (id, body) =>
      http.send("POST", `/api/v1/enrol/${encodeURIComponent(id)}/approve`, body === undefined ? {} : { body }),
    refuse: (id) => http.send("POST", `/api/v1/enrol/${encodeURIComponent(id)}/refuse`),
    async requestOf(id) {
      const inbox = await http.send("GET", `/api/v1/inbox?status=action&actor=${encodeURIComponent(id)}`);
      const items = inbox.json["items"];
      const [item] = Array.isArray(items) ? items : [];
      return Object(item);
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
  return lab;
}

/** Rows of every table that describe something; what the search index keeps for itself is looked at through search. */
export async function storeRows(lab: EnrolLab): Promise<Record<string, unknown[]>> {
  await lab.http.hub.hub.kernel.services.touches.flush();
  const tables = rows(
    lab.http.hub,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_texts%' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('marks', 'search_feed_mark') ORDER BY name",
  );
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables) found[String(name)] = rows(lab.http.hub, `SELECT * FROM "${String(name)}"`);
  return found;
}

// A hub with a project, two agents that may write it, and the words tests use of its knowledge base.
import { expect } from "bun:test";
import type { CallName } from "../../../src/shared/api.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { sha256 } from "../../../src/storage/blobs.ts";
import { type Caller, openTestHub, type TestHub, type TestHubOptions } from "../../support/hub.ts";
import { agent, refusal } from "../as-caller.ts";

export type Base = AsyncDisposable & {
  readonly hub: TestHub;
  readonly alice: Caller;
  readonly bob: Caller;
  put(path: string, content: string, more?: object): Promise<JsonObject>;
  get(path: string, more?: object): Promise<JsonObject>;
  remove(path: string, more?: object): Promise<JsonObject>;
  history(path: string, more?: object): Promise<JsonObject>;
  revert(path: string, version: string, more?: object): Promise<JsonObject>;
  list(path?: string): Promise<JsonObject>;
  /** A REST call in the project; `path` is the page's. */
  rest(
    call: CallName,
    request?: { path?: string; comment_id?: string; query?: object; body?: unknown },
  ): Promise<JsonObject>;
  /** The same for an answer that is a list. */
  restList(call: CallName, query: object): Promise<JsonObject[]>;
  refusedWithoutTrace(write: () => Promise<unknown>): Promise<JsonObject>;
};

export const project = "p";

export const versionOf = (content: string): string => `sha256:${sha256(new TextEncoder().encode(content))}`;

/** The same version in upper-case digits. */
export const inUpperCase = (version: string): string => `sha256:${version.slice("sha256:".length).toUpperCase()}`;

export async function openBase(options: TestHubOptions = {}): Promise<Base> {
  const hub = await openTestHub(options);
  await hub.project(project);
  const alice = await hub.agent("alice");
  const bob = await hub.agent("bob");
  const at = { store: "project", project_id: project };
  return {
    hub,
    alice,
    bob,
    put: (path, content, more) => alice.call("brain_put", { ...at, path, content, ...more }),
    get: (path, more) => alice.call("brain_get", { ...at, path, ...more }),
    remove: (path, more) => alice.call("brain_delete", { ...at, path, ...more }),
    history: (path, more) => alice.call("brain_history", { project_id: project, path, ...more }),
    revert: (path, version, more) => alice.call("brain_revert", { project_id: project, path, version, ...more }),
    list: (path) => alice.call("brain_list", { ...at, ...(path === undefined ? {} : { path }) }),
    rest(call, { path, comment_id, query, body } = {}) {
      const params = {
        id: project,
        ...(path === undefined ? {} : { path }),
        ...(comment_id === undefined ? {} : { comment_id }),
      };
      return hub.rest(call, { params, ...(query === undefined ? {} : { query }), body });
    },
    async restList(call, query) {
      const route = hub.hub.routes.find((candidate) => candidate.call === call);
      if (route === undefined) throw new Error(`no route ${call}`);
      const principal = { ...agent("human"), kind: "operator" as const };
      const signal = new AbortController().signal;
      const ctx = hub.hub.kernel.ctx({
        principal,
        connection: null,
        origin: "http://hub.test",
        signal,
        progress: null,
      });
      const { body } = await route.handle({ params: { id: project }, query: { ...query }, body: undefined }, ctx);
      return JSON.parse(JSON.stringify(body));
    },
    async refusedWithoutTrace(write) {
      const before = await hub.snapshot();
      const error = await refusal(write());
      expect(await hub.snapshot()).toBe(before);
      return error;
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

/** A page with the least frontmatter lint asks for. */
export const guide = (body: string, more = ""): string => `---\ntype: Guide\n${more}---\n${body}\n`;

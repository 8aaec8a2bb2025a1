// A hub with a project, two agents on connections with sessions of their own, and the words tests use of artifacts.
import { expect } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { artifacts } from "../../../src/features/artifacts/index.ts";
import { createUpkeep } from "../../../src/features/upkeep/index.ts";
import type { Feature } from "../../../src/kernel/feature.ts";
import type { CallName } from "../../../src/shared/api.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub, type TestHubOptions } from "../../support/hub.ts";
import { objectsIn, refusal } from "../as-caller.ts";

/** An agent on a connection. */
export type Worker = {
  readonly caller: Caller;
  call(tool: string, args?: object): Promise<JsonObject>;
  /** Opens a session in the project, which is the connection's active one from then on. */
  start(name?: string, projectId?: string): Promise<string>;
};

export type Lab = AsyncDisposable & {
  readonly hub: TestHub;
  readonly alice: Worker;
  readonly bob: Worker;
  publish(more?: object, by?: Worker): Promise<string>;
  get(id: string, more?: object): Promise<JsonObject>;
  versions(id: string): Promise<JsonObject[]>;
  /** A REST call about an artifact as the operator. */
  rest(
    call: CallName,
    id: string,
    request?: { comment_id?: string; query?: object; body?: unknown },
  ): Promise<JsonObject>;
  events(): Promise<JsonObject[]>;
  /** Ids of the artifacts a search finds, best first. */
  find(query: string): Promise<unknown[]>;
  /** Names of the files that hold bytes. */
  blobFiles(): Promise<string[]>;
  refusedWithoutTrace(write: () => Promise<unknown>): Promise<JsonObject>;
};

export const project = "p";
export const envelope = {
  alg: "AES-256-GCM",
  kdf: "PBKDF2-HMAC-SHA256",
  iterations: 600_000,
  salt: "c2FsdA==",
  iv: "aXY=",
};

export async function openLab(options: TestHubOptions = {}): Promise<Lab> {
  const hub = await openTestHub(options);
  await hub.project(project);
  const alice = await worker(hub, "alice");
  const bob = await worker(hub, "bob");
  return {
    hub,
    alice,
    bob,
    async publish(more = {}, by = alice) {
      const args = { project_id: project, kind: "markdown", title: "Report", content: "first", ...more };
      return String((await by.call("artifact_publish", args))["artifact_id"]);
    },
    get: (id, more = {}) => alice.call("artifact_get", { artifact_id: id, ...more }),
    versions: async (id) => objectsIn(await alice.call("artifact_versions", { artifact_id: id }), "versions"),
    rest(call, id, { comment_id, query = {}, body } = {}) {
      return hub.rest(call, { params: { id, ...(comment_id === undefined ? {} : { comment_id }) }, query, body });
    },
    async events() {
      const { events } = await hub.rest("listFeed", { query: { kinds: ["artifact"] } });
      return objectsIn({ events: events ?? [] }, "events").reverse();
    },
    async find(query) {
      const found = await hub.rest("search", { query: { q: query, type: "artifact" } });
      return objectsIn(found, "groups").flatMap((group) => objectsIn(group, "hits").map((hit) => hit["ref_id"]));
    },
    async blobFiles() {
      const folder = join(hub.dataDir, "blobs", "sha256");
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
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

async function worker(hub: TestHub, name: string): Promise<Worker> {
  const caller = await hub.agent(name);
  const connection = await hub.connect(caller);
  const call: Worker["call"] = (tool, args = {}) => caller.call(tool, args, { connection });
  return {
    caller,
    call,
    async start(session = "work", projectId = project) {
      return String((await call("session_start", { project_id: projectId, session_name: session }))["session_id"]);
    },
  };
}

/** What the hub does now and then by itself, once. */
export async function sweep({ hub }: Lab): Promise<void> {
  const { services } = hub.hub.kernel;
  const features: Feature[] = [artifacts, createUpkeep(artifacts.blobs ?? [])];
  for (const feature of features) for (const each of feature.sweeps ?? []) await each.run(services);
}

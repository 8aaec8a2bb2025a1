// Shared steps of the search tests: a hub with something said in it, and what a search finds there.

import { settleIndex } from "../../../src/features/search/settle.ts";
import type { SearchHitView, SearchView } from "../../../src/shared/views.ts";
import type { Caller, TestHub } from "../../support/hub.ts";
import { append } from "../conversation.ts";

export async function search(by: Caller, query: string, args: object = {}): Promise<SearchView> {
  return (await by.call("search", { query, ...args })) as unknown as SearchView; // by contract, mcp-tools.md 17.33
}

/** Has the index take in what was written so far, as a search or a sweep would. */
export function settle(hub: TestHub): Promise<void> {
  return settleIndex(hub.hub.kernel.services);
}

/** All hits, group by group. */
export async function hitsOf(by: Caller, query: string, args: object = {}): Promise<SearchHitView[]> {
  return (await search(by, query, { limit: 100, ...args })).groups.flatMap((group) => group.hits);
}

/** What each hit refers to, in order. */
export async function find(by: Caller, query: string, args: object = {}): Promise<string[]> {
  return (await hitsOf(by, query, args)).map((hit) => hit.title ?? "");
}

/** Says some things, one event each; a body goes into the payload. */
export async function say(by: Caller, projectId: string, ...said: (string | { title: string; body: string })[]) {
  for (const one of said) {
    if (typeof one === "string") await append(by, projectId, { summary: one });
    else await append(by, projectId, { summary: one.title, payload: { body: one.body } });
  }
}

// Requests for resources in the form of either line, and what tests write to read it back.
import { headerValue } from "../../../src/client/header-value.ts";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import type { Caller } from "../../support/hub.ts";
import type { Line, McpHub } from "./rpc.ts";

export type Listed = { uri: string; name: string; size: number } & JsonObject;
export type ListPage = { resources: Listed[]; nextCursor?: string };
export type RpcError = { code: number; message: string; data?: { error: JsonObject; uri?: string } };

/** The result of a request; fails when it is an error. */
export async function ask(
  mcp: McpHub,
  line: Line,
  method: string,
  params: JsonObject,
  by?: Caller,
): Promise<JsonObject> {
  const answer = await send(mcp, line, method, params, by);
  const result = answer["result"];
  if (!isObject(result)) throw new Error(`no result of ${method}: ${JSON.stringify(answer)}`);
  return result as JsonObject; // came as JSON
}

/** The error of a request; fails when there is none. */
export async function refusal(
  mcp: McpHub,
  line: Line,
  method: string,
  params: JsonObject,
  by?: Caller,
): Promise<RpcError> {
  const answer = await send(mcp, line, method, params, by);
  if (!isObject(answer["error"])) throw new Error(`no error of ${method}: ${JSON.stringify(answer).slice(0, 500)}`);
  return JSON.parse(JSON.stringify(answer["error"]));
}

export async function send(
  mcp: McpHub,
  line: Line,
  method: string,
  params: JsonObject,
  by: Caller = mcp.alice,
): Promise<JsonObject> {
  const uri = params["uri"];
  const isNamed = line === "2026" && method === "resources/read" && typeof uri === "string";
  const headers: Record<string, string> = isNamed ? { "mcp-name": headerValue(uri) } : {};
  return (await mcp.rpc(line, { id: 1, method, params }, { headers, token: by.token })).json;
}

/** One page of `resources/list`. */
export async function listPage(mcp: McpHub, line: Line, cursor?: string, by?: Caller): Promise<ListPage> {
  const page = await ask(mcp, line, "resources/list", cursor === undefined ? {} : { cursor }, by);
  return JSON.parse(JSON.stringify(page));
}

/** Every page of `resources/list`, in order. */
export async function listPages(mcp: McpHub, line: Line, by?: Caller): Promise<ListPage[]> {
  const pages: ListPage[] = [];
  for (let cursor: string | undefined; pages.length < 100; ) {
    const page = await listPage(mcp, line, cursor, by);
    pages.push(page);
    cursor = page.nextCursor;
    if (cursor === undefined) return pages;
  }
  throw new Error("the list has no end");
}

export async function readText(mcp: McpHub, line: Line, uri: string, by?: Caller): Promise<JsonObject> {
  const { contents } = await ask(mcp, line, "resources/read", { uri }, by);
  if (!Array.isArray(contents) || contents.length !== 1 || !isObject(contents[0])) throw new Error("not one content");
  return contents[0] as JsonObject; // came as JSON
}

export async function putPage(by: Caller, project_id: string, path: string, content: string): Promise<void> {
  await by.call("brain_put", { store: "project", project_id, path, content });
}

// One call of the shared table: typed by it, relative to this document, and dropped when nobody waits any more.
import { type Answers, type CallName, type CallSpec, calls } from "../../shared/api.ts";
import { noteBuild } from "./app-version.ts";
import { noAnswer, refusal } from "./call-failed.ts";
import { noteDateHeader } from "./clock.ts";
import { addressOf } from "./scope.ts";
import { noteRefusedWrite } from "./session.ts";
import { token } from "./token.ts";

type Names<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? Names<Head> | Names<Tail>
  : OneName<Path>;
type OneName<Segment extends string> = Segment extends `:${infer Name}` ? Name : Segment extends "*" ? "path" : never;
type Params<N extends CallName> = Names<(typeof calls)[N]["path"]>;
type QueryNames<N extends CallName> = (typeof calls)[N] extends { query: infer Query } ? keyof Query : never;
type QueryValue = string | number | boolean | readonly string[] | undefined;

type Given = {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, QueryValue>>;
  body?: object;
  signal?: AbortSignal | undefined;
  /** Outlives the page; the browser takes little then. */
  isLast?: boolean;
  /** Instead of the one this app holds. */
  as?: string;
};

export type CallInput<N extends CallName> = Omit<Given, "params" | "query"> & {
  query?: Partial<Record<QueryNames<N>, QueryValue>>;
} & ([Params<N>] extends [never] ? object : { params: Record<Params<N>, string> });

type Rest<N extends CallName> = [Params<N>] extends [never] ? [input?: CallInput<N>] : [input: CallInput<N>];

/** @throws CallFailed */
export async function call<N extends CallName>(name: N, ...[input]: Rest<N>): Promise<Answers[N]> {
  const response = await send(calls[name], input ?? {}).catch((error: unknown) => {
    throw noAnswer(error);
  });
  noteDateHeader(response.headers.get("date"));
  noteBuild(response.headers.get("x-hub-build"));
  // A token that is only being tried is nobody's session.
  if (response.status === 401 && calls[name].method !== "GET" && input?.as === undefined) noteRefusedWrite();
  if (!response.ok) throw await refusal(response);
  if (response.status === 204) return undefined as Answers[N]; // what the table says of such a call
  const answer: unknown = await response.json().catch((error: unknown) => {
    throw noAnswer(error);
  });
  return answer as Answers[N]; // both sides are compiled from the one table
}

function send(spec: CallSpec, given: Given): Promise<Response> {
  const { params = {}, query = {}, body, signal, isLast = false, as = token.value } = given;
  const path = spec.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const whole = path.replace("*", () => (params["path"] ?? "").split("/").map(encodeURIComponent).join("/"));
  const search = queryText(query);
  return fetch(addressOf(`${whole.slice(1)}${search}`), {
    method: spec.method,
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    cache: "no-store",
    keepalive: isLast,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

function queryText(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

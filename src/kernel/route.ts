// REST bindings, as data: one row of the shared table of calls, an operation, and how the request becomes its input.
import { type Answers, type CallName, calls } from "../shared/api.ts";
import { isObject } from "../shared/json.ts";
import type { Ctx } from "./ctx.ts";
import { type Operation, run } from "./operation.ts";

export type RouteRequest = {
  /** Path parameters, decoded. */
  params: Record<string, string>;
  /** Query values, decoded to the kinds the table of calls names; what cannot be read stays text and is refused by the schema. */
  query: Record<string, unknown>;
  body: unknown;
};

export type RouteAnswer = { status: number; body: unknown };

export type Route = {
  readonly call: CallName;
  handle(request: RouteRequest, ctx: Ctx): Promise<RouteAnswer>;
};

export type RouteSpec<N extends CallName, I, O> = {
  operation: Operation<I, O>;
  /** Argument names of path and query parameters where they differ from the wire's. */
  rename?: Readonly<Record<string, string>>;
  present(output: O, ctx: Ctx): Answers[N];
};

export function route<N extends CallName, I, O>(call: N, spec: RouteSpec<N, I, O>): Route {
  return {
    call,
    async handle(request, ctx) {
      const output = await run(spec.operation, toInput(request, spec.rename ?? {}), ctx);
      return { status: calls[call].status, body: spec.present(output, ctx) };
    },
  };
}

// Body, query and path parameters in one object; what the address says wins over what the body says.
function toInput({ params, query, body }: RouteRequest, rename: Readonly<Record<string, string>>): unknown {
  if (body !== undefined && !isObject(body)) return body; // for the schema to refuse by name
  const named = Object.entries({ ...query, ...params }).map(([key, value]) => [rename[key] ?? key, value]);
  return { ...body, ...Object.fromEntries(named) };
}

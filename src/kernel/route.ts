// REST bindings, as data: one row of the shared table of calls, an operation, and how the request becomes its input.
import type { z } from "zod";
import { type Answers, type CallName, type CallSpec, calls } from "../shared/api.ts";
import { isObject } from "../shared/json.ts";
import type { Ctx } from "./ctx.ts";
import { invalid } from "./input.ts";
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
  /** What checks the request, and under which names it gets path and query parameters. */
  readonly input: z.ZodType;
  readonly rename: Readonly<Record<string, string>>;
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
    input: spec.operation.input,
    rename: spec.rename ?? {},
    async handle(request, ctx) {
      const output = await run(spec.operation, toInput(request, spec.rename ?? {}, calls[call]), ctx);
      return { status: calls[call].status, body: spec.present(output, ctx) };
    },
  };
}

// Body, query and path parameters in one object; what the address says wins over what the body says.
function toInput(
  { params, query, body }: RouteRequest,
  rename: Readonly<Record<string, string>>,
  { strictBody }: CallSpec,
): unknown {
  if (body !== undefined && !isObject(body)) throw invalid("arguments", body, "a JSON object");
  const named = Object.entries({ ...query, ...params }).map(([key, value]) => [rename[key] ?? key, value] as const);
  const doubled = strictBody ? named.find(([key]) => body !== undefined && Object.hasOwn(body, key)) : undefined;
  if (doubled !== undefined) throw invalid(doubled[0], body?.[doubled[0]], "absent in the body");
  return { ...body, ...Object.fromEntries(named) };
}

// The form of the requests that are served. A wrong one is `invalid params` on either line (mcp-tools.md 4.3); the SDKs
// would call some of them an internal error.
import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  type JSONRPCErrorResponse,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { isObject } from "../../shared/json.ts";

type Checked = { error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } | undefined };
type Form = { safeParse(message: unknown): Checked };

// The methods of the Skills extension, which the 1.x SDK does not know, have the form of those they are made after.
function like(...known: readonly (readonly [method: string, form: Form])[]): Form {
  return {
    safeParse(message) {
      const given = isObject(message) ? message : {};
      const outcomes = known.map(([method, form]) => form.safeParse({ ...given, method }));
      return outcomes.find(({ error }) => error !== undefined) ?? {};
    },
  };
}
const listed = ["resources/list", ListResourcesRequestSchema] as const;
const named = ["resources/read", ReadResourceRequestSchema] as const;

const forms: Readonly<Record<string, Form>> = {
  initialize: InitializeRequestSchema,
  "tools/list": ListToolsRequestSchema,
  "tools/call": CallToolRequestSchema,
  "resources/list": ListResourcesRequestSchema,
  "resources/templates/list": ListResourceTemplatesRequestSchema,
  "resources/read": ReadResourceRequestSchema,
  "skills/list": like(listed),
  "skills/get": like(named),
  "resources/directory/read": like(named, listed),
};

/** The answer to a request of a known method whose params are malformed; undefined when there is nothing wrong with it. */
export function misfitIn(message: unknown): JSONRPCErrorResponse | undefined {
  if (!isObject(message) || typeof message["method"] !== "string" || !isId(message["id"])) return undefined;
  const form = Object.hasOwn(forms, message["method"]) ? forms[message["method"]] : undefined;
  const issue = form?.safeParse(message).error?.issues[0];
  if (issue === undefined) return undefined;
  const text = `malformed ${message["method"]} request: ${issue.path.join(".")}: ${issue.message}`;
  return { jsonrpc: "2.0", id: message["id"], error: { code: -32602, message: text } };
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

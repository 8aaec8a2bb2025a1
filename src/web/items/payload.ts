// What an item's payload says, read with care: an agent may have written anything (web-app.md 6.4).
import { isObject, type Json } from "../../shared/json.ts";
import type { EventKind } from "../../shared/views.ts";

export type About = { kind: "artifact" | "session" | "page" | "thread"; id: string };

export type ItemBody = {
  body: string | undefined;
  context: string | undefined;
  options: readonly string[];
  effects: readonly string[];
  reversible: boolean | undefined;
  command: string | undefined;
  about: readonly About[];
  /** What is left, as key and text; objects are JSON. */
  details: readonly { key: string; text: string; isCode: boolean }[];
  claimsToJoin: boolean;
};

const shownElsewhere = new Set(["body", "context", "options", "effects", "reversible", "command"]);
const abouts: Record<string, About["kind"]> = {
  artifact_id: "artifact",
  artifact: "artifact",
  session_id: "session",
  page: "page",
  page_path: "page",
  kb_path: "page",
  thread_id: "thread",
};

export function readPayload(item: { kind: EventKind; payload: Json }): ItemBody {
  const { payload } = item;
  const said: Record<string, unknown> = isObject(payload) ? payload : {};
  const loose = typeof payload === "string" ? payload : undefined;
  const text = (key: string): string | undefined => textOf(said[key]);
  const entries = Object.entries(said);
  const about = entries.flatMap(([key, value]) => aboutOf(key, value));
  return {
    body: text("body") ?? loose,
    context: text("context"),
    options: item.kind === "question" ? textsOf(said["options"]) : [],
    effects: textsOf(said["effects"]),
    reversible: typeof said["reversible"] === "boolean" ? said["reversible"] : undefined,
    command: text("command"),
    about,
    details: entries
      .filter(([key, value]) => !isShown(key, value, item.kind))
      .map(([key, value]) => ({
        key,
        text: typeof value === "string" ? value : JSON.stringify(value, null, 2),
        isCode: typeof value === "object" && value !== null,
      })),
    claimsToJoin: said["action"] === "enrol_request",
  };
}

/** The body in one line of plain words, for a row. */
export function previewOf(payload: Json): string | undefined {
  const body = isObject(payload) ? textOf(payload["body"]) : textOf(payload);
  if (body === undefined) return undefined;
  const line = body
    .slice(0, 600)
    .replace(/^#{1,6}\s+|^>\s?|^[-*+]\s+|[*_`]{1,3}/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  return line === "" ? undefined : line;
}

function isShown(key: string, value: unknown, kind: EventKind): boolean {
  if (key === "options") return kind === "question" && textsOf(value).length > 0;
  if (key === "effects") return textsOf(value).length > 0;
  if (key === "reversible") return typeof value === "boolean";
  return (shownElsewhere.has(key) && textOf(value) !== undefined) || aboutOf(key, value).length > 0;
}

function aboutOf(key: string, value: unknown): About[] {
  const kind = Object.hasOwn(abouts, key) ? abouts[key] : undefined;
  const id = textOf(value);
  return kind === undefined || id === undefined ? [] : [{ kind, id }];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const texts = value.filter((entry): entry is string => typeof entry === "string" && entry.trim() !== "");
  // Shown only when all of it can be shown: half a list of effects would mislead.
  return texts.length === value.length ? texts : [];
}

// Resources, written once for both protocol lines (mcp-tools.md 18): the guide, the files of the skill, and every page
// the caller may read. Another way to read what the tools read; nothing is written through it.
import { getPage, type WalkedPage, walkPages } from "../../features/knowledge/index.ts";
import type { Ctx } from "../../kernel/ctx.ts";
import { invalid } from "../../kernel/input.ts";
import { run } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { quotedChars, resourcePageMax } from "../../shared/limits.ts";
import { bootstrapGuide } from "./guide.ts";
import { type PageName, pageUri, pageUriExpected, pageUriPrefix, pageUriTemplate, parsePageUri } from "./page-uri.ts";
import { createSkill, refuseCursor } from "./skill.ts";

const guideUri = "agenthub://skill";
const markdown = "text/markdown";
/** Said of texts that are read, beside their media type. */
const charset = "; charset=utf-8";

/** What a request names; the form of a request was checked before. */
export type ResourceParams = { uri: string; cursor: string | undefined };
type Answer = (params: ResourceParams, ctx: Ctx) => object | Promise<object>;

/** The methods of resources and of the Skills extension. */
export type ResourceMethods = ReadonlyMap<string, Answer>;

export function createResourceMethods(): ResourceMethods {
  const skill = createSkill();

  function fixed(origin: string): object[] {
    const guide = {
      uri: guideUri,
      name: "skill",
      title: "How to use this hub",
      mimeType: markdown,
      size: Buffer.byteLength(bootstrapGuide(origin)),
    };
    return [guide, ...skill.files];
  }

  async function list({ cursor }: ResourceParams, ctx: Ctx): Promise<object> {
    const first = cursor === undefined ? fixed(ctx.origin) : [];
    const limit = resourcePageMax - first.length;
    const { pages, isMore } = await run(walkPages, { after: afterOf(cursor), limit }, ctx);
    const listed = pages.map(toResource);
    const last = listed.at(-1);
    return {
      resources: [...first, ...listed],
      ...(isMore && last !== undefined ? { nextCursor: last.uri } : {}),
    };
  }

  async function read({ uri }: ResourceParams, ctx: Ctx): Promise<object> {
    if (uri.startsWith(pageUriPrefix)) return { contents: [await readPage(uri, ctx)] };
    if (uri === guideUri) {
      return { contents: [{ uri, mimeType: markdown + charset, text: bootstrapGuide(ctx.origin) }] };
    }
    const file = skill.read(uri);
    if (file !== undefined) return { contents: [file] };
    throw new HubError("not_found", `there is no resource ${JSON.stringify(uri.slice(0, quotedChars))}`);
  }

  return new Map<string, Answer>([
    ["resources/list", list],
    [
      "resources/templates/list",
      ({ cursor }) => {
        refuseCursor(cursor);
        return { resourceTemplates: [{ uriTemplate: pageUriTemplate, name: "kb-page" }] };
      },
    ],
    ["resources/read", read],
    ["skills/list", ({ cursor }) => skill.list(cursor)],
    ["skills/get", ({ uri }) => skill.get(uri)],
    ["resources/directory/read", ({ uri, cursor }) => skill.readDirectory(uri, cursor)],
  ]);
}

// Only what a list gave: the one spelling of a page's address.
function afterOf(cursor: string | undefined): { project_id: string; path: string } | undefined {
  if (cursor === undefined) return undefined;
  const page = parsePageUri(cursor);
  if (page === undefined || pageUri(page) !== cursor) {
    throw invalid("cursor", cursor, "the nextCursor of an earlier page of this list");
  }
  return { project_id: page.projectId, path: page.path };
}

type ListedPage = {
  uri: string;
  name: string;
  title: string;
  description?: string;
  mimeType: string;
  size: number;
};

function toResource(page: WalkedPage): ListedPage {
  const name = nameOf(page.path);
  return {
    uri: pageUri(page),
    name,
    title: `${page.displayName}: ${name}`,
    ...(page.description === null ? {} : { description: page.description }),
    mimeType: mediaTypeOf(page),
    size: page.sizeBytes,
  };
}

// Exactly what brain_get with `store: "project"` does.
async function readPage(uri: string, ctx: Ctx): Promise<object> {
  const page = parsePageUri(uri);
  if (page === undefined) throw invalid("uri", uri, pageUriExpected);
  const { content } = await run(getPage, { project_id: page.projectId, path: page.path }, ctx);
  return { uri, mimeType: mediaTypeOf(page) + charset, text: content };
}

function nameOf(path: string): string {
  return path.slice("/fs/".length);
}

function mediaTypeOf({ path }: Pick<PageName, "path">): string {
  return path.endsWith(".md") ? markdown : "text/plain";
}

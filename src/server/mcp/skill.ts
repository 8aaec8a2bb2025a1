// The Skills extension (mcp-tools.md 19): one skill, fixed in the binary, so that manifest and bytes always agree.
import { invalid } from "../../kernel/input.ts";
import { isObject, type Json } from "../../shared/json.ts";
import { skillFiles } from "./guide.ts";

export const skillsExtension = "io.modelcontextprotocol/skills";

const rootUri = "skill://agent-hub";
const manifestUri = `${rootUri}/SKILL.md`;
/** What hosts compare, so it names no character set. */
const markdown = "text/markdown";
// The same for every caller, and new only with another binary.
const cached = { ttlMs: 300_000, cacheScope: "public" } as const;

export type SkillFile = { uri: string; name: string; description?: string; mimeType: string; size: number };

export type SkillSurface = {
  /** Every file, as `resources/list` shows it. */
  files: readonly SkillFile[];
  /** Undefined for an address that is no file of the skill. */
  read(uri: string): { uri: string; mimeType: string; text: string } | undefined;
  list(cursor: string | undefined): object;
  /** @throws HubError `invalid_argument` */
  get(uri: string): object;
  /** @throws HubError `invalid_argument` */
  readDirectory(uri: string, cursor: string | undefined): object;
};

export function createSkill(): SkillSurface {
  const files = Object.entries(skillFiles).map(([path, text]) => {
    const bytes = Buffer.from(text);
    return { path, uri: `${rootUri}/${path}`, text, size: bytes.byteLength, digest: digestOf(bytes) };
  });
  const byUri = new Map(files.map((file) => [file.uri, file]));
  const frontmatter = frontmatterOf(skillFiles["SKILL.md"] ?? "");
  const entry = {
    uri: manifestUri,
    frontmatter,
    resources: files.map(({ uri, digest, size }) => ({ uri, digest, size })),
  };
  const directories = new Map([
    [rootUri, childrenOf("")],
    [`${rootUri}/references`, childrenOf("references/")],
  ]);

  return {
    files: files.map(({ path, uri, size }) =>
      uri === manifestUri
        ? { uri, name: frontmatter.name, description: frontmatter.description, mimeType: markdown, size }
        : { uri, name: path, mimeType: markdown, size },
    ),
    read(uri) {
      const file = byUri.get(uri);
      return file === undefined ? undefined : { uri, mimeType: markdown, text: file.text };
    },
    list(cursor) {
      refuseCursor(cursor);
      return { resultType: "complete", skills: [entry], ...cached };
    },
    get(uri) {
      if (uri !== manifestUri) throw invalid("uri", uri, `${manifestUri}, the one skill of this hub`);
      return { resultType: "complete", skill: entry, ...cached };
    },
    readDirectory(uri, cursor) {
      refuseCursor(cursor);
      const resources = directories.get(uri);
      if (resources === undefined) throw invalid("uri", uri, `a directory: ${[...directories.keys()].join(" or ")}`);
      return { resultType: "complete", resources, ...cached };
    },
  };
}

/** For lists that fit one page, and so never gave a cursor. */
export function refuseCursor(cursor: string | undefined): void {
  if (cursor !== undefined) throw invalid("cursor", cursor, "absent: this list is one page");
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${Bun.SHA256.hash(bytes, "hex")}`;
}

function childrenOf(directory: string): object[] {
  const names = Object.keys(skillFiles)
    .filter((path) => path.startsWith(directory))
    .map((path) => path.slice(directory.length).split("/"));
  const children = new Map(names.map(([name = "", ...below]) => [name, below.length > 0]));
  return [...children].map(([name, isDirectory]) => ({
    uri: `${rootUri}/${directory}${name}`,
    name,
    mimeType: isDirectory ? "inode/directory" : markdown,
  }));
}

type Frontmatter = { name: string; description: string };

// Hosts compare every member with the file's own, so all of it is given.
function frontmatterOf(text: string): Frontmatter {
  const block = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "";
  const fields: unknown = Bun.YAML.parse(block);
  if (!isObject(fields)) throw new Error("the skill has no frontmatter");
  const { name, description } = fields;
  if (typeof name !== "string" || typeof description !== "string") throw new Error("the skill has no name");
  return { ...(fields as Record<string, Json>), name, description }; // YAML of scalars and lists is JSON
}

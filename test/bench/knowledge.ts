// What a knowledge base costs as it grows: the same call on 20,000 pages beside 2,000, on one hub. Every directory holds
// 100 pages, and ten pages link to the one whose backlinks are asked for, so that both answers are of one size.
import { join } from "node:path";
import { callRow, drive } from "./drive.ts";
import type { Figure } from "./figure.ts";

const small = 2000;
const large = 20_000;
const pagesInDirectory = 100;
const linking = 10;
const writersAtOnce = 64;
const clients = 16;
const target = { kind: "at least", must: 0.8, ambitious: 0.95 } as const;

type Address = { port: number; token: string };

export const knowledgeFigure: Figure = {
  name: "knowledge",
  async measure({ hub, folder }) {
    const token = (await Bun.file(join(folder, "data", "admin-token")).text()).trim();
    const at = { port: hub.port, token };
    for (const pages of [small, large]) await fill(at, pages);
    const calls: [string, (project: string) => string][] = [
      ["list of one level", (project) => get(at, `${base(project)}/pages?prefix=d7`)],
      ["stats", (project) => get(at, `${base(project)}/stats`)],
      ["backlinks", (project) => get(at, `${base(project)}/backlinks?path=d0/p0.md`)],
      ["history of a page", (project) => get(at, `${base(project)}/versions?path=d0/p0.md`)],
      ["put of a page", (project) => put(at, `${base(project)}/pages/d3/p3.md`, page(3))],
    ];
    const contenders = calls.flatMap(([, request]) =>
      [large, small].map((pages) => ({
        server: hub,
        requests: Array.from({ length: clients }, () => request(projectOf(pages))),
      })),
    );
    const measured = await drive(contenders);
    return calls.flatMap(([name], index) => {
      const [ofLarge, ofSmall] = measured.slice(2 * index, 2 * index + 2);
      if (ofLarge === undefined || ofSmall === undefined) return [];
      return [
        callRow(`${name}, ${large} pages`, ofLarge, { measured: ofSmall, against: `the same on ${small}`, target }),
      ];
    });
  },
};

const projectOf = (pages: number): string => `knowledge-${pages}`;
const base = (project: string): string => `/api/v1/projects/${project}/kb`;

function page(index: number): string {
  const link = index > 0 && index <= linking ? "[first](/fs/d0/p0.md)" : "no link";
  return `---\ntype: Guide\ntitle: Page ${index}\ntags: [bench]\nstale_after: 2999-01-01\n---\n${link}\n`;
}

/** Pages written the way the operator writes them. */
async function fill(at: Address, pages: number): Promise<void> {
  const project = projectOf(pages);
  await send(
    at,
    "POST",
    "/api/v1/projects",
    "application/json",
    JSON.stringify({ id: project, display_name: project }),
  );
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < pages) {
      const index = next;
      next += 1;
      const path = `d${Math.floor(index / pagesInDirectory)}/p${index}.md`;
      await send(at, "PUT", `${base(project)}/pages/${path}`, "text/markdown", page(index));
    }
  };
  await Promise.all(Array.from({ length: writersAtOnce }, writer));
}

async function send({ port, token }: Address, method: string, path: string, type: string, body: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": type },
    body,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
}

function get(at: Address, path: string): string {
  return `${head(at, "GET", path)}\r\n`;
}

function put(at: Address, path: string, body: string): string {
  const fields = ["Content-Type: text/markdown", `Content-Length: ${Buffer.byteLength(body)}`];
  return `${head(at, "PUT", path)}${fields.join("\r\n")}\r\n\r\n${body}`;
}

function head({ port, token }: Address, method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
}

// SQL of the links between pages: backlinks, and what tree lint says of them (knowledge-base.md 6, 8).
import type { Db } from "../../storage/database.ts";
import type { PageLink } from "./page/links.ts";

type LinkRow = { line: number; target: string | null; decoded: string | null };

/** The links of a page from now on; a write that changes none writes none. */
export function setLinks(db: Db, projectId: string, pageId: number, links: readonly PageLink[]): void {
  const before = db.all<LinkRow>(
    "SELECT line, target, decoded FROM page_links WHERE page_id = ? ORDER BY place",
    pageId,
  );
  const isSame =
    before.length === links.length &&
    before.every((row, index) => {
      const link = links[index];
      return row.line === link?.line && row.target === link.target && row.decoded === link.decoded;
    });
  if (isSame) return;
  db.run("DELETE FROM page_links WHERE page_id = ?", pageId);
  for (const [place, link] of links.entries()) {
    db.run(
      "INSERT INTO page_links (page_id, place, project_id, line, target, decoded) VALUES (?, ?, ?, ?, ?, ?)",
      pageId,
      place,
      projectId,
      link.line,
      link.target,
      link.decoded,
    );
  }
}

const isLive = (path: string): string =>
  `EXISTS (SELECT 1 FROM pages t WHERE t.project_id = l.project_id AND t.path = ${path} AND t.blob IS NOT NULL)`;

/** Other pages with a link to this one, once each, in path order. */
export function listBacklinks(db: Db, projectId: string, path: string): { path: string; title: string | null }[] {
  return db.all(
    `SELECT p.path, p.title FROM pages p WHERE p.path <> ?2 AND p.blob IS NOT NULL AND p.id IN (
       SELECT page_id FROM page_links WHERE project_id = ?1 AND target = ?2
       UNION SELECT l.page_id FROM page_links l WHERE l.project_id = ?1 AND l.decoded = ?2 AND NOT ${isLive("l.target")}
     ) ORDER BY p.path`,
    projectId,
    path,
  );
}

/** Links that lead to no page, and those that climb above the root, whose target is null. */
export function listFaultyLinks(db: Db, projectId: string): { path: string; line: number; target: string | null }[] {
  return db.all(
    `SELECT p.path, l.line, l.target FROM page_links l JOIN pages p ON p.id = l.page_id
     WHERE l.project_id = ? AND (l.target IS NULL
       OR (NOT ${isLive("l.target")} AND (l.decoded IS NULL OR NOT ${isLive("l.decoded")})))`,
    projectId,
  );
}

/** Pages that no other page links to. */
export function listOrphans(db: Db, projectId: string): string[] {
  return db
    .all<{ path: string }>(
      `SELECT p.path FROM pages p WHERE p.project_id = ?1 AND p.blob IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM page_links l WHERE l.project_id = ?1 AND l.target = p.path AND l.page_id <> p.id)
       AND NOT EXISTS (SELECT 1 FROM page_links l WHERE l.project_id = ?1 AND l.decoded = p.path AND l.page_id <> p.id
         AND NOT ${isLive("l.target")})`,
      projectId,
    )
    .map((row) => row.path);
}

/** Pages of a directory with an index that the index has no link to. */
export function listUnindexed(db: Db, projectId: string): { path: string; indexPath: string }[] {
  return db.all(
    `SELECT p.path, i.path AS indexPath FROM pages p
     JOIN pages i ON i.project_id = p.project_id AND i.path = p.parent || '/index.md' AND i.blob IS NOT NULL
     WHERE p.project_id = ? AND p.blob IS NOT NULL AND p.parent <> '/fs' AND p.id <> i.id
     AND NOT EXISTS (SELECT 1 FROM page_links l WHERE l.project_id = p.project_id AND l.target = p.path AND l.page_id = i.id)
     AND NOT EXISTS (SELECT 1 FROM page_links l WHERE l.project_id = p.project_id AND l.decoded = p.path
       AND l.page_id = i.id AND NOT ${isLive("l.target")})`,
    projectId,
  );
}

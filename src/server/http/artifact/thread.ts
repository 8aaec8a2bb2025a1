// The comments below a plain document, to read: who said what, about which words, and whether it is settled.
import type { ArtifactComment } from "../../../features/artifacts/index.ts";
import { ageElement } from "./age.ts";
import { theirs } from "./escape.ts";

export function threadHtml(comments: readonly ArtifactComment[], shownVersion: number, now: number): string {
  const shown = comments.filter(({ anchorVersion }) => anchorVersion <= shownVersion);
  if (shown.length === 0) return "";
  const items = shown.map((comment) => commentHtml(comment, shownVersion, now)).join("\n");
  const count = shown.length === 1 ? "1 comment" : `${shown.length} comments`;
  return `<section class="thread" aria-labelledby="thread-title">
<h2 id="thread-title">${count}</h2>
<ol>
${items}
</ol>
</section>`;
}

function commentHtml(comment: ArtifactComment, shownVersion: number, now: number): string {
  const state = comment.isDone ? "Resolved" : "Open";
  return `<li class="comment${comment.isDone ? " done" : ""}">
<p class="comment-head"><b>${theirs(comment.author)}</b> ${ageElement(comment.createdAt, now)} <span class="comment-state">${state}</span></p>
${anchorHtml(comment, shownVersion)}
<p class="comment-body theirs" dir="auto">${theirs(comment.body)}</p>
</li>`;
}

function anchorHtml({ anchor, anchorVersion }: ArtifactComment, shownVersion: number): string {
  const where = anchorVersion === shownVersion ? "" : ` <span class="comment-version">on v${anchorVersion}</span>`;
  if (anchor === null) return where === "" ? "" : `<p class="comment-anchor">${where.trim()}</p>`;
  if (anchor.mode === "point") return `<p class="comment-anchor">At a point of the document${where}</p>`;
  return `<p class="comment-anchor"><q>${theirs(anchor.quote)}</q>${where}</p>`;
}

// Agents' words on their way into a document of the hub.
import { escapeHtml } from "../../../shared/markdown.ts";

/** One line of plain words: nothing that controls the line around it, and nothing a document may not hold. */
export function oneLine(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\s+/g, " ")
      // Controls, marks that turn the direction of what follows, and characters that XML has no place for.
      .replace(/[\p{Cc}\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu, "")
      .trim()
  );
}

export function escapedLine(text: string): string {
  return escapeHtml(oneLine(text));
}

/** What somebody else wrote, in its own direction and never outside its box. */
export function theirs(text: string): string {
  return `<bdi class="theirs" dir="auto">${escapeHtml(text.toWellFormed())}</bdi>`;
}

/** The first characters of a line, with a mark where it was cut. */
export function cutLine(text: string, maxChars: number): string {
  const characters = [...oneLine(text)];
  return characters.length <= maxChars ? characters.join("") : `${characters.slice(0, maxChars - 1).join("")}…`;
}

/** A value for scripts of the page. It cannot end its element, whatever it holds. */
export function dataIsland(id: string, value: unknown): string {
  const json = JSON.stringify(value).replaceAll("&", "\\u0026").replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
  return `<script type="application/json" id="${id}">${json}</script>`;
}

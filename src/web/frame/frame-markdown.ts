// The runtime of a protected markdown document: rendered here, by the same renderer as the hub's.
import { renderMarkdown } from "../../shared/markdown.ts";
import { drawDiagrams } from "./draw.ts";
import { startRuntime } from "./runtime.ts";

startRuntime(({ kind, text }) => {
  const main = document.querySelector("main");
  if (kind !== "markdown" || main === null) return;
  // Escaped HTML of the one renderer; the frame's policy runs no script it could hold.
  main.innerHTML = renderMarkdown(text);
  drawDiagrams();
});

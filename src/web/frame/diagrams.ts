// The hub's diagram runtime: inlined only into frames that hold a diagram. One that fails keeps its source text.
import mermaid from "mermaid";
import { whenParsed } from "./height.ts";

declare global {
  interface Window {
    mermaid?: typeof mermaid;
  }
}

function configure(): void {
  const isDark = document.documentElement.dataset["theme"] === "dark";
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    theme: isDark ? "dark" : "neutral",
    fontFamily: "ui-sans-serif, system-ui, sans-serif",
  });
}

const sources = new Map<Element, string>();
let drawings = Promise.resolve();

async function draw(): Promise<void> {
  configure();
  for (const place of document.querySelectorAll<HTMLElement>("pre.mermaid, div.mermaid")) {
    const source = sources.get(place) ?? place.textContent ?? "";
    sources.set(place, source);
    place.textContent = source;
    try {
      const { svg } = await mermaid.render(`hub-diagram-${sources.size}-${Math.round(performance.now())}`, source);
      place.innerHTML = svg;
      place.dataset["drawn"] = "";
    } catch {
      place.textContent = source; // its words are all that can be shown
      delete place.dataset["drawn"];
    }
  }
}

// One after another: the library draws one at a time.
function drawAll(): void {
  drawings = drawings.then(draw);
}

window.mermaid = mermaid;
window.hubDrawDiagrams = drawAll;
whenParsed(() => {
  drawAll();
  new MutationObserver(drawAll).observe(document.documentElement, { attributeFilter: ["data-theme"] });
});

// Marks the quotes of comments and found words over the rendered text, without touching the document's own nodes.
import { type MarkedQuote, marksMax } from "./messages.ts";
import { indexText } from "./quotes.ts";
import { say } from "./say.ts";

type Highlights = { set(name: string, ranges: readonly Range[]): void };

const noHighlights: Highlights = { set: () => undefined };

export type Marks = {
  comments(comments: readonly MarkedQuote[]): void;
  find(terms: readonly string[]): void;
  scrollTo(id: string): void;
};

export function createMarks(): Marks {
  const highlights = typeof Highlight === "undefined" ? noHighlights : registered();
  const placed = new Map<string, Range>();

  function reportPlaces(): void {
    const marks = [...placed].map(([id, range]) => ({ id, y: range.getBoundingClientRect().top + scrollY }));
    say({ type: "marks", marks });
  }
  addEventListener("resize", reportPlaces);

  return {
    comments(comments) {
      const index = indexText(document.body);
      placed.clear();
      for (const { id, quote } of comments) {
        const range = index.find(quote);
        if (range !== undefined) placed.set(id, range);
      }
      highlights.set("hub-comment", [...placed.values()]);
      reportPlaces();
    },
    find(terms) {
      const index = indexText(document.body);
      const found = terms.flatMap((term) => index.findAll(term, marksMax));
      highlights.set("hub-found", found);
      found.sort((one, other) => one.compareBoundaryPoints(Range.START_TO_START, other));
      show(found[0]);
    },
    scrollTo: (id) => show(placed.get(id)),
  };
}

function show(range: Range | undefined): void {
  range?.startContainer.parentElement?.scrollIntoView({ block: "center" });
}

function registered(): Highlights {
  return {
    set(name, ranges) {
      CSS.highlights.set(name, new Highlight(...ranges));
    },
  };
}

// What a frame and the page around it may say to each other (web-app.md 2.7). Both sides read with these functions:
// numbers are clamped, texts are cut, and whatever is no message of this list is dropped.

export type FrameTheme = "light" | "dark";
export type MarkedQuote = { id: string; quote: string };
export type MarkPlace = { id: string; y: number };

export type FromFrame =
  | { type: "height"; px: number }
  | { type: "select"; quote: string; prefix: string; x: number; y: number }
  | { type: "marks"; marks: MarkPlace[] }
  | { type: "link"; href: string };

export type ToFrame =
  | { type: "theme"; theme: FrameTheme }
  | { type: "comments"; comments: MarkedQuote[] }
  | { type: "find"; terms: string[] }
  | { type: "scrollTo"; id: string }
  | { type: "body"; kind: "html" | "markdown"; text: string };

const heightMin = 120;
const heightMax = 200_000;
export const quoteChars = 500;
export const prefixChars = 100;
export const marksMax = 500;
const hrefChars = 4096;
const commentQuoteChars = 2000;
const termsMax = 50;
const idChars = 200;

export function readFromFrame(data: unknown): FromFrame | undefined {
  const said = members(data);
  switch (said["type"]) {
    case "height": {
      const px = numberIn(said["px"], heightMin, heightMax);
      return px === undefined ? undefined : { type: "height", px };
    }
    case "select": {
      const quote = textOf(said["quote"], quoteChars);
      if (quote === undefined || quote === "") return undefined;
      const [x, y] = [numberIn(said["x"], 0, 1), numberIn(said["y"], 0, 1)];
      if (x === undefined || y === undefined) return undefined;
      return { type: "select", quote, prefix: textOf(said["prefix"], prefixChars) ?? "", x, y };
    }
    case "marks":
      return { type: "marks", marks: listOf(said["marks"], marksMax).flatMap(placeOf) };
    case "link": {
      const href = said["href"];
      return typeof href === "string" && href.length <= hrefChars ? { type: "link", href } : undefined;
    }
    default:
      return undefined;
  }
}

export function readToFrame(data: unknown): ToFrame | undefined {
  const said = members(data);
  switch (said["type"]) {
    case "theme":
      return said["theme"] === "dark" || said["theme"] === "light"
        ? { type: "theme", theme: said["theme"] }
        : undefined;
    case "comments":
      return { type: "comments", comments: listOf(said["comments"], marksMax).flatMap(quoteOf) };
    case "find":
      return {
        type: "find",
        terms: listOf(said["terms"], termsMax).flatMap((term) => textOf(term, quoteChars) ?? []),
      };
    case "scrollTo": {
      const id = textOf(said["id"], idChars);
      return id === undefined ? undefined : { type: "scrollTo", id };
    }
    case "body": {
      const { kind, text } = said;
      if ((kind !== "html" && kind !== "markdown") || typeof text !== "string") return undefined;
      return { type: "body", kind, text };
    }
    default:
      return undefined;
  }
}

function members(data: unknown): Record<string, unknown> {
  return typeof data === "object" && data !== null ? { ...data } : {};
}

function numberIn(value: unknown, min: number, max: number): number | undefined {
  return typeof value === "number" && !Number.isNaN(value) ? Math.min(max, Math.max(min, value)) : undefined;
}

function textOf(value: unknown, maxChars: number): string | undefined {
  return typeof value === "string" ? value.slice(0, maxChars).toWellFormed() : undefined;
}

function listOf(value: unknown, max: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : [];
}

function placeOf(value: unknown): MarkPlace[] {
  const { id, y } = members(value);
  const place = numberIn(y, 0, heightMax);
  return typeof id === "string" && id.length <= idChars && place !== undefined ? [{ id, y: place }] : [];
}

function quoteOf(value: unknown): MarkedQuote[] {
  const { id, quote } = members(value);
  const words = textOf(quote, commentQuoteChars);
  return typeof id === "string" && id.length <= idChars && words !== undefined ? [{ id, quote: words }] : [];
}

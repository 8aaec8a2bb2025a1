// The picture that chats and mails show beside a link (rest-api.md 12). It stands alone: no font, no image, no script.
import { escapeHtml } from "../../../shared/markdown.ts";
import { cutLine } from "./escape.ts";

const titleChars = 90;
const descriptionChars = 160;
const titleLineChars = 32;
const descriptionLineChars = 62;

export type Card = { title: string; description: string; note: string };

export function cardSvg({ title, description, note }: Card): string {
  const titleLines = wrapped(cutLine(title, titleChars), titleLineChars);
  const descriptionLines = wrapped(cutLine(description, descriptionChars), descriptionLineChars);
  const below = 240 + titleLines.length * 76;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630" role="img">',
    "<style>text{font-family:ui-sans-serif,system-ui,sans-serif}</style>",
    '<rect width="1200" height="630" fill="#0c1418"/>',
    '<g transform="translate(80 72)" stroke="#e6eef0" stroke-width="3" fill="#e6eef0">',
    '<path d="M24 24V6M24 24l15.6 9M24 24L8.4 33"/><circle cx="24" cy="24" r="8" fill="#0c1418"/>',
    '<circle cx="24" cy="6" r="4.5"/><circle cx="39.6" cy="33" r="4.5"/><circle cx="8.4" cy="33" r="4.5"/></g>',
    '<text x="148" y="106" font-size="30" font-weight="600" fill="#b4c2c8">Agent Hub</text>',
    ...lines(titleLines, { y: 236, step: 76, size: 62, weight: 650, fill: "#e6eef0" }),
    ...lines(descriptionLines, { y: below, step: 44, size: 32, weight: 400, fill: "#b4c2c8" }),
    `<text x="80" y="566" font-size="26" fill="#93a4ac">${escapeHtml(cutLine(note, titleChars))}</text>`,
    "</svg>",
  ].join("\n");
}

type Style = { y: number; step: number; size: number; weight: number; fill: string };

function lines(texts: readonly string[], { y, step, size, weight, fill }: Style): string[] {
  return texts.map(
    (text, index) =>
      `<text x="80" y="${y + index * step}" font-size="${size}" font-weight="${weight}" fill="${fill}">${escapeHtml(text)}</text>`,
  );
}

// Words as long as a line are cut; nothing measures text here.
function wrapped(text: string, maxChars: number): string[] {
  const result: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => chunks(each, maxChars))) {
    if (line !== "" && [...line].length + 1 + [...word].length > maxChars) {
      result.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? result : [...result, line];
}

function chunks(word: string, maxChars: number): string[] {
  const characters = [...word];
  const result: string[] = [];
  for (let at = 0; at < characters.length; at += maxChars) result.push(characters.slice(at, at + maxChars).join(""));
  return result;
}

// Properties that hold for every text: no authored element, no forbidden target, and time that follows the length.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { markdownHtml, parseMarkdown, renderMarkdown } from "../../../src/shared/markdown.ts";

const attribute = '(?: (?:id|href|title|rel|src|alt|class|start|role|aria-label|tabindex)="[^"<>]*")*';
const tag = new RegExp(
  `^<(?:/?(?:p|em|strong|del|code|pre|h[1-6]|ul|ol|li|blockquote|aside|a|img|div|table|thead|tbody|tr|th|td|span)${attribute}|br|hr)>`,
);
const classes =
  /^(?:hub-(?:task|task-mark|table|left|center|right|callout-kind)|hub-callout (?:note|tip|warning|caution)|mermaid|language-[\w+#.-]{1,40})$/;

function check(html: string): void {
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at + 1)) {
    expect(html.slice(at, at + 400_000)).toMatch(tag);
  }
  for (const [, value = ""] of html.matchAll(/ class="([^"]*)"/g)) expect(value).toMatch(classes);
  for (const [, value = ""] of html.matchAll(/ src="([^"]*)"/g)) expect(value).toMatch(/^data:image\//i);
  for (const [, value = ""] of html.matchAll(/ href="([^"]*)"/g)) {
    const target = URL.parse(unescaped(value), "https://base.example/");
    // What cannot be read as an address leads nowhere.
    if (target !== null) expect(target.protocol).toMatch(/^(?:https?|mailto|agenthub):$/);
  }
}

function unescaped(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

const fragment = fc.constantFrom(
  ..."*_`~[]()<>!#|\\&\"'-+=:;. \t\n\r\0",
  "![",
  "](",
  "](<",
  "> ",
  "- [ ] ",
  "1. ",
  "```",
  "```mermaid\n",
  "\n\n",
  "    ",
  "|-|-|\n",
  "<script>",
  "</script>",
  "<img src=x onerror=alert(1)>",
  "<!--",
  "<?",
  "<![CDATA[",
  "javascript:",
  "java\nscript:",
  "data:text/html,",
  "data:image/png,",
  "https://a.example/",
  "//b.example",
  "&#106;avascript:",
  "&colon;",
  "[x]: javascript:1\n",
  "[x]",
  "[!NOTE]",
  "---\n",
  "a",
  "\u202E",
  "\u200B",
  "\uD800",
);
const hostileText = fc
  .array(fc.oneof({ weight: 4, arbitrary: fragment }, fc.string()), { maxLength: 60 })
  .map((parts) => parts.join(""));

describe("every text", () => {
  test("renders without an authored element or a forbidden target", () => {
    fc.assert(
      fc.property(hostileText, (text) => check(renderMarkdown(text))),
      { numRuns: 3000 },
    );
  });
  test("renders the same in pieces", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect([...markdownHtml(text)].join("")).toBe(renderMarkdown(text));
      }),
      { numRuns: 200 },
    );
  });
});

const size = 24_000;
const pathological: [string, string][] = [
  ["brackets", "[".repeat(size)],
  ["bracket pairs", "[".repeat(size / 2) + "]".repeat(size / 2)],
  ["links in links", "[a](".repeat(size / 4)],
  ["images in images", "![".repeat(size / 2)],
  ["quotes in quotes", ">".repeat(size)],
  ["quotes ever deeper", Array.from({ length: 400 }, (_, level) => `${">".repeat(level)} a`).join("\n")],
  ["lists in lists", "- ".repeat(size / 2)],
  ["lists ever deeper", Array.from({ length: 400 }, (_, level) => `${" ".repeat(2 * level)}- a`).join("\n")],
  ["emphasis that is never closed", "*a **b ".repeat(size / 7)],
  ["emphasis in emphasis", "*a **b ".repeat(size / 14) + " b** a*".repeat(size / 14)],
  ["emphasis that crosses", "**a *b ** c* ".repeat(size / 13)],
  ["emphasis without a space", "a_".repeat(size / 2)],
  ["code marks of every length", Array.from({ length: 450 }, (_, length) => `${"`".repeat(length)} `).join("")],
  ["lines without an end", "a\n".repeat(size / 2)],
  ["an underline far below", `${"a\n".repeat(size / 2)}=`],
  ["a long word with a sign", `${"a".repeat(size)}@`],
  ["a wide table", `${"|a".repeat(size / 6)}\n${"|-".repeat(size / 6)}\n${"|c".repeat(size / 6)}`],
  ["a long table", `|a|b|\n|-|-|\n${"|c|d|\n".repeat(size / 6)}`],
  ["pipes", "|".repeat(size)],
  ["unclosed comments", "<!--".repeat(size / 4)],
  ["unclosed tags", "<a ".repeat(size / 3)],
  ["definitions", `a\n\n${"[a]: b\n".repeat(size / 7)}`],
  ["spaces", `a${" ".repeat(size)}b`],
  ["strikes", "~~a ".repeat(size / 4)],
  ["an unclosed fence", `\`\`\`\n${"a\n".repeat(size / 2)}`],
  ["one heading again and again", "# a\n".repeat(size / 4)],
];

describe("a text that is made to take long", () => {
  // A bound far above what any of them needs on a busy machine; what looks back over the whole text takes minutes.
  test.each(pathological)(
    "%s",
    (_, text) => {
      expect(parseMarkdown(text).length).toBeGreaterThan(0);
      expect(renderMarkdown(text)).not.toBe("");
    },
    30_000,
  );
  test("nesting has a floor", () => {
    const levels = (text: string): number =>
      Math.max(
        ...[...renderMarkdown(text).matchAll(/(?:<(?:blockquote|ul|em|strong)>\s*(?:<li>)?)+/g)].map(
          ([run]) => run.split("<").length,
        ),
      );
    expect(levels(">".repeat(500))).toBeLessThan(40);
    expect(levels("- ".repeat(500))).toBeLessThan(80);
  });
});

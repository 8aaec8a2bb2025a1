// The dialect of artifacts.md 5.1, by what it renders.
import { describe, expect, test } from "bun:test";
import { parseMarkdown, plainText, renderMarkdown, splitFrontmatter } from "../../../src/shared/markdown.ts";

function rendersAs(text: string, html: string): void {
  expect(renderMarkdown(text).trimEnd()).toBe(html);
}

describe("the dialect", () => {
  test.each([
    [
      "paragraphs and emphasis",
      "One *two* **three** ~~four~~\n\nfive",
      "<p>One <em>two</em> <strong>three</strong> <del>four</del></p>\n<p>five</p>",
    ],
    ["a hard break", "one  \ntwo\\\nthree", "<p>one<br>\ntwo<br>\nthree</p>"],
    ["code spans", "`a < b` and ``c ` d``", "<p><code>a &lt; b</code> and <code>c ` d</code></p>"],
    [
      "fenced code",
      "```ts\nconst a = 1 < 2;\n```",
      '<pre tabindex="0"><code class="language-ts">const a = 1 &lt; 2;\n</code></pre>',
    ],
    ["indented code", "    a\n    b", '<pre tabindex="0"><code>a\nb\n</code></pre>'],
    ["a language that is none", '``` "><script>\nx\n```', '<pre tabindex="0"><code>x\n</code></pre>'],
    ["tight lists", "- a\n- b\n  - c", "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul></li>\n</ul>"],
    ["loose numbered lists", "3. a\n\n4. b", '<ol start="3">\n<li><p>a</p></li>\n<li><p>b</p></li>\n</ol>'],
    [
      "task lists",
      "- [x] a\n- [ ] b",
      '<ul>\n<li class="hub-task"><span class="hub-task-mark" role="img" aria-label="Done">☑</span> a</li>\n<li class="hub-task"><span class="hub-task-mark" role="img" aria-label="To do">☐</span> b</li>\n</ul>',
    ],
    [
      "tables",
      "| a | b |\n|:-:|--:|\n| 1 | `2` |",
      '<div class="hub-table" role="region" aria-label="Table" tabindex="0"><table>\n<thead><tr><th class="hub-center">a</th><th class="hub-right">b</th></tr></thead>\n<tbody>\n<tr><td class="hub-center">1</td><td class="hub-right"><code>2</code></td></tr>\n</tbody>\n</table></div>',
    ],
    ["quotes", "> a\n> b", "<blockquote>\n<p>a\nb</p>\n</blockquote>"],
    ["rules", "a\n\n***", "<p>a</p>\n<hr>"],
    [
      "character references",
      "&amp; &copy; &#65; &#x42; &unknown; `&amp;`",
      "<p>&amp; © A B &amp;unknown; <code>&amp;amp;</code></p>",
    ],
    ["diagrams", "```mermaid\nA-->B\n```", '<pre class="mermaid">A--&gt;B</pre>'],
    [
      "references from anywhere",
      '[a][x]\n\n[x]: https://example.org/ "T"',
      '<p><a href="https://example.org/" title="T" rel="noopener noreferrer">a</a></p>',
    ],
  ])("%s", (_, text, html) => rendersAs(text, html));

  test.each(["NOTE", "TIP", "WARNING", "CAUTION"])("%s is a callout that also says its word", (marker) => {
    const kind = marker.toLowerCase();
    const word = `${marker.charAt(0)}${kind.slice(1)}`;
    const head = `<aside class="hub-callout ${kind}">\n<p class="hub-callout-kind">${word}</p>`;
    rendersAs(
      `> [!${marker}]\n> Read *this*.\n>\n> - a`,
      `${head}\n<p>Read <em>this</em>.</p>\n<ul>\n<li>a</li>\n</ul>\n</aside>`,
    );
    rendersAs(`> [!${marker}]\n>\n> Read.`, `${head}\n<p>Read.</p>\n</aside>`);
  });
  test.each(["> [!IMPORTANT]\n> a", "> [!note]\n> a", "> [!NOTE] a", "> a\n> [!NOTE]"])("%j stays a quote", (text) => {
    expect(parseMarkdown(text)[0]?.type).toBe("quote");
  });

  test("headings get slugs, each of its own", () => {
    const ids = parseMarkdown("# Héllo, *World*!\n\n## Héllo World\n\n# Héllo World-1\n\n# !\n\n# constructor").map(
      (block) => (block.type === "heading" ? block.id : block.type),
    );
    expect(ids).toEqual(["héllo-world", "héllo-world-1", "héllo-world-1-1", "section", "constructor"]);
  });
});

describe("nothing authored becomes an element", () => {
  test.each([
    ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
    ['a <b onclick="x">b</b>', "<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>"],
    ["<!-- a -->", "<p>&lt;!-- a --&gt;</p>"],
    ["<div>\n\n*a*\n\n</div>", "<p>&lt;div&gt;</p>\n<p><em>a</em></p>\n<p>&lt;/div&gt;</p>"],
  ])("%j", (text, html) => rendersAs(text, html));
});

describe("link targets", () => {
  const link = (href: string, words: string): string =>
    `<p><a href="${href}" rel="noopener noreferrer">${words}</a></p>`;
  test.each([
    ["[a](https://example.org/?a=1&b=2)", "https://example.org/?a=1&amp;b=2"],
    ["[a](mailto:a@example.org)", "mailto:a@example.org"],
    ["[a](agenthub://kb/p/x.md)", "agenthub://kb/p/x.md"],
    ["[a](#part)", "#part"],
    ["[a](../b/c.md)", "../b/c.md"],
  ])("%s is kept", (text, href) => rendersAs(text, link(href, "a")));
  test.each([
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java&#115;cript:alert(1))",
    "[a](<java\tscript:alert(1)>)",
    "[a](<\u0001javascript:alert(1)>)",
    "[a](javascript&colon;alert(1))",
    "[a](data:text/html,x)",
    "[a](vbscript:x)",
    "[a](file:///etc/passwd)",
    "[a](blob:x)",
  ])("%j is text or leads nowhere else", (text) => {
    const html = renderMarkdown(text);
    for (const [, href = ""] of html.matchAll(/href="([^"]*)"/g)) {
      expect(new URL(href.replaceAll("&amp;", "&"), "https://base.example/").protocol).toBe("https:");
    }
  });
  test("autolinks", () => rendersAs("https://example.org", link("https://example.org", "https://example.org")));
  test("a web link names its host, user names left out", () => {
    const hosts = [
      "[a](https://u:p@example.org:8080/b)",
      "[a](//example.org)",
      "[a](\\\\\\\\example.org)",
      "[a](b.md)",
    ].map((text) => {
      const [block] = parseMarkdown(text);
      const [node] = block?.type === "paragraph" ? block.children : [];
      return node?.type === "link" ? node.host : node?.type;
    });
    expect(hosts).toEqual(["example.org:8080", "example.org", "example.org", null]);
  });
});

describe("images", () => {
  test("one that comes with its bytes is shown", () => {
    rendersAs(
      '![a "b"](data:image/png;base64,AAAA)',
      '<p><img src="data:image/png;base64,AAAA" alt="a &quot;b&quot;"></p>',
    );
  });
  test("also one that is longer than any word is looked at", () => {
    const source = `data:image/png;base64,${"A".repeat(300_000)}`;
    rendersAs(
      `words ![big one](${source} "title") words`,
      `<p>words <img src="${source}" alt="big one" title="title"> words</p>`,
    );
  });
  test.each([
    [
      "![a](https://example.org/b.png)",
      '<p><a href="https://example.org/b.png" rel="noopener noreferrer">Image at example.org: a</a></p>',
    ],
    ["![](b.png)", '<p><a href="b.png" rel="noopener noreferrer">Image</a></p>'],
    ["![a](data:text/html,b)", "<p>a</p>"],
    ["![a](javascript:b)", "<p>a</p>"],
  ])("%s is a link that says so, or text", (text, html) => rendersAs(text, html));
});

describe("frontmatter", () => {
  test.each([
    ["---\ntitle: a\n---\nb", "title: a\n", "b"],
    ["\uFEFF---\r\n# note\r\ntitle: a\r\n---\r\nb", "# note\r\ntitle: a\r\n", "b"],
    ["---\n---\nb", "", "b"],
    ["---\n\nwords\n\n---\nb", null, "---\n\nwords\n\n---\nb"],
    ["---\ntitle: a\nb", null, "---\ntitle: a\nb"],
    ["a\n---\nb: c\n---", null, "a\n---\nb: c\n---"],
  ])("%j", (text, frontmatter, body) => {
    expect(splitFrontmatter(text)).toEqual({ frontmatter, body });
  });
  test("is not shown", () => rendersAs("---\ntitle: a\n---\n# b", '<h1 id="b">b</h1>'));
});

describe("a long document", () => {
  test("reads as a short one does, wherever it is cut", () => {
    const part = "# Part\n\nSome *words* and a [link][x].\n\n- a\n- b\n\n```\ncode\n\n# no heading\n```\n\n> quote\n\n";
    const count = 1000;
    const blocks = parseMarkdown(`${part.repeat(count)}[x]: https://example.org/`);
    expect<string[]>(blocks.map((block) => block.type)).toEqual(
      Array.from({ length: count }, () => ["heading", "paragraph", "list", "code", "quote"]).flat(),
    );
    expect(new Set(blocks.flatMap((block) => (block.type === "heading" ? [block.id] : []))).size).toBe(count);
    const words = blocks.flatMap((block) => (block.type === "paragraph" ? [block.children] : []));
    expect(words.every((nodes) => nodes.some((node) => node.type === "link"))).toBe(true);
  });
  test("a table goes on under its header", () => {
    const blocks = parseMarkdown(`| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(20_000)}`);
    expect(new Set(blocks.map((block) => block.type))).toEqual(new Set(["table"]));
    const rows = blocks.flatMap((block) => (block.type === "table" ? block.rows : []));
    expect(rows.length).toBe(20_000);
    expect(rows.every((row) => row.map(plainText).join() === "1,2")).toBe(true);
  });
  test("what is beyond the limit follows as written", () => {
    const html = renderMarkdown(`${"word ".repeat(900_000)}\n<b>end</b>`);
    expect(html).toContain("The rest is too long to lay out and follows as written.");
    expect(html.trimEnd()).toEndWith("\n&lt;b&gt;end&lt;/b&gt;</pre>");
  });
});

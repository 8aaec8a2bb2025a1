// A small lexer for TypeScript and TSX: enough to tell code from strings, comments, templates, regular expressions
// and JSX text, so that a rule about code never trips over prose. It does not parse.
export type Token = {
  kind: "word" | "number" | "string" | "template" | "regex" | "jsx" | "punct";
  text: string;
  line: number;
};
export type Comment = { text: string; line: number; endLine: number };
export type Lexed = { tokens: Token[]; comments: Comment[] };

const blank = /\s+/y;
const lineComment = /\/\/[^\n]*/y;
const blockComment = /\/\*[\s\S]*?\*\//y;
const word = /[#@]?[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const number = /\.?\d(?:[\w.]|(?<=[eE])[+-])*/y;
// A raw line break ends a quoted string, so a stray apostrophe costs one line at most.
const quoted = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y;
const regex = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const punct = /===|!==|==|!=|=>|\?\?=|\?\?|\?\.(?!\d)|\.\.\.|&&=|&&|\|\|=|\|\||\+\+|--|<=|>=|[\s\S]/y;
const jsxName = /[\w$.:-]+/y;
const jsxQuoted = /"[^"]*"|'[^']*'/y;
const jsxText = /[^<{]+/y;
const templateText = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;

const operatorWords = new Set(
  "return typeof case in of instanceof new delete void throw await yield else do extends keyof".split(" "),
);

/** True when an expression may end at this token: what follows is then an operator, not a new expression. */
export function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === "word") return !operatorWords.has(token.text);
  if (token.kind === "punct") return [")", "]", "}", "++", "--"].includes(token.text);
  return true;
}

export function lex(source: string, isTsx: boolean): Lexed {
  const tokens: Token[] = [];
  const comments: Comment[] = [];
  let at = 0;
  let line = 1;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text === undefined || text === "") return undefined;
    at += text.length;
    for (const char of text) if (char === "\n") line += 1;
    return text;
  }

  function push(kind: Token["kind"], text: string, startLine: number): void {
    tokens.push({ kind, text, line: startLine });
  }

  function skipBlankAndComments(): void {
    for (;;) {
      if (take(blank) !== undefined) continue;
      const startLine = line;
      const text = take(lineComment) ?? take(blockComment);
      if (text === undefined) return;
      comments.push({ text, line: startLine, endLine: line });
    }
  }

  // Code up to the end of the source, or past the brace that closes the `${` or JSX `{` it began with.
  function code(isNested: boolean): void {
    let depth = 0;
    for (;;) {
      skipBlankAndComments();
      if (at >= source.length) return;
      const startLine = line;
      const previous = tokens.at(-1);
      const plain = take(quoted);
      if (plain !== undefined) {
        push("string", plain.slice(1, -1), startLine);
        continue;
      }
      const name = take(word);
      if (name !== undefined) {
        push("word", name, startLine);
        continue;
      }
      const digits = take(number);
      if (digits !== undefined) {
        push("number", digits, startLine);
        continue;
      }
      if (source[at] === "`") {
        template();
        continue;
      }
      if (isTsx && source[at] === "<" && !endsValue(previous) && startsJsx()) {
        jsxElement();
        push("jsx", "", startLine);
        continue;
      }
      const pattern = endsValue(previous) ? undefined : take(regex);
      if (pattern !== undefined) {
        push("regex", pattern, startLine);
        continue;
      }
      const mark = take(punct) ?? "";
      if (mark === "}" && depth === 0 && isNested) return;
      if (mark === "{") depth += 1;
      if (mark === "}") depth -= 1;
      push("punct", mark, startLine);
    }
  }

  function template(): void {
    at += 1;
    while (at < source.length) {
      const startLine = line;
      push("template", take(templateText) ?? "", startLine);
      if (source[at] === "`") {
        at += 1;
        return;
      }
      at += 2;
      push("punct", "${", line);
      code(true);
    }
  }

  // `<T>(x: T) => x` and `<T,>` also begin with `<`: a type parameter list has no closing tag.
  function startsJsx(): boolean {
    const rest = source.slice(at);
    if (rest.startsWith("<>")) return true;
    const tag = /^<([\w$.:-]+)/.exec(rest);
    const name = tag?.[1];
    if (tag === null || name === undefined) return false;
    if (rest.includes(`</${name}`)) return true;
    return !/^\s*(,|extends\b|>\s*\()/.test(rest.slice(tag[0].length)) && rest.includes("/>");
  }

  function jsxElement(): void {
    at += 1;
    take(jsxName);
    for (;;) {
      skipBlankAndComments();
      if (at >= source.length) return;
      if (source.startsWith("/>", at)) {
        at += 2;
        return;
      }
      if (source[at] === ">") {
        at += 1;
        jsxChildren();
        return;
      }
      if (source[at] === "{") jsxCode();
      else if (take(jsxName) === undefined && take(jsxQuoted) === undefined) at += 1;
    }
  }

  function jsxChildren(): void {
    while (at < source.length) {
      take(jsxText);
      if (source.startsWith("</", at)) {
        at += 2;
        take(jsxName);
        skipBlankAndComments();
        at += 1;
        return;
      }
      if (source[at] === "<") jsxElement();
      else if (source[at] === "{") jsxCode();
    }
  }

  function jsxCode(): void {
    at += 1;
    push("punct", "{", line);
    code(true);
  }

  code(false);
  return { tokens, comments };
}

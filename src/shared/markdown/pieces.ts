// Cuts a long document into pieces that are read one after another, so that no text takes longer than its length allows:
// the lexer looks ahead within a piece, never beyond. A document that fits one piece is never cut.

/** `line` is one line that is too long to be looked at as anything but a paragraph. */
export type Piece = { type: "blocks" | "line"; text: string };

/** From here on a piece ends where a new block begins. */
const roomyChars = 12_288;
/** From here on it ends at the next line that can begin one; twice that, at any line. */
const fullChars = 24_576;
const longLineChars = 24_576;
/** A table that is cut goes on under its header, unless that is longer than this. */
const headerChars = 2048;

const fenceOpening = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const listMarker = /^(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const delimiterRow = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

export function* piecesOf(source: string): Generator<Piece> {
  if (source.length <= roomyChars) {
    if (source !== "") yield { type: "blocks", text: source };
    return;
  }
  let start = 0;
  let prefix = "";
  let fence = "";
  let isAfterBlank = true;
  let run: { lines: number; header: string; isTable: boolean } = { lines: 0, header: "", isTable: false };
  for (let at = 0; at < source.length; ) {
    const feed = source.indexOf("\n", at);
    const next = feed === -1 ? source.length : feed + 1;
    const size = at - start;
    const isLong = next - at > longLineChars;
    // What a rule looks for stands at the beginning of a line.
    const line = source.slice(at, Math.min(next, at + headerChars)).trimEnd();
    const isFenced = fence !== "";
    if (!isFenced && size > 0 && (isLong || endsBefore(line, size, isAfterBlank))) {
      yield { type: "blocks", text: prefix + source.slice(start, at) };
      prefix = run.isTable && line !== "" && !isLong ? run.header : "";
      start = at;
    }
    if (!isFenced && isLong) {
      yield { type: "line", text: source.slice(at, next) };
      start = next;
      prefix = "";
    }
    if (isFenced) {
      if (closes(line, fence)) fence = "";
    } else if (!isLong) {
      fence = fenceOpening.exec(line)?.[1] ?? "";
    }
    isAfterBlank = line === "";
    run = isAfterBlank || isFenced ? { lines: 0, header: "", isTable: false } : grown(run, line, next - at);
    at = next;
  }
  if (start < source.length) yield { type: "blocks", text: prefix + source.slice(start) };
}

function endsBefore(line: string, size: number, isAfterBlank: boolean): boolean {
  if (size < roomyChars || line === "") return false;
  const isFlush = !/^[ \t]/.test(line);
  if (isAfterBlank && isFlush && !listMarker.test(line)) return true;
  return size >= 2 * fullChars || (size >= fullChars && isFlush);
}

function closes(line: string, fence: string): boolean {
  const run = /^ {0,3}(`{3,}|~{3,})$/.exec(line)?.[1] ?? "";
  return run.startsWith(fence.charAt(0)) && run.length >= fence.length;
}

// Lines without a blank one between them; the first two may be the head of a table.
function grown(run: { lines: number; header: string; isTable: boolean }, line: string, length: number) {
  const lines = run.lines + 1;
  if (lines > 2) return { ...run, lines };
  const isShort = length < headerChars && run.header.length < headerChars;
  const header = isShort ? `${run.header}${line}\n` : "";
  const isTable = lines === 2 && header !== "" && line.includes("-") && line.includes("|") && delimiterRow.test(line);
  return { lines, header, isTable };
}

// Words of others inside a sentence of ours, where no element can hold them apart: a title, a message, a question. What
// turns the direction of text around stops at their end (law L10).

/** Marks that turn around whatever follows them; a sentence of ours has no use for them. */
const turns = /[\u202A-\u202E\u2066-\u2069]/g;
const fromTheRight = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/** A template: what stands in its places is theirs. */
export function withTheirs(ours: TemplateStringsArray, ...theirs: readonly string[]): string {
  return ours.map((words, index) => `${words}${apart(theirs[index] ?? "")}`).join("");
}

function apart(words: string): string {
  const plain = words.replaceAll(turns, "");
  return fromTheRight.test(plain) ? `\u2068${plain}\u2069` : plain;
}

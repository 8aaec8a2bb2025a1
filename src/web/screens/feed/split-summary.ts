// A summary as a title and what follows: the first sentence when it is short enough to be one.

const titleChars = 100;

export function splitSummary(summary: string): { title: string; rest?: string } {
  const words = summary.trim();
  if ([...words].length <= titleChars && !words.includes("\n")) return { title: words };
  const sentence = /^.*?(?:[.!?。！？](?=\s)|\n|$)/u.exec(words)?.[0].trim() ?? "";
  if (sentence === "" || [...sentence].length > titleChars || sentence.length === words.length) {
    // No sentence to end at: the whole of it is the title, since a title is never cut.
    return { title: words };
  }
  return { title: sentence, rest: words.slice(sentence.length).trim() };
}

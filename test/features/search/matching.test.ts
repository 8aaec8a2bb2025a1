// What a query matches (mcp-tools.md 17.33): every word, in any order, whole but for the last; phrases; any substring
// of text without spaces; nothing of the index's own language.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { find, say } from "./finding.ts";

let hub: TestHub;
let alice: Caller;
beforeAll(async () => {
  hub = await openTestHub();
  alice = await hub.agent("alice");
});
afterAll(() => hub[Symbol.asyncDispose]());

let projects = 0;
/** Which of the texts a query finds, each said in a project of its own. */
async function found(texts: readonly string[], query: string): Promise<string[]> {
  projects += 1;
  const project_id = await hub.project(`match-${projects}`);
  await say(alice, project_id, ...texts);
  return (await find(alice, query, { project_id })).sort();
}

type Case = { query: string; finds: string[]; leaves: string[] };
function cases(table: Record<string, Case>): void {
  test.each(Object.entries(table))("%s", async (_name, { query, finds, leaves }) => {
    expect(await found([...finds, ...leaves], query)).toEqual(finds.toSorted());
  });
}

describe("words", () => {
  cases({
    "must all be there": { query: "red fox", finds: ["the red fox"], leaves: ["the red hen", "a fox"] },
    "come in any order": { query: "fox red", finds: ["red fox", "fox, red"], leaves: ["fox"] },
    "match whole but for the last": {
      query: "dep pay",
      finds: ["dep payload", "dep pay"],
      leaves: ["deploy pay", "deploy payload"],
    },
    "match the last by prefix": { query: "depl", finds: ["deploy", "a deployment"], leaves: ["dep", "redeploy"] },
    "match the last by prefix after a blank too": { query: "depl ", finds: ["deploy"], leaves: ["dep"] },
    "match by a prefix of one letter": { query: "d", finds: ["deploy", "d"], leaves: ["a b c"] },
    "are numbers too": { query: "42", finds: ["answer 42", "no 4200"], leaves: ["4 2"] },
    "are cut at punctuation": {
      query: "retry-policy",
      finds: ["retry policy", "policy: retry", "retry_policy.md"],
      leaves: ["retrypolicy", "retry"],
    },
    "are found inside punctuation": { query: "plan", finds: ["/fs/notes/plan.md", "(plan)", "plan?"], leaves: ["pla"] },
    "may come twice in a query": { query: "fox fox", finds: ["fox"], leaves: ["dog"] },
    "with an apostrophe are two": { query: "don't", finds: ["don't panic", "t don"], leaves: ["dont"] },
  });
});

describe("a phrase", () => {
  cases({
    "is words side by side": { query: '"red fox"', finds: ["a red fox ran"], leaves: ["fox red", "red big fox"] },
    "ends in a whole word": { query: '"red fo"', finds: ["red fo"], leaves: ["red fox"] },
    "may be split by punctuation": { query: '"red fox"', finds: ["red-fox", "red, fox"], leaves: ["redfox"] },
    "may stand beside words": {
      query: '"red fox" qui',
      finds: ["a quick red fox"],
      leaves: ["red fox", "quick fox red"],
    },
    "before which a word is whole": { query: 'qui "red fox"', finds: ["qui red fox"], leaves: ["quick red fox"] },
    "of one word is that word, whole": { query: '"fox"', finds: ["fox"], leaves: ["foxes"] },
    "of nothing is nothing": { query: 'fox ""', finds: ["fox", "foxes"], leaves: ["dog"] },
    "holds operators as words": { query: '"salt AND pepper"', finds: ["salt and pepper"], leaves: ["salt pepper and"] },
    "that is not closed is words": {
      query: 'big "red fox',
      finds: ["fox red big", "big foxes red"],
      leaves: ["red fox"],
    },
    "closed, then one that is not": {
      query: '"red fox" "big d',
      finds: ["red fox dog big"],
      leaves: ["fox red big d"],
    },
    "folds like anything": { query: '"RÉD ＦＯＸ"', finds: ["red fox"], leaves: ["fox red"] },
  });
});

describe("the index's own language is text", () => {
  cases({
    "AND, OR, NOT and NEAR are left out": {
      query: "red AND fox OR NOT NEAR",
      finds: ["red fox", "red AND foxes"],
      leaves: ["red", "and or not near"],
    },
    "also where they touch punctuation": {
      query: "(red AND fox), NEAR/3",
      finds: ["red fox 3"],
      leaves: ["red near 3"],
    },
    "lower case they are words": { query: "salt and pe", finds: ["salt and pepper"], leaves: ["salt pepper"] },
    "beside letters they are words": { query: "ANDROID ORder", finds: ["android order"], leaves: ["order"] },
    "columns are words": { query: "title:fox", finds: ["fox title"], leaves: ["fox"] },
    "signs are left out": { query: "^red* + -fox {x}", finds: ["red fox x"], leaves: ["red x"] },
    "scope tokens are words": { query: "scope : ffeed", finds: ["scope ffeed"], leaves: ["scope"] },
  });

  test.each(["AND", "OR NOT", "...", '""', '"', "—", "👍", "\u0000"])(
    "%j has no word and finds nothing",
    async (query) => {
      expect(await found(["and or not", "a", "0"], query)).toEqual([]);
    },
  );
});

describe("case and form do not matter", () => {
  cases({
    "case, diacritics, width": { query: "ＣＲÈME Brulee", finds: ["crème brûlée"], leaves: ["crime brulee"] },
    "sharp s": { query: "STRASSE", finds: ["Straße", "strasse"], leaves: ["strase"] },
    "final sigma": { query: "οδοσ", finds: ["ΟΔΟΣ", "οδός"], leaves: ["οδη"] },
    "Turkish i": { query: "istanbul ısparta", finds: ["İSTANBUL ISPARTA", "istanbul isparta"], leaves: ["istanbul"] },
    Vietnamese: { query: "viet nam da nang", finds: ["Việt Nam, Đà Nẵng"], leaves: ["Việt Nam"] },
    "decomposed text": { query: "cafe\u0301", finds: ["caf\u00e9", "cafe"], leaves: ["caf"] },
  });
});

describe("text without spaces is found by any two characters or more", () => {
  const texts: Record<string, string> = {
    Chinese: "我们今天训练了一个新的模型并且部署到生产环境",
    Japanese: "データベースの移行ﾃｽﾄが終わりました",
    Korean: "데이터베이스이전시험이끝났습니다",
    Thai: "การทดสอบฐานข้อมูลเสร็จแล้ว",
    Lao: "ການທົດສອບຖານຂໍ້ມູນ",
    Khmer: "ការធ្វើតេស្តមូលដ្ឋានទិន្នន័យ",
    Burmese: "ဒေတာဘေ့စ်စမ်းသပ်မှု",
  };
  test.each(Object.entries(texts))("%s", async (language, text) => {
    const project_id = await hub.project(`unspaced-${language}`);
    await say(alice, project_id, `log: ${text}.`, "another text altogether");
    // As people see characters: a mark is never cut from its letter.
    const seen = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
    for (let from = 0; from < seen.length - 1; from += 1) {
      for (const length of [2, 3, 5, seen.length]) {
        const query = seen.slice(from, from + length).join("");
        expect({ query, found: await find(alice, query, { project_id }) }).toEqual({ query, found: [`log: ${text}.`] });
        // Not only as the last word.
        expect(await find(alice, `${query} lo`, { project_id })).toEqual([`log: ${text}.`]);
      }
    }
  });

  cases({
    "and by nothing else": { query: "模训", finds: [], leaves: ["模型训练"] },
    "by substrings in any order": { query: "训练 模型", finds: ["模型训练", "训练。模型"], leaves: ["模型", "训练"] },
    "by one character too, at its start": { query: "模", finds: ["模型", "新模型", "模"], leaves: ["型"] },
    "next to letters": { query: "gpt模型v", finds: ["新GPT模型v2", "gpt模型v"], leaves: ["v 模型 gpt", "gpt型v"] },
    "from inside to letters": { query: "型v2", finds: ["GPT模型v2"], leaves: ["v2 型", "型 x v2"] },
    "from letters to inside": { query: "gpt模 x", finds: ["x GPT模型"], leaves: ["x gpt 型"] },
    "in a phrase": { query: '"模型 训练"', finds: ["新模型 训练中"], leaves: ["训练 模型", "模型的训练"] },
    "with dakuten that matter": { query: "がき", finds: ["ががき"], leaves: ["かき", "がぎ"] },
    "in half width": { query: "ﾃｽﾄ", finds: ["移行テストが"], leaves: ["テキスト"] },
  });
});

describe("of a long query", () => {
  test("64 words are used", async () => {
    const words = Array.from({ length: 70 }, (_, index) => `w${index}x`);
    const said = words.slice(0, 64).join(" ");
    expect(await found([said, words.slice(0, 63).join(" ")], words.join(" "))).toEqual([said]);
    expect(await found([said], `"${words.join(" ")}"`)).toEqual([said]);
    expect(await found([said], `${words.slice(0, 63).join(" ")} "${words.slice(63).join(" ")}"`)).toEqual([said]);
  });

  test("8 KiB are used, and a character cut there is left out", async () => {
    for (const last of ["é", "模", "𝒳"]) {
      const query = `fox ${" ".repeat(8192 - 5)}${last} dog`;
      expect(await found(["fox", "dog"], query)).toEqual(["fox"]);
    }
    expect(await found(["fox", "dog"], `fox${"!".repeat(8189)}dog`)).toEqual(["fox"]);
  });

  test("of text without spaces the first 65 characters are used", async () => {
    const text = Array.from({ length: 2700 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    const said = [...text].slice(0, 300).join("");
    expect(await found([said, [...text].slice(0, 60).join("")], text)).toEqual([said]);
  });
});

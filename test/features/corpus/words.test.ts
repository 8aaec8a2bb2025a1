// Folding and cutting (architecture.md 9): what differs in case, width, diacritics or form alone is the same word, and
// text without spaces is found by any two characters of it.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fold, isLoneCharacter, runsOf, textToIndex, wordsOf } from "../../../src/features/corpus/words.ts";

describe("folding", () => {
  const same: [string, string, string][] = [
    ["case", "Hello WORLD", "hello world"],
    ["diacritics", "Crème Brûlée à la façon", "creme brulee a la facon"],
    ["a composed and a decomposed form", "\u00e9e\u0301", "ee"],
    ["sharp s and its capital", "Straße STRASSE STRAẞE", "strasse strasse strasse"],
    ["full width", "ＦＵＬＬ　ｗｉｄｔｈ１２", "full width12"],
    ["half width kana", "ｶﾞｷﾞｸﾞ", "ガギグ"],
    ["ligatures and compatibility forms", "ﬁne ⅷ ½ ① ㍻", "fine viii 1⁄2 1 平成"],
    ["final sigma", "ΟΔΟΣ οδός Οδος", "οδοσ οδοσ οδοσ"],
    ["Greek accents", "ΆΈΉΊΌΎΏ ϊΰ", "αεηιουω ιυ"],
    ["Turkish dotted and dotless i", "İstanbul ISPARTA ısparta", "istanbul isparta isparta"],
    ["Vietnamese", "Việt Nam Đà Nẵng đường", "viet nam da nang duong"],
    ["letters with a stroke", "Łódź smørrebrød ħ ŧ", "lodz smorrebrod h t"],
    ["Cyrillic", "ЙЁ й ё", "ие и е"],
    ["Hebrew points", "שָׁלוֹם", "שלום"],
    ["Arabic vowel marks", "مُحَمَّد", "محمد"],
    ["Hangul in jamo", "\u1112\u1161\u11ab", "한"],
    ["Thai tone marks", "ที่นี้", "ทีนี"],
  ];
  test.each(same)("makes %s alike", (_name, text, folded) => {
    expect(fold(text)).toBe(folded);
    expect(fold(text.normalize("NFD"))).toBe(folded);
    expect(fold(text.normalize("NFC"))).toBe(folded);
  });

  const different: [string, string, string][] = [
    ["kana with dakuten and without", "が", "か"],
    ["kana with handakuten and with dakuten", "ぱ", "ば"],
    ["Devanagari vowel signs", "दिल", "दल"],
    ["Thai vowel signs", "มี", "มา"],
    ["Hangul syllables", "한", "하"],
  ];
  test.each(different)("keeps %s apart", (_name, one, other) => {
    expect(fold(one)).not.toBe(fold(other));
  });

  test("of any character is the same for its upper case, lower case and decomposition, and is its own folding", () => {
    const odd: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = String.fromCodePoint(code);
      const forms = [text.toUpperCase(), text.toLowerCase(), text.normalize("NFD"), text.normalize("NFKC")];
      const others = forms.filter((form) => form !== text);
      if (others.length === 0 && fold(text) === text) continue;
      const folded = fold(text);
      if ([...others, folded].some((form) => fold(form) !== folded)) odd.push(text);
    }
    // The iota below a Greek letter is a mark, and becomes a letter of its own in upper case.
    expect(odd.filter((text) => !text.normalize("NFD").includes("\u0345"))).toEqual([]);
  });
});

describe("words", () => {
  const cut: [string, string[]][] = [
    ["retry-policy, v2!", ["retry", "policy", "v2"]],
    ["/fs/notes/plan_b.md", ["fs", "notes", "plan", "b", "md"]],
    ["don't", ["don", "t"]],
    ["", []],
    ["👩‍👩‍👧 … — \u0000", []],
    ["a\u0000b", ["a", "b"]],
    ["模型训练", ["模型", "型训", "训练", "练"]],
    ["GPT模型v2", ["gpt", "模型", "型", "v2"]],
    ["人", ["人"]],
    ["日本語テキスト", ["日本", "本語", "語テ", "テキ", "キス", "スト", "ト"]],
    ["ラーメン々", ["ラー", "ーメ", "メン", "ン々", "々"]],
    ["한국어 책", ["한국", "국어", "어", "책"]],
    ["ไทย", ["ไท", "ทย", "ย"]],
    ["\uE000x", ["\uE000x"]],
  ];
  test.each(cut)("of %j", (text, words) => expect(wordsOf(text)).toEqual(words));

  test("a lone character is one of a script without spaces, and by itself", () => {
    expect(["练", "ย", "어", "ガ"].map(isLoneCharacter)).toEqual([true, true, true, true]);
    expect(["训练", "a", "", "é", "1"].map(isLoneCharacter)).toEqual([false, false, false, false, false]);
  });

  // What a text is for the index, it is for a query; the tokenizer's own view is read back through fts5vocab.
  test("are what the index makes of the text", () => {
    using db = new Database(":memory:");
    db.run("CREATE VIRTUAL TABLE t USING fts5(x, content = '', tokenize = 'ascii')");
    db.run("CREATE VIRTUAL TABLE v USING fts5vocab('t', 'instance')");
    const indexed = (text: string): string[] => {
      db.run("INSERT INTO t (t) VALUES ('delete-all')");
      db.run("INSERT INTO t (rowid, x) VALUES (1, ?)", [textToIndex(text)]);
      const found = db.query<{ term: string }, []>("SELECT term FROM v ORDER BY offset").all();
      return found.map((row) => row.term);
    };
    const character = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.constantFrom(
        "a",
        "Z",
        "9",
        " ",
        "\0",
        "_",
        "é",
        "ß",
        "İ",
        "模",
        "型",
        "が",
        "ー",
        "한",
        "ไ",
        "ี",
        "\u3099",
        "་",
        "\uD800",
      ),
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 20 }), (parts) => {
        const text = parts.join("");
        expect(indexed(text)).toEqual(wordsOf(text));
      }),
      { numRuns: 2000 },
    );
  });

  test("of a run are the words of the text, and no run holds a blank", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(runsOf(text).every((run) => run !== "" && !/\s/.test(run))).toBe(true);
      }),
    );
  });
});

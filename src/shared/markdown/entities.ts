// Character references in prose. The few names people write are known; any other stays as it was typed.

const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: "\u00A0",
    shy: "\u00AD",
    ensp: "\u2002",
    emsp: "\u2003",
    thinsp: "\u2009",
    copy: "©",
    reg: "®",
    trade: "™",
    deg: "°",
    plusmn: "±",
    times: "×",
    divide: "÷",
    micro: "µ",
    para: "¶",
    sect: "§",
    middot: "·",
    bull: "•",
    hellip: "…",
    ndash: "–",
    mdash: "—",
    lsquo: "‘",
    rsquo: "’",
    ldquo: "“",
    rdquo: "”",
    laquo: "«",
    raquo: "»",
    larr: "←",
    uarr: "↑",
    rarr: "→",
    darr: "↓",
    harr: "↔",
    le: "≤",
    ge: "≥",
    ne: "≠",
    asymp: "≈",
    infin: "∞",
    euro: "€",
    pound: "£",
    yen: "¥",
    cent: "¢",
    check: "✓",
    auml: "ä",
    ouml: "ö",
    uuml: "ü",
    Auml: "Ä",
    Ouml: "Ö",
    Uuml: "Ü",
    szlig: "ß",
    eacute: "é",
    egrave: "è",
  }),
);

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g;

export function withoutReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(reference, (written, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named.get(name) ?? written;
    return character(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number.parseInt(decimal, 10));
  });
}

function character(code: number): string {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code === 0 || code > 0x10ffff || isSurrogate ? "\uFFFD" : String.fromCodePoint(code);
}

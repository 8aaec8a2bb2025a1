// TOK-01: contrast of every pair of tokens that meets on a screen, computed from the token file in both themes.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "../support/source-files.ts";

const text = await Bun.file(join(root, "src/web/style/tokens.css")).text();

type Theme = ReadonlyMap<string, string>;

function readTheme(selector: string): Theme {
  const start = text.indexOf(`${selector} {`);
  const block = text.slice(start, text.indexOf("}", start));
  return new Map([...block.matchAll(/--([\w-]+):\s*(#[\da-f]{6});/g)].map((match) => [match[1] ?? "", match[2] ?? ""]));
}

const themes: Record<string, Theme> = {
  light: readTheme("\n  :root"),
  dark: readTheme(':root[data-theme="dark"]'),
};

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(theme: Theme, front: string, back: string): number {
  const [one, other] = [front, back].map((name) => luminance(theme.get(name) ?? ""));
  return (Math.max(one ?? 0, other ?? 0) + 0.05) / (Math.min(one ?? 0, other ?? 0) + 0.05);
}

const surfaces = ["panel", "ground", "inset"];
const states = ["lamp", "new", "live", "hold", "stop"];

for (const [name, theme] of Object.entries(themes)) {
  test(`TOK-01 ${name}: words reach 4.5 on every surface they stand on`, () => {
    const pairs = [
      ...["text", "soft", "faint", ...states].flatMap((front) => surfaces.map((back) => [front, back] as const)),
      ...states.flatMap((state) => ["text", "soft", "faint", state].map((front) => [front, `${state}-wash`] as const)),
      ...[...states, "text", "soft"].map((solid) => ["on-solid", solid] as const),
    ];
    const low = pairs.filter(([front, back]) => !(contrast(theme, front, back) >= 4.5));
    expect(low.map(([front, back]) => `${front} on ${back}: ${contrast(theme, front, back).toFixed(2)}`)).toEqual([]);
  });

  test(`TOK-01 ${name}: edges of controls and the focus ring reach 3`, () => {
    const pairs = ["edge", "new"].flatMap((front) => surfaces.map((back) => [front, back] as const));
    expect(pairs.filter(([front, back]) => !(contrast(theme, front, back) >= 3))).toEqual([]);
  });
}

test("both themes say every colour", () => {
  expect([...(themes["dark"]?.keys() ?? [])]).toEqual([...(themes["light"]?.keys() ?? [])]);
});

test("no other style sheet names a colour, a physical side or an address", async () => {
  const found: string[] = [];
  for (const path of new Bun.Glob("src/web/**/*.css").scanSync(root)) {
    const lines = (await Bun.file(join(root, path)).text()).replace(/\/\*[\s\S]*?\*\//g, "").split("\n");
    for (const [index, line] of lines.entries()) {
      const isColour =
        !path.endsWith("tokens.css") && /#[\da-f]{3,8}\b|\b(rgb|hsl|oklch|oklab|lab|lch|hwb)a?\(/i.test(line);
      const isPhysical = /(^|[\s;{-])(left|right)\s*[:;]|(margin|padding|border)-(left|right|top|bottom)\b/.test(line);
      if (isColour || isPhysical || line.includes("url(")) found.push(`${path}:${index + 1}: ${line.trim()}`);
    }
  }
  expect(found).toEqual([]);
});

/** The wash of a removed line, which the comparison of versions will be the first to draw. */
const awaited = ["--stop-wash"];

test("every token is used", async () => {
  const used: string[] = [];
  for (const path of new Bun.Glob("src/web/**/*.{css,ts,tsx}").scanSync(root)) {
    used.push(await Bun.file(join(root, path)).text());
  }
  const names = new Set([...text.matchAll(/^\s+(--[\w-]+):/gm)].map((match) => match[1] ?? ""));
  const idle = [...names].filter(
    (name) => !awaited.includes(name) && !used.some((source) => source.includes(`var(${name}`)),
  );
  expect(idle).toEqual([]);
});

// A text as a QR code: rows of dark modules as one path, with the light border that readers need around it.
import encodeQR from "qr";

const border = 4;

export type Code = { box: string; path: string };

export function codeOf(text: string): Code {
  const rows = encodeQR(text, "raw", { ecc: "medium", border });
  const runs = rows.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? "1" : "0"))
        .join("")
        .matchAll(/1+/g),
    ].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`),
  );
  return { box: `0 0 ${rows.length} ${rows.length}`, path: runs.join("") };
}

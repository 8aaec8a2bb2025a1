// The id of a project made from its name, and a free one beside those that are taken (rest-api.md 0.6).
import { personalSpacePrefix } from "../../shared/ids.ts";

const idChars = 64;
/** For a name without a letter an id could keep. */
const nameless = "project";

/** @param name any words; accents go, everything that is no letter or digit becomes one hyphen */
export function projectIdFrom(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replaceAll("ß", "ss")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-");
  const id = cut(plain.replace(/^[-_]+/, ""), idChars);
  if (id === "") return nameless;
  return id.startsWith(personalSpacePrefix) ? cut(`project-${id}`, idChars) : id;
}

/** `homelab-2`, or the next number that is free. */
export function freeIdBeside(id: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const end = `-${number}`;
    const free = `${cut(id.replace(/-\d+$/, ""), idChars - end.length)}${end}`;
    if (!taken.has(free)) return free;
  }
}

function cut(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[-_]+$/, "");
}

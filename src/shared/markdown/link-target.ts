// Where a link or an image in an authored text may lead (artifacts.md 5.1).

const keptSchemes: readonly string[] = ["http", "https", "mailto", "agenthub"];

export type LinkTarget = { href: string; host: string | null };

/** Undefined for a target that stays text. */
export function linkTarget(authored: string): LinkTarget | undefined {
  const href = asRead(authored);
  const scheme = schemeOf(href);
  if (scheme === null) return { href, host: hostOf(href) };
  return keptSchemes.includes(scheme) ? { href, host: hostOf(href) } : undefined;
}

/** Only a picture that comes with the document is shown; undefined for any other source. */
export function imageSource(authored: string): string | undefined {
  const source = asRead(authored);
  return /^data:image\//i.test(source) ? source : undefined;
}

// A browser drops these before it looks for the scheme, so they must not hide one.
function asRead(authored: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return authored.replace(/[\t\n\r]/g, "").replace(/^[\u0000- ]+|[\u0000- ]+$/g, "");
}

function schemeOf(href: string): string | null {
  return /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase() ?? null;
}

// Two slashes of either kind name a host without a scheme.
function hostOf(href: string): string | null {
  const rest = /^(?:https?:)?[\\/]{2,}([^\\/?#]*)/i.exec(href)?.[1] ?? /^https?:([^\\/?#]+)/i.exec(href)?.[1];
  if (rest === undefined) return null;
  const host = rest.slice(rest.lastIndexOf("@") + 1);
  return host === "" ? null : host;
}

// Parameters of a path: raw segments, since what cannot be decoded is refused by name, which a router's own decoding
// would hide.

/** What the router is asked for: it knows no `*` with more behind it. */
export function routedPath(pattern: string): string {
  const rest = pattern.indexOf("*");
  return rest === -1 ? pattern : pattern.slice(0, rest + 1);
}

/**
 * Parameters of a path that the router matched; undefined when what stands behind `*` is not there. `:name` is one
 * segment, `*` one or more, together the parameter `path`.
 */
export function pathParams(pattern: string, pathname: string): Record<string, string> | undefined {
  const parts = pattern.split("/");
  const segments = pathname.split("/");
  const rest = parts.indexOf("*");
  if (rest === -1) return namedParams(parts, segments);
  const behind = parts.slice(rest + 1);
  const restEnd = segments.length - behind.length;
  if (restEnd <= rest || behind.some((part, index) => part !== segments[restEnd + index])) return undefined;
  return { ...namedParams(parts.slice(0, rest), segments), path: segments.slice(rest, restEnd).join("/") };
}

function namedParams(parts: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    if (part.startsWith(":")) params[part.slice(1)] = segments[index] ?? "";
  }
  return params;
}

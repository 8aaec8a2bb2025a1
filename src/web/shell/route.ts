// Addresses of the app: `#/inbox/01J…?view=unread`. Patterns name a segment `:name`, one that may be missing `:name?`, and
// the rest of a path `*`.

export type Route = {
  /** As written after the `#`, always with a slash in front. */
  text: string;
  segments: readonly string[];
  query: URLSearchParams;
};

export type RouteParams = Readonly<Record<string, string>>;

/** @param hash with or without its `#` */
export function parseRoute(hash: string): Route {
  const written = hash.replace(/^#/, "");
  const text = written.startsWith("/") ? written : `/${written}`;
  const [path = "", ...search] = text.split("?");
  return {
    text,
    segments: path.split("/").filter(Boolean).map(decoded),
    query: new URLSearchParams(search.join("?")),
  };
}

/** The parameters of a route by a pattern; undefined when it is none of it. */
export function matchRoute(pattern: string, { segments }: Route): RouteParams | undefined {
  const params: Record<string, string> = {};
  const parts = pattern.split("/").filter(Boolean);
  for (const [index, part] of parts.entries()) {
    const segment = segments[index];
    if (part === "*") {
      params["path"] = segments.slice(index).join("/");
      return params;
    }
    if (segment === undefined) return part.endsWith("?") ? params : undefined;
    if (part.startsWith(":")) params[part.slice(1).replace(/\?$/, "")] = segment;
    else if (part !== segment) return undefined;
  }
  return segments.length > parts.length ? undefined : params;
}

/** `/inbox/01J?view=unread` from its parts; members of the query that are undefined or empty are left out. */
export function routeText(
  segments: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") search.set(name, value);
  const text = search.toString();
  return `/${segments.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a lone percent sign stands for itself
  }
}

// What the server wrote into the page: its elements by id and its data islands.

export function part<T extends HTMLElement>(id: string, type: new () => T): T | undefined {
  const found = document.getElementById(id);
  return found instanceof type ? found : undefined;
}

/** @throws Error when the page lacks it: page and script are of one build */
export function need<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = part(id, type);
  if (found === undefined) throw new Error(`the page has no ${id}`);
  return found;
}

/** The value of a data island; undefined when there is none. */
export function island(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  return text === null || text === undefined ? undefined : JSON.parse(text);
}

export type Meta = { kind: "html" | "markdown"; project: string; isProtected: boolean };

export function readMeta(): Meta | undefined {
  const meta = island("hub-meta");
  if (typeof meta !== "object" || meta === null) return undefined;
  const { kind, project_id: project, protected: isProtected } = { ...meta } as Record<string, unknown>; // JSON of the page
  if ((kind !== "html" && kind !== "markdown") || typeof project !== "string") return undefined;
  return { kind, project, isProtected: isProtected === true };
}

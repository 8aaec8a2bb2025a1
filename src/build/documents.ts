// The app's document with the names of this build put in, and its manifest.

/** `{{entry}}` in the page stands for the file of an entry, `{{preload}}` for what `main` imports, `{{build}}` for the id. */
export function indexPage(page: string, entries: Readonly<Record<string, readonly string[]>>, build: string): string {
  const [, ...imported] = entries["main"] ?? [];
  const preload = imported.map((path) => `<link rel="modulepreload" href="${path}">`).join("\n");
  const values: Record<string, string> = { build, preload };
  for (const [name, [path = ""]] of Object.entries(entries)) values[name] = path;
  return page.replaceAll(/\{\{([\w-]+)\}\}\n?/g, (all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`index.html names ${all.trim()}, which the build does not make`);
    return all.endsWith("\n") && value !== "" ? `${value}\n` : value;
  });
}

const shortcut = (name: string, url: string) => ({ name, url, icons: [{ src: "icon-192.png", sizes: "192x192" }] });

// No `id`: it would resolve to the origin and make two hubs under one host the same app.
export const manifest = {
  name: "Agent Hub",
  short_name: "Agent Hub",
  description: "What your agents ask, tell and make.",
  start_url: "./",
  scope: "./",
  display: "standalone",
  background_color: "#0c1418",
  theme_color: "#0c1418",
  icons: [
    { src: "icon.svg", sizes: "any", type: "image/svg+xml" },
    { src: "icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
    { src: "icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
    { src: "icon-512-maskable.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    { src: "icon-512-monochrome.png", sizes: "512x512", type: "image/png", purpose: "monochrome" },
  ],
  shortcuts: [shortcut("Inbox", "./#/inbox"), shortcut("Projects", "./#/projects")],
  launch_handler: { client_mode: "navigate-existing" },
};

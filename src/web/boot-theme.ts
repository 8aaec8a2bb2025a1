// Runs before the first paint, so that a chosen theme never flashes and chosen sizes never jump; `data/preferences.ts`
// keeps both under the same names.
const read = (name: string): string | null => {
  try {
    return localStorage.getItem(`hub:${new URL(".", document.baseURI).pathname}:${name}`);
  } catch {
    return null; // storage is blocked: the device decides
  }
};
const root = document.documentElement;
const stored = read("theme");
const size = read("text-size");
const isDark = stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
root.dataset["theme"] = isDark ? "dark" : "light";
if (size !== null) root.style.fontSize = `${size}%`;

// Runs before the first paint, so that a chosen theme never flashes: see text in `data/storage-keys.ts` for the key.
const stored = (() => {
  try {
    return localStorage.getItem(`hub:${new URL(".", document.baseURI).pathname}:theme`);
  } catch {
    return null; // storage is blocked: the device decides
  }
})();
const isDark = stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.dataset["theme"] = isDark ? "dark" : "light";

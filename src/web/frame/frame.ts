// The runtime of a plain frame, and of a protected HTML document, which the page sends once it is decrypted.
import { startRuntime } from "./runtime.ts";

const script = document.currentScript;
// Up to this script and with it: that is all the parser has read.
const head = script?.parentElement?.innerHTML ?? "";

// The document is written as the hub serves a plain one: the same head, then the authored text as it is. The script
// that stands in the head runs again there, without what makes it receive.
startRuntime(
  script?.dataset["receive"] === undefined
    ? undefined
    : ({ kind, text }) => {
        if (kind !== "html") return;
        const theme = document.documentElement.dataset["theme"] === "dark" ? "dark" : "light";
        const again = head.replace(' data-receive=""', "");
        document.open();
        document.write(`<!doctype html><html data-theme="${theme}"><head>${again}${text}`);
        document.close();
      },
);

// A link in a document opens only when the reader says so, with its address in sight.
import { openableLink } from "../frame/embed.ts";
import { need } from "./page.ts";

export function wireAsk(): void {
  const dialog = need("ask-link", HTMLDialogElement);
  need("ask-link-stay", HTMLButtonElement).addEventListener("click", () => dialog.close());
  need("ask-link-open", HTMLAnchorElement).addEventListener("click", () => dialog.close());
}

/** Does nothing while the reader is being asked, however often a document presses. */
export function askToOpen(href: string): void {
  const url = openableLink(href);
  const dialog = need("ask-link", HTMLDialogElement);
  if (url === undefined || dialog.open) return;
  need("ask-link-host", HTMLElement).textContent = url.protocol === "mailto:" ? url.pathname : url.host;
  need("ask-link-address", HTMLElement).textContent = url.href;
  need("ask-link-open", HTMLAnchorElement).href = url.href;
  dialog.showModal();
}

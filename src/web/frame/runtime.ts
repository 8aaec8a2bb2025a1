// What runs in every artifact frame (artifacts.md 5): it reports height, selections and link presses, and draws marks.
// It shares the frame with whatever an agent wrote, so it holds no secret and is trusted with nothing.
import { reportHeight, whenParsed } from "./height.ts";
import { reportLinks } from "./links.ts";
import { createMarks } from "./marks.ts";
import { readToFrame, type ToFrame } from "./messages.ts";
import { refusePeers } from "./no-peers.ts";
import { reportSelection } from "./selection.ts";

/** Shows the one document the page sends; told the text only when there was none before. */
export type Receive = (body: Extract<ToFrame, { type: "body" }>) => void;

/** @param receive in a frame that was served empty, to be filled once */
export function startRuntime(receive?: Receive): void {
  refusePeers();
  const marks = createMarks();
  const ownOrigin = new URL(location.href).origin;
  let isFilled = receive === undefined;

  addEventListener("message", (event) => {
    if (event.source !== parent || parent === window || event.origin !== ownOrigin) return;
    const message = readToFrame(event.data);
    if (message === undefined) return;
    if (message.type === "body") {
      if (isFilled) return;
      isFilled = true;
      receive?.(message);
    } else whenParsed(() => obey(message));
  });

  function obey(message: Exclude<ToFrame, { type: "body" }>): void {
    switch (message.type) {
      case "theme":
        document.documentElement.dataset["theme"] = message.theme;
        return;
      case "comments":
        marks.comments(message.comments);
        return;
      case "find":
        marks.find(message.terms);
        return;
      case "scrollTo":
        marks.scrollTo(message.id);
        return;
    }
  }

  reportLinks();
  reportSelection();
  reportHeight();
}

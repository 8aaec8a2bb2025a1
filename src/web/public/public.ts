// The public artifact page (web-app.md 6.20): theme, frame, gate. It knows nothing of the hub but what the server wrote
// into it, and uses no token, even if this browser holds one.
import type { Embedded } from "../frame/embed.ts";
import type { FrameTheme, ToFrame } from "../frame/messages.ts";
import { wireAsk } from "./ask-link.ts";
import { openFrame } from "./frame.ts";
import { wireGate } from "./gate.ts";
import { island, type Meta, need, part, readMeta } from "./page.ts";
import { wireTheme } from "./theme.ts";

function start(meta: Meta): void {
  const slot = need("document", HTMLElement);
  let embedded: Embedded | undefined;
  wireTheme(need("theme", HTMLElement), (theme: FrameTheme) => embedded?.send({ type: "theme", theme }));
  wireAsk();
  wirePicker();
  if (!meta.isProtected) {
    const comments = island("hub-quotes");
    const first: ToFrame[] = Array.isArray(comments) && comments.length > 0 ? [{ type: "comments", comments }] : [];
    embedded = openFrame(slot, slot.dataset["frame"] ?? "", first);
    return;
  }
  void wireGate(meta, (text) => {
    slot.hidden = false;
    // The hub cannot look into the document, so its diagrams are asked for here.
    const query = new URLSearchParams(location.search);
    query.delete("theme");
    query.set("receive", "1");
    if (text.includes("mermaid")) query.set("diagrams", "1");
    const source = `${location.pathname.split("/").at(-1)}/frame?${query}`;
    embedded = openFrame(slot, source, [{ type: "body", kind: meta.kind, text }]);
  });
}

function wirePicker(): void {
  const picker = part("picker", HTMLDetailsElement);
  if (picker === undefined) return;
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !picker.contains(target)) picker.open = false;
  });
  picker.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !picker.open) return;
    picker.open = false;
    picker.querySelector("summary")?.focus();
  });
}

const meta = readMeta();
if (meta !== undefined) start(meta);

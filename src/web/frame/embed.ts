// The page's side of a frame: it listens to its own frame alone, and nothing a frame says is an order.
import { type FromFrame, readFromFrame, type ToFrame } from "./messages.ts";

type Handlers = { [T in FromFrame["type"]]?: (message: Extract<FromFrame, { type: T }>) => void };

export type Embedded = { send(message: ToFrame): void; stop(): void };

export function embed(frame: HTMLIFrameElement, handlers: Handlers): Embedded {
  // A frame may talk without end; of each kind only the last word before a paint counts.
  const waiting = new Map<FromFrame["type"], FromFrame>();

  function listen(event: MessageEvent): void {
    if (event.source !== frame.contentWindow) return;
    const message = readFromFrame(event.data);
    if (message === undefined) return;
    if (waiting.size === 0) requestAnimationFrame(deliver);
    waiting.set(message.type, message);
  }

  function deliver(): void {
    const messages = [...waiting.values()];
    waiting.clear();
    for (const message of messages) tell(message);
  }

  function tell(message: FromFrame): void {
    switch (message.type) {
      case "height":
        handlers.height?.(message);
        return;
      case "select":
        handlers.select?.(message);
        return;
      case "marks":
        handlers.marks?.(message);
        return;
      case "link":
        handlers.link?.(message);
        return;
    }
  }

  addEventListener("message", listen);
  return {
    // The frame's origin is opaque, so no address can name it; the page's policy keeps other documents out of it.
    send: (message) => frame.contentWindow?.postMessage(message, "*"),
    stop: () => removeEventListener("message", listen),
  };
}

const openable: readonly string[] = ["http:", "https:", "mailto:"];

/** The address of a pressed link that may be offered to open; undefined for any other. */
export function openableLink(href: string): URL | undefined {
  const url = URL.parse(href.startsWith("//") ? `${location.protocol}${href}` : href);
  return url !== null && openable.includes(url.protocol) ? url : undefined;
}

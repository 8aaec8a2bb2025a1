// While a keyboard covers half the screen, the bar at its foot is in the way (web-app.md 5.1).

const openShare = 0.75;

export function watchKeyboard(): void {
  const viewport = globalThis.visualViewport;
  if (viewport === null || viewport === undefined || !matchMedia("(pointer: coarse)").matches) return;
  viewport.addEventListener("resize", () => {
    const isOpen = viewport.height * viewport.scale < screen.height * openShare && isField(document.activeElement);
    document.documentElement.toggleAttribute("data-typing", isOpen);
  });
}

function isField(element: Element | null): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

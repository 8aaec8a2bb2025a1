// Where the hub's diagram runtime stands in a frame, for those that want diagrams drawn.

declare global {
  interface Window {
    hubDrawDiagrams?: () => void;
  }
}

/** Draws what is not drawn yet; does nothing in a frame without the diagram runtime. */
export function drawDiagrams(): void {
  window.hubDrawDiagrams?.();
}

// Peer connections speak to any address, and only Chromium has a policy that closes this way out. For the others they are
// taken away before the document's own scripts run, here and in documents it would write into frames of its own. Frames in
// a closed shadow tree are not seen from here.

const constructors = ["RTCPeerConnection", "webkitRTCPeerConnection", "mozRTCPeerConnection"];

export function refusePeers(): void {
  for (const name of constructors) Reflect.deleteProperty(window, name);
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) emptyFrames(node);
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["srcdoc"] });
}

// A written frame has a window of its own, with everything in it; it loads after this.
function emptyFrames(node: Node): void {
  if (!(node instanceof Element)) return;
  const frames = node.localName === "iframe" ? [node] : node.getElementsByTagName("iframe");
  for (const frame of [...frames]) frame.removeAttribute("srcdoc");
}

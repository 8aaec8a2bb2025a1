// Copying where the browser allows it (a secure page), and selecting where it does not.

/** True when the text is on the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  // Absent on a plain-http page, whatever the types say.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return false;
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    // Refused by the browser or by its user: the caller offers the other way.
    return false;
  }
}

export function selectAll(element: Element): void {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

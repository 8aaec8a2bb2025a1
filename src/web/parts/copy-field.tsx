// A value to take along. Where the clipboard is closed, Copy selects it and says which keys do the rest.
import { useEffect, useRef, useState } from "preact/hooks";
import { Glyph } from "../glyphs/glyph.tsx";
import { partsText } from "../text/en-parts.ts";
import { copyText, selectAll } from "./clipboard.ts";

const shownMs = 1500;

type CopyFieldProps = { label: string; value: string; onCopied?: (() => void) | undefined };

export function CopyField({ label, value, onCopied }: CopyFieldProps) {
  const text = useRef<HTMLElement>(null);
  const { state, copy } = useCopy(value, text, onCopied);
  return (
    <div class="copy-field">
      <code ref={text} class="theirs" title={label}>
        {value}
      </code>
      <button type="button" class="button quiet" aria-label={`${partsText.copy}: ${label}`} onClick={copy}>
        <Glyph name={state === "copied" ? "check" : "copy"} size={18} />
        <span aria-live="polite">{copyWords(state)}</span>
      </button>
    </div>
  );
}

type CodeBlockProps = {
  label?: string;
  text: string;
  language?: string | undefined;
  /** Copying is what the place is about. */
  isMain?: boolean;
  onCopied?: (() => void) | undefined;
};

/** Source as it is, in a scroll region of its own. */
export function CodeBlock({ label = partsText.codeBlock, text, language, isMain = false, onCopied }: CodeBlockProps) {
  const code = useRef<HTMLElement>(null);
  const { state, copy } = useCopy(text, code, onCopied);
  const button = (
    <button
      type="button"
      class={isMain ? "button solid" : "button quiet small"}
      aria-label={`${partsText.copy}: ${label}`}
      onClick={copy}
    >
      <Glyph name={state === "copied" ? "check" : "copy"} size={16} />
      <span aria-live="polite">{copyWords(state)}</span>
    </button>
  );
  return (
    <div class={`code-block${isMain ? " main" : ""}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard */}
      <section tabIndex={0} aria-label={language === undefined ? label : `${label}, ${language}`}>
        <pre>
          <code ref={code} dir="ltr">
            {text}
          </code>
        </pre>
      </section>
      {button}
    </div>
  );
}

type CopyState = "rest" | "copied" | "manual";

function copyWords(state: CopyState): string {
  if (state === "copied") return partsText.copied;
  return state === "manual" ? partsText.pressToCopy : partsText.copy;
}

// What was selected counts as copied: the keys do the rest, and nobody can tell whether they were pressed.
function useCopy(value: string, element: { current: HTMLElement | null }, onCopied?: (() => void) | undefined) {
  const [state, setState] = useState<CopyState>("rest");
  useEffect(() => {
    if (state === "rest") return;
    const timer = setTimeout(() => setState("rest"), state === "copied" ? shownMs : 3 * shownMs);
    return () => clearTimeout(timer);
  }, [state]);
  async function copy(): Promise<void> {
    const isCopied = await copyText(value);
    if (!isCopied && element.current !== null) selectAll(element.current);
    setState(isCopied ? "copied" : "manual");
    onCopied?.();
  }
  // The press waits for nobody.
  return { state, copy: () => void copy() };
}

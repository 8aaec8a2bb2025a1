// An agent's words as markdown: plain until the chunks that lay it out are there, and plain for good if they never come.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

type LayOut = (text: string) => ComponentChildren;

let loaded: LayOut | undefined;

async function load(): Promise<LayOut> {
  const [{ parseMarkdown }, { drawMarkdown }] = await Promise.all([
    import("../../shared/markdown.ts"),
    import("./draw-markdown.tsx"),
  ]);
  return (text) => drawMarkdown(parseMarkdown(text));
}

export function Prose({ text }: { text: string }) {
  const [layOut, setLayOut] = useState<LayOut | undefined>(() => loaded);
  useEffect(() => {
    if (layOut !== undefined) return;
    let isHere = true;
    load().then(
      (done) => {
        loaded = done;
        // A function in a state is called, so it is wrapped in one.
        if (isHere) setLayOut(() => done);
      },
      () => undefined, // the plain words stay
    );
    return () => {
      isHere = false;
    };
  }, [layOut]);
  const laidOut = useMemo(() => layOut?.(text), [layOut, text]);
  return (
    <div class="prose theirs" dir="auto">
      {layOut === undefined ? <p class="as-written">{text}</p> : laidOut}
    </div>
  );
}

// A part that is drawn, and asked for, only once it is opened.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

type FoldProps = { title: string; look?: string; children: () => ComponentChildren };

export function Fold({ title, look = "agent-part fold", children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class={look} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen ? children() : null}
    </details>
  );
}

// Sections of one thing, as links; counts come after the word and go first when room is short.
import { count } from "../text/count.ts";

type TabsProps = {
  label: string;
  tabs: readonly { href: string; words: string; amount?: number | undefined; isCurrent: boolean }[];
};

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} href={tab.href} aria-current={tab.isCurrent ? "page" : undefined}>
          {tab.words}
          {tab.amount === undefined ? null : <span class="tab-count num">{count(tab.amount)}</span>}
        </a>
      ))}
    </nav>
  );
}

// The head of the inbox's list: words to look for, filters as chips, order and kind in a menu.
import { useState } from "preact/hooks";
import { IconButton } from "../../parts/button.tsx";
import { ChipRow, FilterChip } from "../../parts/chip.tsx";
import { Menu, type MenuEntry } from "../../parts/menu.tsx";
import { inboxText } from "../../text/en-inbox.ts";
import type { View } from "./inbox-filter.ts";

/** More projects and agents than this go into menus. */
const chipsMax = 6;

export type Known = { id: string; name: string };

type FilterBarProps = {
  view: View;
  projects: readonly Known[];
  agents: readonly Known[];
  onChange: (view: View) => void;
};

type OpenMenu = { name: "project" | "agent" | "sort"; anchor: HTMLElement };

export function FilterBar({ view, projects, agents, onChange }: FilterBarProps) {
  const [menu, setMenu] = useState<OpenMenu | undefined>(undefined);
  const open = (name: OpenMenu["name"]) => (event: { currentTarget: HTMLElement }) =>
    setMenu({ name, anchor: event.currentTarget });
  const areFew = projects.length + agents.length <= chipsMax;
  const toggle = (key: "project" | "agent", id: string) =>
    onChange({ ...view, [key]: view[key] === id ? undefined : id });
  return (
    <div class="filter-bar">
      <div class="filter-line">
        <input
          type="search"
          class="filter-field"
          aria-label={inboxText.filterField}
          placeholder={inboxText.filterField}
          value={view.words}
          data-filter
          onInput={(event) => onChange({ ...view, words: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            if (view.words === "") event.currentTarget.blur();
            else onChange({ ...view, words: "" });
          }}
        />
        <IconButton glyph="system" label={inboxText.sort} aria-haspopup="menu" onClick={open("sort")} />
      </div>
      <ChipRow label={inboxText.filters}>
        <FilterChip isOn={!view.isUnreadOnly} onPress={() => onChange({ ...view, isUnreadOnly: false })}>
          {inboxText.all}
        </FilterChip>
        <FilterChip isOn={view.isUnreadOnly} onPress={() => onChange({ ...view, isUnreadOnly: true })}>
          {inboxText.unreadOnly}
        </FilterChip>
        {areFew ? (
          <>
            {projects.map(({ id, name }) => (
              <FilterChip key={`p ${id}`} isOn={view.project === id} onPress={() => toggle("project", id)}>
                {name}
              </FilterChip>
            ))}
            {agents.map(({ id, name }) => (
              <FilterChip key={`a ${id}`} isOn={view.agent === id} onPress={() => toggle("agent", id)}>
                {name}
              </FilterChip>
            ))}
          </>
        ) : (
          <>
            <MenuChip
              words={chosen(projects, view.project, inboxText.project)}
              isOn={view.project !== undefined}
              onPress={open("project")}
            />
            <MenuChip
              words={chosen(agents, view.agent, inboxText.agent)}
              isOn={view.agent !== undefined}
              onPress={open("agent")}
            />
          </>
        )}
      </ChipRow>
      {menu === undefined ? null : (
        <Menu
          label={menuLabels[menu.name]}
          anchor={menu.anchor}
          entries={entriesOf(menu.name, { view, projects, agents, onChange })}
          onClose={() => setMenu(undefined)}
        />
      )}
    </div>
  );
}

const menuLabels = { project: inboxText.project, agent: inboxText.agent, sort: inboxText.sort } as const;

type MenuChipProps = { words: string; isOn: boolean; onPress: (event: { currentTarget: HTMLElement }) => void };

function MenuChip({ words, isOn, onPress }: MenuChipProps) {
  return (
    <button type="button" class={`chip filter${isOn ? " on" : ""}`} aria-haspopup="menu" onClick={onPress}>
      <span class="theirs" dir="auto">
        {words}
      </span>
      <span aria-hidden="true" class="chip-more" />
    </button>
  );
}

function chosen(known: readonly Known[], id: string | undefined, word: string): string {
  return id === undefined ? word : (known.find((entry) => entry.id === id)?.name ?? id);
}

function entriesOf(name: OpenMenu["name"], { view, projects, agents, onChange }: FilterBarProps): MenuEntry[] {
  if (name === "sort") return sortEntries(view, onChange);
  const known = name === "project" ? projects : agents;
  const any = name === "project" ? inboxText.anyProject : inboxText.anyAgent;
  return [
    { words: any, isChecked: view[name] === undefined, onChoose: () => onChange({ ...view, [name]: undefined }) },
    ...known.map((entry) => ({
      words: entry.name,
      isChecked: view[name] === entry.id,
      onChoose: () => onChange({ ...view, [name]: entry.id }),
    })),
  ];
}

function sortEntries(view: View, onChange: (view: View) => void): MenuEntry[] {
  return [
    ...(["deadline", "agent"] as const).map((sort) => ({
      words: sort === "deadline" ? inboxText.sortDeadline : inboxText.sortAgent,
      isChecked: view.sort === sort,
      onChoose: () => onChange({ ...view, sort }),
    })),
    {
      words: inboxText.anyKind,
      isChecked: view.kind === undefined,
      onChoose: () => onChange({ ...view, kind: undefined }),
    },
    ...(["question", "approval", "finished"] as const).map((kind) => ({
      words: inboxText.kinds[kind],
      isChecked: view.kind === kind,
      onChoose: () => onChange({ ...view, kind }),
    })),
  ];
}

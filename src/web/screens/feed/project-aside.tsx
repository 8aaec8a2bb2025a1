// Beside a feed with nothing open: what the project holds now.
import { storageSpec } from "../../data/projects.ts";
import { useResource } from "../../data/resource.ts";
import { Glyph } from "../../glyphs/glyph.tsx";
import { useMedia } from "../../parts/use-media.ts";
import { widestScreen } from "../../shell/panes.tsx";
import { bytes } from "../../text/bytes.ts";
import { count } from "../../text/count.ts";
import { feedText } from "../../text/en-feed.ts";
import { settingsText } from "../../text/en-projects.ts";
import { listedProjects } from "../projects/project-list.ts";
import type { FeedModel } from "./use-feed.ts";

export function ProjectAside({ model }: { model: FeedModel }) {
  const project = model.project.value.value;
  const stats = model.stats.value.value;
  const hasContext = useMedia(widestScreen);
  const storage = useResource(storageSpec).value.value;
  if (project === undefined || stats === undefined) return null;
  const size = listedProjects([project], storage)[0]?.bytes ?? stats.disk_bytes;
  const { amounts } = settingsText;
  const facts: readonly (readonly [string, string])[] = [
    [feedText.aside.waiting, count(stats.waiting)],
    [feedText.aside.live, count(stats.live_sessions)],
    [feedText.aside.threads, count(stats.threads)],
    [amounts.events, count(stats.events)],
    [amounts.artifacts, count(stats.artifacts)],
    [amounts.sessions, count(stats.sessions)],
    [amounts.pages, count(stats.kb_pages)],
    // Where there is a third pane, it says what the project weighs.
    ...(hasContext ? [] : [[amounts.size, size === undefined ? settingsText.unknown : bytes(size)] as const]),
  ];
  return (
    <div class="project-aside">
      <Glyph name="projects" size={40} />
      <h2 class="theirs" dir="auto">
        {project.display_name}
      </h2>
      <dl class="facts num">
        {facts.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
      {stats.events === 0 ? null : <p class="note faint">{feedText.chooseHint}</p>}
    </div>
  );
}

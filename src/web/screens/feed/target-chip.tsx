// What an event leads to, where this app has a screen for it.
import { LinkChip } from "../../parts/chip.tsx";
import { routeText } from "../../shell/route.ts";
import { itemText } from "../../text/en-items.ts";
import type { FeedTarget } from "./feed-lines.ts";

type TargetChipProps = { project: string; target: FeedTarget; canReach: (to: string) => boolean };

export function TargetChip({ project, target, canReach }: TargetChipProps) {
  const to = routeOf(project, target);
  if (!canReach(to)) return null;
  return (
    <p class="row-target">
      <LinkChip href={`#${to}`} glyph={target.kind}>
        {target.kind === "page" ? itemText.aboutPage(target.id) : words[target.kind]}
      </LinkChip>
    </p>
  );
}

const words = { artifact: itemText.aboutArtifact, session: itemText.aboutSession } as const;

function routeOf(project: string, { kind, id }: FeedTarget): string {
  if (kind === "artifact") return routeText(["a", id]);
  if (kind === "session") return routeText(["p", project, "sessions", id]);
  return routeText(["p", project, "kb", ...id.split("/")]);
}

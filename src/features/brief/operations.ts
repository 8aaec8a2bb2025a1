// One read that tells an agent where a project stands (mcp-tools.md 17.4). It moves no feed cursor; the answers it lists
// count as told, so the trailer leaves them out.
import { readOperation } from "../../kernel/operation.ts";
import { settleDueItems } from "../items/index.ts";
import type { Notifications, Notifier } from "../notify/index.ts";
import { readsProject } from "../projects/index.ts";
import { composeBrief, type SessionBrief } from "./brief.ts";
import { Brief } from "./schema.ts";

export type ToldBrief = { brief: SessionBrief; notifications: Notifications | undefined };

export function briefOperation(notifier: Notifier) {
  return readOperation({
    name: "readBrief",
    input: Brief,
    access: readsProject,
    before: (ctx) => settleDueItems(ctx),
    async run(ctx, input): Promise<ToldBrief> {
      const brief = composeBrief(ctx, input.project_id);
      const listed = new Set(brief.answers.items.map((answer) => answer.id));
      return { brief, notifications: await notifier.trailer(ctx, listed) };
    },
  });
}

// The guide the hub serves, embedded in the binary: the bootstrap with the hub's own address filled in (rest-api.md 21),
// public, no secret, no name in it; and the files of the skill, the same for every caller of every hub (mcp-tools.md 19).
import bootstrap from "../../../skills/agent-hub/bootstrap.md" with { type: "text" };
import artifacts from "../../../skills/agent-hub/references/artifacts.md" with { type: "text" };
import errors from "../../../skills/agent-hub/references/errors.md" with { type: "text" };
import feedInbox from "../../../skills/agent-hub/references/feed-inbox.md" with { type: "text" };
import knowledgeBase from "../../../skills/agent-hub/references/knowledge-base.md" with { type: "text" };
import notifications from "../../../skills/agent-hub/references/notifications.md" with { type: "text" };
import sessions from "../../../skills/agent-hub/references/sessions.md" with { type: "text" };
import subscriptions from "../../../skills/agent-hub/references/subscriptions.md" with { type: "text" };
import tools from "../../../skills/agent-hub/references/tools.md" with { type: "text" };
import skill from "../../../skills/agent-hub/SKILL.md" with { type: "text" };

export function bootstrapGuide(origin: string): string {
  return bootstrap.replaceAll("{{origin}}", origin);
}

/** By path within the skill, in the order they are listed. */
export const skillFiles: Readonly<Record<string, string>> = {
  "SKILL.md": skill,
  "references/artifacts.md": artifacts,
  "references/errors.md": errors,
  "references/feed-inbox.md": feedInbox,
  "references/knowledge-base.md": knowledgeBase,
  "references/notifications.md": notifications,
  "references/sessions.md": sessions,
  "references/subscriptions.md": subscriptions,
  "references/tools.md": tools,
};

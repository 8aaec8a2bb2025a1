import { type Tool, tool } from "../../kernel/tool.ts";
import { readVersion, whoami } from "./operations.ts";

export const identityTools: readonly Tool[] = [
  tool({
    name: "whoami",
    description: "Your agent id, personal project and guide.",
    operation: whoami,
    core: true,
    hints: { readOnlyHint: true },
    present: (self) => ({
      actor: self.actor,
      admin: self.isAdmin,
      personal_project_id: self.personalProjectId,
      skill_url: self.skillUrl,
    }),
  }),
  tool({
    name: "version",
    description: "The hub's version; a cheap check that it answers.",
    operation: readVersion,
    hints: { readOnlyHint: true },
    present: (version) => ({ version: `agent-hub ${version}` }),
  }),
];

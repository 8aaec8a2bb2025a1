// Inputs of the project operations (rest-api.md 0.6, 4).
import { z } from "zod";
import { anyId, flag, name } from "../../kernel/fields.ts";
import { personalSpacePrefix, projectIdPattern } from "../../shared/ids.ts";
import { nameChars } from "../../shared/limits.ts";

/** A project to look up: any text, since an unknown one is refused by the access check. */
export const projectId: z.ZodType<string> = anyId;

const newIdExpected = `1 to 64 characters of A-Z a-z 0-9 _ -, starting with a letter or digit and not with ${personalSpacePrefix}`;

export const CreateProject = z.object({
  id: z
    .string({ error: newIdExpected })
    .refine((id) => projectIdPattern.test(id) && !id.startsWith(personalSpacePrefix), { error: newIdExpected }),
  display_name: name(nameChars),
  confidential: flag.optional(),
});
export type CreateProject = z.infer<typeof CreateProject>;

export const ProjectRef = z.object({ project_id: projectId });
export type ProjectRef = z.infer<typeof ProjectRef>;

export const UpdateProject = z.object({
  project_id: projectId,
  display_name: name(nameChars).optional(),
  confidential: flag.optional(),
  id: z.undefined({ error: "no id: the id of a project never changes" }).optional(),
});
export type UpdateProject = z.infer<typeof UpdateProject>;

export const GrantRef = z.object({ agent_id: anyId, project_id: projectId });
export type GrantRef = z.infer<typeof GrantRef>;

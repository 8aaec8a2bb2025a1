// Input of the brief (mcp-tools.md 17.4).
import { z } from "zod";
import { projectId } from "../projects/index.ts";

export const Brief = z.object({ project_id: projectId });
export type Brief = z.infer<typeof Brief>;

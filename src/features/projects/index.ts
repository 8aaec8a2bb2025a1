import type { Feature } from "../../kernel/feature.ts";
import { projectRoutes } from "./routes.ts";

export {
  anyone,
  can,
  missing,
  operatorOnly,
  readsProject,
  requireProject,
  writesProject,
} from "./access.ts";
export { projectDeleted, removeProject, setGrant } from "./operations.ts";
export { GrantRef, projectId } from "./schema.ts";
export {
  deleteGrantRow,
  findProject,
  type GrantRecord,
  insertProject,
  listGrantRows,
  type ProjectSet,
  upsertGrant,
  visibleProjects,
} from "./store.ts";

export const projects: Feature = { name: "projects", routes: projectRoutes };

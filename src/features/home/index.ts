import type { Feature } from "../../kernel/feature.ts";
import { homeRoutes } from "./routes.ts";

export const home: Feature = { name: "home", routes: homeRoutes };

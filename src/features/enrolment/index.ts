import type { Feature } from "../../kernel/feature.ts";
import { provide } from "../../kernel/parts.ts";
import { itemSubject } from "../items/index.ts";
import { enrolmentSubject, sweepAbandoned } from "./operations.ts";
import { enrolmentRoutes } from "./routes.ts";

export const enrolment: Feature = {
  name: "enrolment",
  routes: enrolmentRoutes,
  parts: [provide(itemSubject, "enrolment", enrolmentSubject)],
  sweeps: [{ name: "abandoned enrolments", pace: "sweeper", run: sweepAbandoned }],
};

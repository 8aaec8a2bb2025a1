import type { Feature } from "../../kernel/feature.ts";
import { provide } from "../../kernel/parts.ts";
import { itemSubject } from "../items/index.ts";
import { approvalSubject, questionSubject } from "./operations.ts";
import { questionRoutes } from "./routes.ts";
import { questionTools } from "./tools.ts";

export const questions: Feature = {
  name: "questions",
  tools: questionTools,
  routes: questionRoutes,
  parts: [provide(itemSubject, "question", questionSubject), provide(itemSubject, "approval", approvalSubject)],
};

import { type Route, route } from "../../kernel/route.ts";
import { answerQuestion, decideApproval } from "./operations.ts";

export const questionRoutes: readonly Route[] = [
  route("answerQuestion", {
    operation: answerQuestion,
    rename: { id: "question_id" },
    present: ({ eventId }) => ({ event_id: eventId }),
  }),
  route("decideApproval", {
    operation: decideApproval,
    rename: { id: "approval_id" },
    present: ({ eventId }) => ({ event_id: eventId }),
  }),
];

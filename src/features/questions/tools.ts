import { type Tool, tool } from "../../kernel/tool.ts";
import { answerQuestion, postQuestion } from "./operations.ts";

export const questionTools: readonly Tool[] = [
  tool({
    name: "question_post",
    description:
      "Ask the human. Offer 2 to 6 options when you can: one tap answers. Then inbox_wait since this question_id.",
    operation: postQuestion,
    core: true,
    present: ({ eventId }) => ({ event_id: eventId, question_id: eventId, thread_id: eventId }),
  }),
  tool({
    name: "answer_post",
    description: "Reply to a question and close it. Approvals are decided by the human alone.",
    operation: answerQuestion,
    present: ({ eventId }) => ({ event_id: eventId }),
  }),
];

import { z } from "zod";
import { readOperation } from "../../kernel/operation.ts";
import { type Route, route } from "../../kernel/route.ts";
import { HubError } from "../../shared/errors.ts";
import { operatorOnly } from "../projects/index.ts";
import type { Nudge } from "./nudge.ts";

export function notifyRoutes(nudge: Nudge): readonly Route[] {
  const testNudge = readOperation({
    name: "testNudge",
    input: z.object({}),
    access: operatorOnly,
    run: async () => {
      const sent = nudge.test();
      if (sent === undefined) throw new HubError("not_found", "no target is set; HUB_NOTIFY_URL turns the nudge on");
      return sent;
    },
  });
  return [
    route("testNudge", {
      operation: testNudge,
      present: ({ isDelivered, error }) => ({ delivered: isDelivered, error }),
    }),
  ];
}

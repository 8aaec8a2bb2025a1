// Inputs of the subscription tools (mcp-tools.md 17.11 to 17.14).
import { z } from "zod";
import { anyId, cutInteger, flag } from "../../kernel/fields.ts";
import { waitSecondsMax } from "../../shared/limits.ts";
import { projectId } from "../projects/index.ts";

export const subscribableKinds = ["signal", "finished", "approval", "question", "answer", "artifact", "idea"] as const;
export type SubscribableKind = (typeof subscribableKinds)[number];

const kindsExpected = `one or more of ${subscribableKinds.join(", ")}`;

// A text is split on commas; the schema shows the list form alone, since unions confuse clients (mcp-tools.md 2).
const kinds = z
  .unknown()
  .transform((given, context): SubscribableKind[] => {
    const listed = typeof given === "string" ? given.split(",") : given;
    const names = Array.isArray(listed) && listed.every((kind) => typeof kind === "string") ? listed : [];
    const wanted = new Set(names.map((kind) => kind.trim()).filter((kind) => kind !== ""));
    const known = subscribableKinds.filter((kind) => wanted.delete(kind));
    if (known.length === 0 || wanted.size > 0) context.addIssue({ code: "custom", message: kindsExpected });
    return known;
  })
  .meta({ type: "array", items: { type: "string", enum: [...subscribableKinds] } });

export const Subscribe = z.object({
  kinds,
  project_id: projectId.optional().meta({ description: "default: every project you may read" }),
  actor: anyId.optional().meta({ description: "only this actor's events" }),
  exclude_own: flag.optional().meta({ description: "leave your own events out" }),
});
export type Subscribe = z.infer<typeof Subscribe>;

export const Unsubscribe = z.object({ subscription_id: anyId });

export const WaitNotify = z.object({
  wait_seconds: cutInteger(0, waitSecondsMax).optional().meta({ description: "0 to 60, default 30; 0 looks once" }),
});

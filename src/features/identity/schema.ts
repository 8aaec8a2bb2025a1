// Inputs of the identity operations (rest-api.md 0.6, 9). Unknown fields are refused on these bodies (0.5).
import { z } from "zod";
import { anyId, name } from "../../kernel/fields.ts";
import { isReservedAgentId, reservedAgentIds } from "../../shared/ids.ts";
import { codePoints } from "../../shared/json.ts";
import { agentIdChars, nameChars } from "../../shared/limits.ts";

const idExpected = `1 to ${agentIdChars} characters, not blank, without control characters, not . or .., none of the reserved ${reservedAgentIds.join(", ")}`;
// No client can send these as a segment of a path, so nothing could be done with such an agent.
const unaddressable = [".", ".."];

/** An id for a new agent. */
export const newAgentId: z.ZodType<string> = z
  .string({ error: idExpected })
  .refine(
    (id) =>
      id.trim() !== "" &&
      codePoints(id) <= agentIdChars &&
      !/\p{Cc}/u.test(id) &&
      id.isWellFormed() &&
      !unaddressable.includes(id) &&
      !isReservedAgentId(id.trim()),
    { error: idExpected },
  );

export const CreateAgent = z.strictObject({ id: newAgentId, display_name: name(nameChars) });
export const UpdateAgent = z.strictObject({ agent_id: anyId, display_name: name(nameChars) });
export const AgentRef = z.object({ agent_id: anyId });

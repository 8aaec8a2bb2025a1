// The bootstrap guide with the hub's own address filled in (rest-api.md 21): public, no secret, no name in it.
import guide from "../../../skills/agent-hub/bootstrap.md" with { type: "text" };

export function bootstrapGuide(origin: string): string {
  return guide.replaceAll("{{origin}}", origin);
}

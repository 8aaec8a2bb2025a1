// The hub without a listener (cli.md 4.3): requests of the one caller, the operator under a label, go straight to the
// MCP endpoint.
import { findAgent } from "../features/identity/index.ts";
import type { Principal } from "../kernel/ctx.ts";
import { internalError } from "../kernel/operation.ts";
import { HubError } from "../shared/errors.ts";
import { addressOf } from "./http/address.ts";
import { problem } from "./http/problem.ts";
import type { Hub } from "./hub.ts";
import { createMcpEndpoint } from "./mcp/endpoint.ts";

export type Standalone = {
  /** Answers one HTTP request to `/mcp` in this process. */
  send(address: string, init: RequestInit): Promise<Response>;
  close(): Promise<void>;
};

/** Undefined when the label is the id of an agent, so that nobody signs as another. */
export function createStandalone(hub: Hub, label: string): Standalone | undefined {
  const { services } = hub.kernel;
  if (findAgent(services.db, label) !== undefined) return undefined;
  const principal: Principal = { kind: "operator", actor: label, tokenId: null };
  const endpoint = createMcpEndpoint(hub);
  // Documents name the address a hub on this configuration would have (mcp-tools.md 17.34).
  const origin = hub.config.publicUrl ?? `http://${addressOf(hub.config.bind)}`;
  return {
    async send(address, init) {
      const request = new Request(address, init);
      try {
        return await endpoint.handle({
          request,
          principal,
          origin,
          readBytes: () => request.bytes(),
          isJson: true,
        });
      } catch (error) {
        return problem(error instanceof HubError ? error : internalError(error, {}, services.log));
      }
    },
    close: () => endpoint.close(),
  };
}

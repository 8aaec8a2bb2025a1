// Binds the listener and takes it down in order (operations.md 3 and 11).
import type { Server } from "bun";
import type { Hub } from "../hub.ts";
import { createMcpEndpoint } from "../mcp/endpoint.ts";
import { addressOf, hostAndPort } from "./address.ts";
import { createApp } from "./app.ts";

const drainMs = 10_000;
// Three times the longest silence of ours, a wait of 55 s, so that a connection kept over two silent minutes serves on
// (test/e2e/silent-minutes.test.ts): whoever sends a request or takes an answer more slowly than a few
// KiB/s is cut off after it, so no number of slow clients holds the hub (test/server/http/slow-clients.test.ts).
const idleSeconds = 180;
// Bodies are capped by the hub, with an answer; Bun's own refusal has none.
const bodyCeilingBytes = 2 ** 40;

export type Listener = {
  /** `http://host:port`, with the real port. */
  url: string;
  /** In-flight requests finish, up to 10 s; then their connections are closed. `hurry` skips the waiting. */
  stop(hurry: AbortSignal): Promise<void>;
};

/** @throws Error when the address cannot be bound */
export function startListener(hub: Hub): Listener {
  const mcp = createMcpEndpoint(hub);
  const { host, port } = hub.config.bind;
  let server: Server<undefined> | undefined;
  let address = addressOf({ host, port });
  const bound = (): string => address;
  const received = new WeakMap<Request, Request>();
  const app = createApp({
    hub,
    mcp,
    bound,
    keepOpen: (request) => server?.timeout(received.get(request) ?? request, 0),
    peerOf: (request) =>
      server?.requestIP(received.get(request) ?? request)?.address.replace(/^::ffff:(?=\d)/, "") ?? null,
  });

  // Without a usable Host header the runtime hands over an address that is no URL and that no router finds its path in.
  function addressable(request: Request): Request {
    if (URL.canParse(request.url)) return request;
    const path = request.url.replace(/^https?:\/\/[^/?#]*/, "");
    const rewritten = new Request(`http://${bound()}${path}`, request);
    received.set(rewritten, request);
    return rewritten;
  }
  server = Bun.serve({
    hostname: host,
    port,
    idleTimeout: idleSeconds,
    maxRequestBodySize: bodyCeilingBytes,
    fetch: (request) => app.fetch(addressable(request)),
  });
  const running = server;
  // Kept: the runtime asks the system for the port every time.
  address = addressOf({ host, port: running.port ?? port });
  return {
    url: `http://${hostAndPort(host, running.port ?? port)}`,
    async stop(hurry) {
      hub.drain();
      await mcp.close();
      const finished = await Promise.race([running.stop(false).then(() => true), timeUp(hurry)]);
      if (!finished) {
        hub.kernel.services.log.warn("requests were still open at the end of the drain; their connections are closed");
      }
      await Promise.race([running.stop(true), timeUp(AbortSignal.timeout(1000))]);
    },
  };
}

function timeUp(hurry: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), drainMs);
    const stop = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    if (hurry.aborted) stop();
    else hurry.addEventListener("abort", stop, { once: true });
  });
}

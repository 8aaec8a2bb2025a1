// The readiness probe of `agent-hub health`: plain HTTP, straight to the listener, each phase bounded (cli.md 15).
import { request } from "node:http";

export type Readiness = { status: number; body: string };

/**
 * GET of an `http` URL. Connect, send and read may take `phaseMs` each; throws what the connection failed with.
 * `node:http` and not `fetch`: a proxy set in the environment must not answer for the listener.
 */
export function probe(url: string, phaseMs: number): Promise<Readiness> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, headers: { Accept: "application/json" } }, (response) => {
      const chunks: Buffer[] = [];
      timer.refresh();
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("end", () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") });
      });
    });
    const timer = setTimeout(() => {
      sent.destroy();
      fail(new DOMException("no answer in time", "TimeoutError"));
    }, phaseMs);
    function fail(error: unknown): void {
      clearTimeout(timer);
      reject(error);
    }
    sent.on("socket", (socket) => socket.once("connect", () => timer.refresh()));
    sent.on("error", fail);
    sent.end();
  });
}

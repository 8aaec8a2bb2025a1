// What may stand between a browser and a hub: a proxy that strips a prefix, and that can cut, hold back or change what
// passes.
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export type Front = AsyncDisposable & {
  /** Origin, without a trailing slash. */
  readonly url: string;
  /** Every request that came, as `GET /path`. */
  readonly seen: string[];
  /** Streams that are open now. */
  streams(): number;
  /** Ends every connection and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** From here on the hub is one with another app: its documents, its worker and its answers name the build `rebuilt`. */
  rebuild(): void;
};

export type FrontOptions = {
  /** Holds back everything of the stream, as a proxy that buffers does. */
  doesBuffer?: boolean;
  /** The stream as a hub without topics would send it. */
  isTickOnly?: boolean;
};

/** @param mounts origins of hubs by path prefix, `/` or `/deep/hub/` */
export async function startFront(mounts: Record<string, string>, options: FrontOptions = {}): Promise<Front> {
  const sockets = new Set<Socket>();
  const seen: string[] = [];
  const streams = new Set<ServerResponse>();
  let isCut = false;
  let isRebuilt = false;

  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "/";
    seen.push(`${incoming.method} ${path}`);
    const prefix = Object.keys(mounts)
      .sort((a, b) => b.length - a.length)
      .find((each) => path.startsWith(each));
    const target = prefix === undefined ? undefined : mounts[prefix];
    if (prefix === undefined || target === undefined) {
      outgoing.writeHead(404).end();
      return;
    }
    pass(incoming, outgoing, `${target}/${path.slice(prefix.length)}`);
  });

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, address: string): void {
    const isStream = address.endsWith("/api/v1/stream");
    const isDocument = /^https?:\/\/[^/]+\/(?:|sw\.js)$/.test(address);
    const headers = isRebuilt && isDocument ? { ...incoming.headers, ...asItIs } : incoming.headers;
    const upstream = request(address, { method: incoming.method, headers }, (answer) => {
      if (isRebuilt && isDocument) return renamed(answer, outgoing);
      if (isRebuilt && "x-hub-build" in answer.headers) answer.headers["x-hub-build"] = "rebuilt";
      if (isStream) {
        streams.add(outgoing);
        outgoing.on("close", () => streams.delete(outgoing));
        if (options.doesBuffer === true) return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (isStream && options.isTickOnly === true) {
        answer.on("data", (chunk: Buffer) => outgoing.write(ticksOnly(chunk.toString())));
        answer.on("end", () => outgoing.end());
      } else {
        answer.pipe(outgoing);
      }
    });
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  }

  server.on("connection", (socket) => {
    if (isCut) return void socket.destroy();
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // of a server that listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    streams: () => streams.size,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    rebuild() {
      isRebuilt = true;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const asItIs = { "accept-encoding": "identity", "if-none-match": "" };

// A build is sixteen hexadecimal digits wherever it is named.
function renamed(answer: IncomingMessage, outgoing: ServerResponse): void {
  const chunks: Buffer[] = [];
  answer.on("data", (chunk: Buffer) => chunks.push(chunk));
  answer.on("end", () => {
    const text = Buffer.concat(chunks)
      .toString()
      .replaceAll(/\b[\da-f]{16}\b/g, "rebuilt");
    const { "content-length": _length, etag: _tag, ...headers } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, headers).end(text);
  });
}

function ticksOnly(text: string): string {
  return text
    .split("\n\n")
    .filter((event) => !/^event: (?:hello|change|reset)/m.test(event))
    .join("\n\n");
}

// Artifacts as browser tests publish them, and a place outside the hub that notices whoever comes.
import { createSocket } from "node:dgram";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { encrypt } from "../../../src/shared/protect.ts";
import type { Agent, WebHub } from "./hub.ts";

export const password = "correct horse battery";

export type Publisher = {
  agent: Agent;
  publish(args: object): Promise<string>;
  /** Encrypted as a client does it, with the password of these tests. */
  publishProtected(args: { kind: "html" | "markdown"; title: string }, plaintext: string): Promise<string>;
  share(id: string): Promise<string>;
};

export async function openPublisher(hub: WebHub, project = "reports", isConfidential = false): Promise<Publisher> {
  await hub.operate("createProject", { body: { id: project, display_name: project, confidential: isConfidential } });
  const agent = await hub.agent(`scout-${project}`);
  if (isConfidential) await hub.operate("createGrant", { params: { id: agent.id }, body: { project_id: project } });
  const publish = async (args: object): Promise<string> => {
    const made = await agent.call("artifact_publish", { project_id: project, kind: "markdown", title: "T", ...args });
    return String(made["artifact_id"]);
  };
  return {
    agent,
    publish,
    async publishProtected(args, plaintext) {
      const { envelope, ciphertext } = await encrypt(password, plaintext);
      return publish({ ...args, content: ciphertext, envelope });
    },
    async share(id) {
      return String((await hub.operate("createShare", { params: { id }, body: {} }))["token"]);
    },
  };
}

export type Outside = AsyncDisposable & {
  /** Host and port that answer to nobody. */
  readonly host: string;
  readonly udpPort: number;
  /** What was said there: the first line of a request, or a datagram. A bare connection, which a browser may open before it
   *  asks itself whether it should, is none. */
  told(): string[];
};

/** Somewhere a document might want to talk to. */
export async function openOutside(): Promise<Outside> {
  const visits: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("data", (data) => visits.push(data.toString().split("\r\n")[0] ?? ""));
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const udp = createSocket("udp4", () => visits.push("datagram"));
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // of a server that listens on a port
  return {
    host: `127.0.0.1:${port}`,
    udpPort: udp.address().port,
    told: () => visits,
    async [Symbol.asyncDispose]() {
      udp.close();
      // A browser keeps a connection it opened ahead of time for minutes.
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

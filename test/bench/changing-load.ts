// Load whose content is new every time: a number in each request counts up as it is sent, so that no server can answer
// from what it stored before. One request under way on each socket, HTTP/1.1 by hand, as in load.ts.
import type { Socket } from "bun";

/** Stands in a request where the number goes; as long as the number is. */
export const numberPlace = "#".repeat(12);

type Line = { request: Buffer; place: number; received: string };

const failedCall = '"isError":true';

let sent = 0;

/** Opens the sockets, one for each request. `slice` sends for some time and returns how many were answered a second. */
export async function openWriters(
  port: number,
  requests: readonly string[],
): Promise<{ slice(ms: number): Promise<number> }> {
  let isSending = false;
  let underWay = 0;
  let answered = 0;
  let quiet = Promise.withResolvers<void>();

  function send(socket: Socket<Line>): void {
    sent += 1;
    const { request, place } = socket.data;
    request.write(String(sent).padStart(numberPlace.length, "0"), place);
    underWay += 1;
    if (socket.write(request) !== request.byteLength) quiet.reject(new Error("a request was written in part"));
  }

  function read(socket: Socket<Line>, chunk: Buffer): void {
    socket.data.received += chunk.toString("latin1");
    const { received } = socket.data;
    const end = received.indexOf("\r\n\r\n");
    const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
    if (end === -1 || received.length < end + 4 + Number(length ?? 0)) return;
    socket.data.received = "";
    if (!received.startsWith("HTTP/1.1 200 ") || received.includes(failedCall)) {
      quiet.reject(new Error(`a request failed: ${received.slice(0, 600)}`));
      return;
    }
    underWay -= 1;
    answered += 1;
    if (isSending) send(socket);
    else if (underWay === 0) quiet.resolve();
  }

  const sockets = await Promise.all(
    requests.map((text) => {
      const request = Buffer.from(text);
      const place = request.indexOf(numberPlace);
      return Bun.connect<Line>({
        hostname: "127.0.0.1",
        port,
        data: { request, place, received: "" },
        socket: { data: read, error: (_socket, error) => quiet.reject(error) },
      });
    }),
  );

  return {
    async slice(ms) {
      answered = 0;
      quiet = Promise.withResolvers();
      isSending = true;
      const from = performance.now();
      for (const socket of sockets) send(socket);
      await Promise.race([quiet.promise, Bun.sleep(ms)]);
      isSending = false;
      await quiet.promise;
      return (answered * 1000) / (performance.now() - from);
    },
  };
}

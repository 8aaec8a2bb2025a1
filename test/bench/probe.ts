// One client that asks `whoami` again and again, and tells how long the slowest answer took while something else went on.
import { call2025, initialize } from "./requests.ts";

export type Probe = Disposable & {
  /** Milliseconds of the slowest call that began while `act` ran. */
  slowest(act: () => Promise<unknown>): Promise<number>;
};

export async function openProbe(port: number, token: string): Promise<Probe> {
  const sessionId = await initialize(`http://127.0.0.1:${port}`, token);
  const request = call2025(port, token, sessionId, { name: "whoami", arguments: {} });
  let answered = Promise.withResolvers<void>();
  let received = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_socket, chunk) {
        received += chunk.toString("latin1");
        const end = received.indexOf("\r\n\r\n");
        const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
        if (end === -1 || received.length < end + 4 + Number(length ?? 0)) return;
        if (received.startsWith("HTTP/1.1 200 ")) answered.resolve();
        else answered.reject(new Error(`the probe was answered ${received.slice(0, 200)}`));
        received = "";
      },
      error: (_socket, error) => answered.reject(error),
    },
  });

  async function ask(): Promise<number> {
    answered = Promise.withResolvers();
    const from = performance.now();
    socket.write(request);
    await answered.promise;
    return performance.now() - from;
  }

  return {
    async slowest(act) {
      let isOver = false;
      const acting = act().finally(() => {
        isOver = true;
      });
      let slowest = 0;
      while (!isOver) slowest = Math.max(slowest, await ask());
      await acting;
      return slowest;
    },
    [Symbol.dispose]: () => socket.end(),
  };
}

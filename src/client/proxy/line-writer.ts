// Stdout of the proxy: whole JSON-RPC lines in the order they were given, each taken by the reader before the next.

/** Where lines go. Settles once the text is handed over, rejects once nobody reads any more. */
export type Output = { write(text: string): Promise<void> };

export type LineWriter = {
  /** Settles when the line is handed over or can never be; does not reject. */
  write(json: string): Promise<void>;
  /** Aborted once a write failed, for the reason it failed with: mostly that the harness is gone. */
  readonly closed: AbortSignal;
};

export function createLineWriter(output: Output): LineWriter {
  const closed = new AbortController();
  let last: Promise<void> = Promise.resolve();

  async function hand(json: string): Promise<void> {
    if (closed.signal.aborted) return;
    try {
      await output.write(`${json}\n`);
    } catch (error) {
      closed.abort(error);
    }
  }

  return {
    write(json) {
      last = last.then(() => hand(json));
      return last;
    },
    closed: closed.signal,
  };
}

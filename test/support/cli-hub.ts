// Stands in for a hub on the wire: answers what a test scripts and keeps what it was sent.
export type SentRequest = { method: string; path: string; headers: Headers; body: unknown };
export type ScriptedHub = Disposable & { url: string; requests: readonly SentRequest[] };
type Answer = (request: SentRequest) => Response | Promise<Response>;

export function openScriptedHub(answer: Answer): ScriptedHub {
  const requests: SentRequest[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const text = await request.text();
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      const sent = { method: request.method, path: new URL(request.url).pathname, headers: request.headers, body };
      requests.push(sent);
      return answer(sent);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    // Also cuts the requests that are never answered.
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** A JSON-RPC answer to the one id a one-shot request uses. */
export function rpcAnswer(member: { result: unknown } | { error: unknown }, status = 200): Response {
  return Response.json({ jsonrpc: "2.0", id: 1, ...member }, { status });
}

export function toolResult(structuredContent: unknown): Response {
  return rpcAnswer({
    result: { structuredContent, content: [{ type: "text", text: JSON.stringify(structuredContent) }] },
  });
}

export function problem(status: number, members: Record<string, unknown>): Response {
  return Response.json(
    { type: "about:blank", title: "x", status, ...members },
    { status, headers: { "Content-Type": "application/problem+json" } },
  );
}

export function streamed(...frames: string[]): Response {
  return new Response(frames.join(""), { headers: { "Content-Type": "text/event-stream" } });
}

/** A port nobody listens on. */
export function closedUrl(): string {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const url = `http://127.0.0.1:${server.port}`;
  void server.stop(true);
  return url;
}

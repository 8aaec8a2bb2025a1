// A proxy that adds a bearer token to requests without one, for clients that cannot send headers. Host and Origin reach
// the hub as the client sent them: the checks on them are part of what is tested.

export type BearerProxy = AsyncDisposable & { url: string };

/** Forwards to `upstream`, an origin without a trailing slash. */
export function startBearerProxy(upstream: string, token: string): BearerProxy {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
      return await fetch(`${upstream}${pathname}${search}`, {
        method: request.method,
        headers,
        body: request.body,
        redirect: "manual",
        decompress: false,
        signal: request.signal, // without it a client that leaves would not be noticed upstream
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

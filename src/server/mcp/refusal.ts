// A request refused with the JSON-RPC error its revision prescribes (mcp-tools.md 1).

export function rpcRefusal(status: number, code: number, message: string, data?: object): Response {
  const error = data === undefined ? { code, message } : { code, message, data };
  return new Response(JSON.stringify({ jsonrpc: "2.0", id: null, error }), {
    status,
    headers: { "content-type": "application/json" },
  });
}

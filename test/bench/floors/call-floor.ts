// Floor of a call without a write: a bare Bun.serve that parses the JSON, checks it with zod and answers. No token, no
// store, no protocol.
import { z } from "zod";

const Message = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.number(),
  method: z.string(),
  params: z.object({ name: z.string(), arguments: z.object({}) }),
});
const answer = {
  actor: "agent-0",
  admin: false,
  personal_project_id: "space-0".padEnd(32, "0"),
  skill_url: "http://x",
};

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const message = Message.safeParse(await request.json());
    if (!message.success) return new Response(null, { status: 400 });
    return Response.json({ jsonrpc: "2.0", id: message.data.id, result: answer });
  },
});
process.stderr.write(`listening on http://127.0.0.1:${server.port}\n`);

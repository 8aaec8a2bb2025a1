// A call that writes nothing: `whoami` over MCP by 64 agents, each with one call under way.
import { callRow, drive } from "./drive.ts";
import type { Figure } from "./figure.ts";
import { compile, startServer } from "./programs.ts";
import { call2025, call2026 } from "./requests.ts";

const whoami = { name: "whoami", arguments: {} };

export const whoamiFigure: Figure = {
  name: "whoami",
  async measure({ hub, agents, folder }) {
    const program = await compile("floors/call-floor.ts", folder, "call-floor");
    await using floorServer = await startServer([program], {}, folder);
    const on2025 = (port: number): string[] =>
      agents.map(({ token, sessionId }) => call2025(port, token, sessionId, whoami));
    const [bare, line2025, line2026] = await drive([
      { server: floorServer, requests: on2025(floorServer.port) },
      { server: hub, requests: on2025(hub.port) },
      { server: hub, requests: agents.map(({ token }) => call2026(hub.port, token, whoami)) },
    ]);
    if (bare === undefined || line2025 === undefined || line2026 === undefined) return [];
    const target = { kind: "at least", must: 0.35, ambitious: 0.5 } as const;
    const floor = { measured: bare, against: "compiled Bun.serve: JSON, zod", target };
    return [callRow("whoami, 2025 line", line2025, floor), callRow("whoami, 2026-07-28", line2026, floor)];
  },
};

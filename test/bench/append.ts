// Durable appends: `signal_append` over MCP by 64 agents into 50 projects, each with one call under way.
import { copyFile } from "node:fs/promises";
import { callRow, drive } from "./drive.ts";
import type { Figure } from "./figure.ts";
import { compile, startServer } from "./programs.ts";
import { call2025, call2026, signal } from "./requests.ts";

export const appendFigure: Figure = {
  name: "append",
  async measure({ hub, agents, folder, storeCopy }) {
    const program = await compile("floors/append-floor.ts", folder, "append-floor");
    const searchCopy = `${storeCopy}.search`;
    await copyFile(storeCopy, searchCopy);
    await using bareFloor = await startServer([program, storeCopy], {}, folder);
    await using searchFloor = await startServer([program, searchCopy, "search"], {}, folder);
    const on2025 = (port: number): string[] =>
      agents.map(({ token, sessionId, projectId }) => call2025(port, token, sessionId, signal(projectId)));
    const [bare, withSearch, line2025, line2026] = await drive([
      { server: bareFloor, requests: on2025(bareFloor.port) },
      { server: searchFloor, requests: on2025(searchFloor.port) },
      { server: hub, requests: on2025(hub.port) },
      { server: hub, requests: agents.map(({ token, projectId }) => call2026(hub.port, token, signal(projectId))) },
    ]);
    if (bare === undefined || withSearch === undefined || line2025 === undefined || line2026 === undefined) return [];
    return [
      {
        measured: bare,
        against: "compiled Bun.serve: bearer, JSON, event row, group commit FULL",
        target: { kind: "at least", must: 0.5, ambitious: 0.75 } as const,
      },
      {
        measured: withSearch,
        against: "the same and the event's search rows",
        target: { kind: "at least", must: 0.6, ambitious: 0.75 } as const,
      },
    ].flatMap((floor) => [
      callRow("signal_append, 2025 line", line2025, floor),
      callRow("signal_append, 2026-07-28", line2026, floor),
    ]);
  },
};

// Start-up of a one-shot command: the whole life of `agent-hub call version` against the running hub, and of
// `agent-hub version`, which asks nobody and so shows what is not the network.
import { type Figure, inTurns, type Row } from "./figure.ts";
import { compile } from "./programs.ts";
import { environmentOf } from "./subject.ts";

const runs = 40;

export const startUpFigure: Figure = {
  name: "start-up",
  async measure({ hub, agents, folder, binary }) {
    const empty = await compile("floors/empty.ts", folder, "empty");
    const env = { ...environmentOf(folder), HUB_URL: hub.url, HUB_TOKEN: agents[0]?.token ?? "" };
    const life = (command: string[]) => async (): Promise<number> => {
      const startedAt = performance.now();
      const { exitCode } = Bun.spawnSync(command, {
        env,
        cwd: folder,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}`);
      return performance.now() - startedAt;
    };
    const [nothing = [], runtime = [], version = [], call = []] = await inTurns(
      [
        life([empty]),
        life([process.execPath, "--version"]),
        life([binary, "version"]),
        life([binary, "call", "version"]),
      ],
      runs,
    );
    const common = { unit: "ms", ofServers: null } as const;
    const target = { kind: "at most", must: 3, ambitious: null } as const;
    const emptyProgram = "an empty compiled program";
    const rows: Row[] = [
      { ...common, name: "call version, whole life", hub: call, floor: nothing, target, against: emptyProgram },
      {
        ...common,
        name: "call version, whole life",
        hub: call,
        floor: runtime,
        target: null,
        against: "bun --version",
      },
      { ...common, name: "version, no network", hub: version, floor: nothing, target, against: emptyProgram },
    ];
    return rows;
  },
};

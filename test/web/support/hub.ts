// The compiled binary on a free port, for browser tests; no module of Bun, since the runner may be Node.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../src/shared/json.ts";
import { callOnWire } from "../../support/mcp-wire.ts";
import { operate } from "../../support/operator.ts";

const binary = join(import.meta.dirname, "..", "..", "..", "dist", "agent-hub");
const startMs = 30_000;
const stopMs = 15_000;
const listening = /listening on (http:\/\/\S+),/;

/** An agent with a token of its own, over MCP. */
export type Agent = { id: string; token: string; call(tool: string, args?: object): Promise<JsonObject> };

export type WebHub = AsyncDisposable & {
  /** Origin, without a trailing slash. */
  readonly url: string;
  readonly adminToken: string;
  readonly startUpLink: string;
  /** One call as the operator; anything but success fails the test. */
  operate(...call: CallOf): ReturnType<typeof operate>;
  project(id: string, display?: string): Promise<void>;
  agent(id: string): Promise<Agent>;
  stop(): Promise<void>;
  /** On the same port and data; `build` of another binary when given. */
  start(binaryPath?: string): Promise<void>;
};

type CallOf = Parameters<typeof operate> extends [unknown, ...infer Rest] ? Rest : never;

export async function startWebHub(env: Record<string, string> = {}): Promise<WebHub> {
  if (!existsSync(binary)) throw new Error("dist/agent-hub is missing: run `bun build.ts` first");
  const home = mkdtempSync(join(tmpdir(), "agent-hub-web-"));
  const dataDir = join(home, "data");
  let running: ChildProcess | undefined;
  let url = "";
  let link = "";

  async function start(binaryPath = binary): Promise<void> {
    const port = url === "" ? "0" : new URL(url).port;
    const child = spawn(binaryPath, ["serve"], {
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: home,
        AGENT_HUB_SYSTEM_CONFIG: join(home, "none.toml"),
        HUB_BIND: `127.0.0.1:${port}`,
        HUB_DATA_DIR: dataDir,
        HUB_NODE_NAME: "testbox",
        HUB_LOG: "warn",
        ...env,
      },
      cwd: home,
      stdio: ["ignore", "ignore", "pipe"],
    });
    running = child;
    const said = await firstWords(child);
    url = listening.exec(said)?.[1] ?? "";
    link = /open (\S+)/.exec(said)?.[1] ?? "";
    // A wildcard bind is reached at the loopback address too.
    url = url.replace("//0.0.0.0", "//127.0.0.1");
  }

  async function stop(): Promise<void> {
    const child = running;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
    await ended;
    clearTimeout(timer);
  }

  const hub: WebHub = {
    get url() {
      return url;
    },
    get adminToken() {
      return env["HUB_ADMIN_TOKEN"] ?? readFileSync(join(dataDir, "admin-token"), "utf8").trim();
    },
    get startUpLink() {
      return link;
    },
    operate: (...given) => operate(hub, ...given),
    async project(id, display = id) {
      await hub.operate("createProject", { body: { id, display_name: display } });
    },
    async agent(id) {
      await hub.operate("createAgent", { body: { id, display_name: id } });
      const { token } = await hub.operate("issueToken", { params: { id } });
      return {
        id,
        token: String(token),
        async call(tool, args = {}) {
          const answer = await callOnWire(url, String(token), "2026", tool, args);
          if (answer.isError || answer.status !== 200) throw new Error(`${tool}: ${JSON.stringify(answer)}`);
          return answer.content;
        },
      };
    },
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
  await start();
  return hub;
}

function firstWords(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error(`the hub did not start: ${text}`)), startMs);
    child.stderr?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      // The link, where there is one, is in the same write or the next.
      if (!listening.test(text) || (/admin token in /.test(text) && !/open \S+\n/.test(text))) return;
      clearTimeout(timer);
      resolve(text);
    });
    child.once("exit", () => reject(new Error(`the hub ended: ${text}`)));
  });
}

// `agent-hub mcp` as a process: what a harness starts, and how it is left.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { token } from "./proxy-harness.ts";
import { root } from "./source-files.ts";

/** The command line of the proxy, run from source. */
export const proxyCommand = [process.execPath, join(root, "src", "main.ts"), "mcp"] as const;

/** The whole environment of a proxy, in which nobody has configured anything else. */
export function proxyEnv(url: string): Record<string, string> {
  const nowhere = join(tmpdir(), "agent-hub-no-such-home");
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: nowhere,
    // Bun would keep what it transpiled below HOME.
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
    AGENT_HUB_SYSTEM_CONFIG: join(nowhere, "config.toml"),
    HUB_URL: url,
    HUB_TOKEN: token,
  };
}

// The complete, checked settings of a process. Everything outside this folder sees only these (config.md).

export type LogLevel = "off" | "error" | "warn" | "info" | "debug" | "trace";

/** Where the listener binds. `port` 0 picks a free one. */
export type Bind = { host: string; port: number; isLoopback: boolean };

/** `[hub]` of config.md 4, validated. A cap of 0 means no cap. */
export type HubConfig = Readonly<{
  bind: Bind;
  /** As configured: relative paths stay relative in messages, and are relative to the working directory. */
  dataDir: string;
  adminToken: string | null;
  nodeName: string;
  /** False when the name is the machine's own. */
  isNodeNamed: boolean;
  /** Origin without a trailing slash. */
  publicUrl: string | null;
  activeWindowSecs: number;
  inboxActionPerAgent: number;
  inboxActionPerProject: number;
  eventsPerProject: number;
  enrol: boolean;
  enrolPendingMax: number;
  enrolPendingTtlSecs: number;
  allowedHosts: readonly string[];
  trustProxy: readonly string[];
  integritySampleSecs: number;
  notifyUrl: string | null;
  notifyToken: string | null;
  notifyIntervalSecs: number;
  backupDir: string | null;
  /** `HUB_SWEEP_INTERVAL_SECS`, whole seconds above 0. */
  sweepIntervalSecs: number;
}>;

/** `[client]` of config.md 5, validated. `null` is unset. */
export type ClientConfig = Readonly<{
  /** Without trailing slashes; may carry a path prefix. */
  url: string | null;
  token: string | null;
  agentId: string | null;
  project: string | null;
  timeoutMs: number;
}>;

// Every key of both tables (config.md 4 and 5): where it stands, its TOML type, its default, how it is shown.

export type Table = "hub" | "client";
/** Both inclusive; `max` left out means any size a number can hold exactly. */
export type Bounds = Readonly<{ min: number; max?: number }>;
export type KeyForm = Readonly<{
  table: Table;
  /** `integer` takes a TOML integer, `number` an integer or a float, `string` a string. */
  type: "string" | "integer" | "number";
  /** Text of the default; left out when there is none, or when it is not a constant. */
  default?: string;
  /** Of an `integer`. */
  bounds?: Bounds;
  /** `secret` is masked, `origin` shows no more than scheme, host and port (config.md 9). */
  shown?: "secret" | "origin";
}>;

const daySecs = 86_400;
const weekSecs = 7 * daySecs;
const monthSecs = 30 * daySecs;

/** In the order of the specification, which is the order of validation and of display. */
export const keys = {
  bind: { table: "hub", type: "string", default: "127.0.0.1:8080" },
  data_dir: { table: "hub", type: "string", default: "./data" },
  admin_token: { table: "hub", type: "string", shown: "secret" },
  node_name: { table: "hub", type: "string" },
  public_url: { table: "hub", type: "string" },
  active_window_secs: { table: "hub", type: "integer", default: "900", bounds: { min: 1, max: monthSecs } },
  inbox_action_per_agent: { table: "hub", type: "integer", default: "100", bounds: { min: 0 } },
  inbox_action_per_project: { table: "hub", type: "integer", default: "1000", bounds: { min: 0 } },
  events_per_project: { table: "hub", type: "integer", default: "1000000", bounds: { min: 0 } },
  enrol: { table: "hub", type: "string", default: "on" },
  enrol_pending_max: { table: "hub", type: "integer", default: "20", bounds: { min: 0 } },
  enrol_pending_ttl_secs: { table: "hub", type: "integer", default: "86400", bounds: { min: 1, max: monthSecs } },
  allowed_hosts: { table: "hub", type: "string" },
  trust_proxy: { table: "hub", type: "string" },
  integrity_sample_secs: { table: "hub", type: "integer", default: "3600", bounds: { min: 0, max: weekSecs } },
  notify_url: { table: "hub", type: "string", shown: "origin" },
  notify_token: { table: "hub", type: "string", shown: "secret" },
  notify_interval_secs: { table: "hub", type: "integer", default: "60", bounds: { min: 1, max: daySecs } },
  backup_dir: { table: "hub", type: "string" },
  tailnet: { table: "hub", type: "string", shown: "secret" },
  tailnet_port: { table: "hub", type: "integer", default: "8080", bounds: { min: 1, max: 65_535 } },
  tailnet_control_url: { table: "hub", type: "string" },
  url: { table: "client", type: "string" },
  token: { table: "client", type: "string", shown: "secret" },
  agent_id: { table: "client", type: "string" },
  project: { table: "client", type: "string" },
  timeout: { table: "client", type: "number", default: "120" },
} as const satisfies Record<string, KeyForm>;

export type Key = keyof typeof keys;

// Object.keys loses the key type of a literal; the table is a constant.
export const keyNames: readonly Key[] = Object.keys(keys) as Key[];

export function isKey(name: string): name is Key {
  return Object.hasOwn(keys, name);
}

export function formOf(key: Key): KeyForm {
  return keys[key];
}

/** The environment variable of a key: the same rule for both tables. */
export function variableOf(key: Key): string {
  return `HUB_${key.toUpperCase()}`;
}

// The one place that reads the process environment. Everything else gets it as a value.

/** Variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

export function processEnvironment(): Env {
  return process.env;
}

/** A variable, trimmed; an empty or all-blank one counts as unset (config.md 2). */
export function variable(env: Env, name: string): string | undefined {
  const text = env[name]?.trim();
  return text === undefined || text === "" ? undefined : text;
}

// What the build stamped into the binary. Running from source falls back to the package's own version.
declare const __AGENT_HUB_VERSION__: string | undefined;
declare const __AGENT_HUB_COMMIT__: string | undefined;

/** Semantic version of this build, without a `v`. */
export const version: string = typeof __AGENT_HUB_VERSION__ === "string" ? __AGENT_HUB_VERSION__ : "0.0.0-source";

/** Short commit of this build, or `unknown` (cli.md 16). */
export const commit: string = typeof __AGENT_HUB_COMMIT__ === "string" ? __AGENT_HUB_COMMIT__ : "unknown";

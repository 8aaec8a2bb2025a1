// What connects each client to this hub, ready to paste (web-app.md 6.17): every value is quoted by code for the format
// it stands in. The words around it are the screen's.

export const clientNames = ["claude-code", "codex", "cursor", "vscode", "gemini", "claude-desktop", "other"] as const;
export type ClientName = (typeof clientNames)[number];

export type Snippet = {
  /** What it is for. */
  name: "add" | "add-plain" | "file" | "export" | "token" | "address" | "header" | "program" | "list-tools";
  language: "sh" | "json" | "toml" | "text";
  text: string;
  /** Files it may go into: one, or one for each place or system. */
  files: readonly string[];
};

export type SnippetValues = {
  /** Absolute address of `/mcp`. */
  mcp: string;
  /** The hub's own, for its program. */
  base: string;
  /** Absent when nobody knows it any more. */
  token: string | undefined;
};

/** Stands where a token goes that is not shown again. */
const tokenPlaceholder = "YOUR-AGENT-TOKEN";
/** What clients call the hub. */
const serverName = "agent-hub";
const tokenVariable = "AGENT_HUB_TOKEN";
const inputName = "agent-hub-token";

export function snippetsOf(client: ClientName, values: SnippetValues): Snippet[] {
  const { mcp, base } = values;
  const token = values.token ?? tokenPlaceholder;
  const headers = { Authorization: `Bearer ${token}` };
  switch (client) {
    case "claude-code": {
      const server = JSON.stringify({ type: "http", url: mcp, headers });
      return [
        sh("add", `claude mcp add-json --scope user ${serverName} ${quoted(server)}`),
        sh(
          "add-plain",
          `claude mcp add --transport http --scope user ${serverName} ${word(mcp)} --header ${plain(`Authorization: Bearer ${token}`)}`,
        ),
      ];
    }
    case "codex":
      return [
        {
          name: "file",
          language: "toml",
          text: `[mcp_servers.${serverName}]\nurl = ${tomlString(mcp)}\nbearer_token_env_var = ${tomlString(tokenVariable)}\n`,
          files: ["~/.codex/config.toml"],
        },
        sh("export", `export ${tokenVariable}=${quoted(token)}`),
      ];
    case "cursor":
      return [
        file({ mcpServers: { [serverName]: { url: mcp, headers } } }, ["~/.cursor/mcp.json", ".cursor/mcp.json"]),
      ];
    case "vscode": {
      const asked = { Authorization: `Bearer \${input:${inputName}}` };
      const input = { type: "promptString", id: inputName, description: "Agent Hub token", password: true };
      return [
        file({ servers: { [serverName]: { type: "http", url: mcp, headers: asked } }, inputs: [input] }, [
          ".vscode/mcp.json",
        ]),
        text("token", token),
      ];
    }
    case "gemini":
      return [file({ mcpServers: { [serverName]: { type: "http", url: mcp, headers } } }, ["~/.gemini/settings.json"])];
    case "claude-desktop": {
      const env = { HUB_URL: base, HUB_TOKEN: token };
      return [
        file({ mcpServers: { [serverName]: { command: "agent-hub", args: ["mcp"], env } } }, [
          "~/Library/Application Support/Claude/claude_desktop_config.json",
          "%APPDATA%\\Claude\\claude_desktop_config.json",
          "~/.config/Claude/claude_desktop_config.json",
        ]),
      ];
    }
    case "other":
      return [
        text("address", mcp),
        text("header", `Authorization: Bearer ${token}`),
        sh("program", `HUB_URL=${word(base)} HUB_TOKEN=${quoted(token)} agent-hub mcp`),
        listTools(values),
      ];
  }
}

/** Asks the hub for its tools, to see whether address and token work. */
export function listTools({ mcp, token = tokenPlaceholder }: Pick<SnippetValues, "mcp" | "token">): Snippet {
  const headers = [
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
  ];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const flags = headers.map((header) => `-H ${quoted(header)}`).join(" ");
  return sh("list-tools", `curl -s ${word(mcp)} ${flags} -d ${quoted(body)}`);
}

/** Reached from its own machine alone. */
export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? "";
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host);
}

function sh(name: Snippet["name"], command: string): Snippet {
  return { name, language: "sh", text: command, files: [] };
}

function text(name: Snippet["name"], value: string): Snippet {
  return { name, language: "text", text: value, files: [] };
}

function file(content: object, files: readonly string[]): Snippet {
  return { name: "file", language: "json", text: `${JSON.stringify(content, null, 2)}\n`, files };
}

/** One word of a POSIX shell, whatever is in it. */
function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

/** The same, bare where nothing in it means anything to a shell. */
function word(value: string): string {
  return /^[\w@%+:,./-]+$/.test(value) ? value : quoted(value);
}

// Double quotes are what every shell knows, Windows' too; they are kept to where nothing inside means anything to any.
function plain(value: string): string {
  return /^[\w@+:,./ -]+$/.test(value) ? `"${value}"` : quoted(value);
}

// JSON's escapes are TOML's, but for one character that TOML takes only escaped.
function tomlString(value: string): string {
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}

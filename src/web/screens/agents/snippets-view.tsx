// What to paste, and where, for one client; the token stands in it while it is known (web-app.md 6.17).
import { useMemo } from "preact/hooks";
import { type ClientName, isLoopback, type Snippet, snippetsOf } from "../../../shared/snippets.ts";
import { agentAddresses, hubSpec } from "../../data/hub.ts";
import { useResource } from "../../data/resource.ts";
import { copyText } from "../../parts/clipboard.ts";
import { CodeBlock } from "../../parts/copy-field.tsx";
import { note } from "../../parts/toasts.ts";
import { type KeyBinding, useKeys } from "../../shell/keys.ts";
import { agentsText } from "../../text/en-agents.ts";

type SnippetsViewProps = {
  client: ClientName;
  token: string | undefined;
  /** The place around it says already that the token is gone. */
  isGoneSaid?: boolean;
  onCopied: () => void;
};

export function SnippetsView({ client, token, isGoneSaid = false, onCopied }: SnippetsViewProps) {
  const hub = useResource(hubSpec).value.value;
  const { mcp, base } = agentAddresses(hub);
  const snippets = snippetsOf(client, { mcp, base, token });
  const [first, ...rest] = snippets;
  const text = first?.text ?? "";
  useKeys(useMemo(() => copyKey(text, onCopied), [text, onCopied]));
  const isFolded = client === "claude-code";
  return (
    <div class="snippets">
      {first === undefined ? null : <SnippetView snippet={first} isMain onCopied={onCopied} />}
      {isFolded ? (
        <details>
          <summary>{agentsText.otherForm}</summary>
          <Snippets snippets={rest} onCopied={onCopied} />
        </details>
      ) : (
        <Snippets snippets={rest} onCopied={onCopied} />
      )}
      <p>{agentsText.after[client]}</p>
      {token === undefined && !isGoneSaid ? <p class="notice note">{agentsText.placeholder}</p> : null}
      <Warning mcp={mcp} />
    </div>
  );
}

function Snippets({ snippets, onCopied }: { snippets: readonly Snippet[]; onCopied: () => void }) {
  return (
    <>
      {snippets.map((snippet) => (
        <SnippetView key={snippet.name} snippet={snippet} onCopied={onCopied} />
      ))}
    </>
  );
}

type SnippetViewProps = { snippet: Snippet; isMain?: boolean; onCopied: () => void };

function SnippetView({ snippet, isMain = false, onCopied }: SnippetViewProps) {
  const { name, language, text, files } = snippet;
  const words = agentsText.snippets[name];
  return (
    <div class="snippet" data-snippet={name}>
      <p class="snippet-words">
        {words}
        {files.map((file) => (
          <code key={file} class="theirs">
            {file}
          </code>
        ))}
      </p>
      <CodeBlock label={words} text={text} language={language} isMain={isMain} onCopied={onCopied} />
      {language === "json" ? <p class="note faint">{agentsText.merge}</p> : null}
    </div>
  );
}

/** What the address means for whoever calls it. */
function Warning({ mcp }: { mcp: string }) {
  if (isLoopback(mcp)) return <p class="note faint">{agentsText.localOnly}</p>;
  return mcp.startsWith("http:") ? <p class="note">{agentsText.readable}</p> : null;
}

function copyKey(text: string, onCopied: () => void): KeyBinding[] {
  async function copy(): Promise<void> {
    const isCopied = await copyText(text);
    if (isCopied) onCopied();
    note(isCopied ? agentsText.snippetCopied : agentsText.copyByHand);
  }
  // Its note says what became of it.
  return [{ keys: "y", words: agentsText.copySnippet, run: () => void copy() }];
}

// Hub and about: the way to the rest of the house, and the facts for a report of a defect (web-app.md 6.19).

import { useState } from "preact/hooks";
import { hubSpec } from "../../data/hub.ts";
import { useResource } from "../../data/resource.ts";
import { addressOf } from "../../data/scope.ts";
import { Glyph } from "../../glyphs/glyph.tsx";
import { Button } from "../../parts/button.tsx";
import { copyText } from "../../parts/clipboard.ts";
import { CodeBlock, CopyField } from "../../parts/copy-field.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { note } from "../../parts/toasts.ts";
import { useMedia } from "../../parts/use-media.ts";
import { ConnectionLine } from "../../shell/connection.tsx";
import { HouseLinks } from "../../shell/house.tsx";
import { LoadedContent } from "../../shell/load-states.tsx";
import { PlainScreen } from "../../shell/screen.tsx";
import { hubText } from "../../text/en-hub.ts";
import { shellText } from "../../text/en-shell.ts";
import { BackupPart } from "./backup-part.tsx";
import { type Fact, factsOf, limitsOf } from "./facts.ts";
import { healthSpec } from "./health.ts";

/** From here on the menu is in the column. */
const hasColumn = "(min-width: 1024px)";

export function Hub() {
  const hub = useResource(hubSpec);
  return (
    <PlainScreen title={hubText.title} state={hub.state.value}>
      {useMedia(hasColumn) ? null : <Menu />}
      <section class="about">
        <div class="about-head">
          <h2>{hubText.about}</h2>
          <ConnectionLine />
        </div>
        <Facts />
      </section>
    </PlainScreen>
  );
}

function Menu() {
  return (
    <nav aria-label={shellText.house}>
      <ul class="link-rows">
        <HouseLinks />
      </ul>
    </nav>
  );
}

function Facts() {
  const hub = useResource(hubSpec);
  const health = useResource(healthSpec).value.value;
  return (
    <LoadedContent resource={hub} what={hubText.what} skeleton={<Skeleton shape="prose" amount={3} />}>
      {(value) => {
        const facts = factsOf(value, health);
        const limits = limitsOf(value);
        return (
          <>
            <div class="about-address">
              <p class="small-head">{hubText.mcp}</p>
              <CopyField label={hubText.mcp} value={value.mcp_url} />
            </div>
            <FactList facts={facts} />
            <h3>{hubText.limits}</h3>
            <FactList facts={limits} />
            <Acts facts={[...facts, ...limits]} />
            <h3>{hubText.backups}</h3>
            <BackupPart isConfigured={value.features.backups} />
          </>
        );
      }}
    </LoadedContent>
  );
}

function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts wide-facts">
      {facts.map((fact) => (
        <div key={fact.name}>
          <dt>{fact.name}</dt>
          <dd class={`theirs${fact.isData === true ? " data" : ""}`}>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Acts({ facts }: { facts: readonly Fact[] }) {
  const [shown, setShown] = useState<string | undefined>(undefined);
  async function copy(): Promise<void> {
    const text = facts
      .filter((fact) => fact.isPrivate !== true)
      .map(({ name, value }) => `${name}: ${value}`)
      .join("\n");
    const isCopied = await copyText(text);
    // Where the clipboard is closed the text itself is offered.
    setShown(isCopied ? undefined : text);
    if (isCopied) note(hubText.diagnosticsCopied);
  }
  return (
    <>
      <div class="control-line">
        <Button glyph="copy" onClick={() => void copy() /* its note tells */}>
          {hubText.copyDiagnostics}
        </Button>
        <a class="button quiet" href={addressOf("bootstrap/SKILL.md")} download="SKILL.md">
          <Glyph name="download" size={18} />
          {hubText.guide}
        </a>
      </div>
      {shown === undefined ? null : <CodeBlock label={hubText.diagnosticsLabel} text={shown} />}
    </>
  );
}

// Agents and access: who may call the hub, with what, into where (web-app.md 6.17).
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { AgentView } from "../../../shared/views.ts";
import { agentAddresses, hubSpec } from "../../data/hub.ts";
import { useResource } from "../../data/resource.ts";
import { agentList } from "../../items/agents.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { CodeBlock } from "../../parts/copy-field.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { createSteadyList, isUnderHand } from "../../parts/steady-list.ts";
import { useKeys } from "../../shell/keys.ts";
import { LoadedContent } from "../../shell/load-states.tsx";
import { Panes } from "../../shell/panes.tsx";
import { routeText } from "../../shell/route.ts";
import { arrivedBy, go } from "../../shell/router.ts";
import { PlainScreen } from "../../shell/screen.tsx";
import type { ScreenProps } from "../../shell/screens.ts";
import { agentsText } from "../../text/en-agents.ts";
import { inboxText } from "../../text/en-inbox.ts";
import { moveFocus } from "../inbox/row-focus.ts";
import { AgentDetail } from "./agent-detail.tsx";
import { AgentRow } from "./agent-row.tsx";
import { ConfidentialPart } from "./confidential-part.tsx";
import { forgetToken } from "./fresh-token.ts";
import { NewAgent } from "./new-agent.tsx";
import { UncopiedToken } from "./uncopied-token.tsx";
import { isFocusLost, useFocusHeir } from "./use-focus-heir.ts";

export function Agents({ params }: ScreenProps) {
  const [isAdding, setAdding] = useState(false);
  const resource = agentList();
  useEffect(() => resource.hold(), [resource]);
  useEffect(() => forgetToken, []);
  const openId = params["agent"];
  const list = useRef<HTMLDivElement>(null);
  useListKeys(list, openId, () => setAdding(true));
  return (
    <PlainScreen
      title={agentsText.title}
      shape="wide"
      state={resource.state.value}
      head={
        <IconButton glyph="plus" label={agentsText.newAgent} aria-haspopup="dialog" onClick={() => setAdding(true)} />
      }
    >
      <Panes
        label={agentsText.pane}
        list={
          <div ref={list} class="agent-list">
            <LoadedContent resource={resource} what={agentsText.what} skeleton={<Skeleton shape="row" amount={4} />}>
              {({ agents }) => <AgentLists agents={agents} openId={openId} onNew={() => setAdding(true)} list={list} />}
            </LoadedContent>
          </div>
        }
        rest={<Empty glyph="agent" title={agentsText.chooseOne} sentence={agentsText.chooseHint} />}
        detail={openId === undefined ? undefined : <OpenAgent id={openId} />}
      />
      {isAdding ? (
        <NewAgent
          onMade={(id) => {
            setAdding(false);
            go(routeText(["agents", id]));
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
      <UncopiedToken />
    </PlainScreen>
  );
}

type AgentListsProps = {
  agents: readonly AgentView[];
  openId: string | undefined;
  onNew: () => void;
  list: { current: HTMLElement | null };
};

function AgentLists({ agents, openId, onNew, list }: AgentListsProps) {
  const steady = useMemo(() => createSteadyList<AgentView>(({ id }) => id), []);
  useLayoutEffect(() => {
    if (openId !== undefined) steady.admit(openId);
    steady.offer(agents.toSorted(byStanding), isUnderHand(list.current, list.current?.parentElement ?? null));
  }, [agents, openId]);
  const shown = steady.shown.value;
  const fresh = steady.fresh.value;
  useFocusHeir(list, fresh === 0);
  const stop = shown.some(({ id }) => id === openId) ? openId : shown[0]?.id;
  if (agents.length === 0) return <NoAgents onNew={onNew} />;
  return (
    <>
      {fresh === 0 ? null : (
        <Button look="quiet" isWide onClick={steady.showFresh}>
          {inboxText.fresh(fresh)}
        </Button>
      )}
      <section class="group" aria-label={agentsText.list}>
        <div class="rows">
          <div>
            {shown.map((agent) => (
              <AgentRow key={agent.id} agent={agent} isShown={agent.id === openId} isStop={agent.id === stop} />
            ))}
          </div>
        </div>
      </section>
      <ConfidentialPart agents={agents} />
      <AskingIn />
    </>
  );
}

/** Who waits comes first; the others stand by name, so that no call moves a row. */
function byStanding(one: AgentView, other: AgentView): number {
  if (one.state !== other.state) return one.state === "pending" ? -1 : 1;
  return one.display_name.localeCompare(other.display_name);
}

function NoAgents({ onNew }: { onNew: () => void }) {
  return (
    <>
      <Empty
        glyph="agent"
        title={agentsText.empty}
        sentence={agentsText.emptySentence}
        action={
          <Button look="solid" glyph="plus" onClick={onNew} aria-haspopup="dialog">
            {agentsText.newAgent}
          </Button>
        }
      />
      <ConfidentialPart agents={[]} />
      <AskingIn />
    </>
  );
}

/** The way in that starts with the agent. */
function AskingIn() {
  const hub = useResource(hubSpec).value.value;
  if (hub === undefined) return null;
  return (
    <div class="asking-in">
      <p class="note faint">{hub.features.enrol ? agentsText.enrolOpen : agentsText.enrolClosed}</p>
      {hub.features.enrol ? (
        <CodeBlock
          label={agentsText.askCommand}
          text={`agent-hub enrol --url ${agentAddresses(hub).base}`}
          language="sh"
        />
      ) : null}
    </div>
  );
}

function OpenAgent({ id }: { id: string }) {
  const resource = agentList();
  const isThere = resource.value.value?.agents.some((each) => each.id === id) === true;
  const pane = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isThere || arrivedBy() === "load") return;
    // After what brought here has let go of the focus: a dialog, or a row that this took the place of.
    const timer = setTimeout(() => {
      if (isFocusLost()) pane.current?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [id, isThere]);
  return (
    <div ref={pane} class="agent-detail">
      <div class="detail-bar">
        <Button look="quiet" glyph="back" data-close onClick={() => go("/agents")}>
          {agentsText.back}
        </Button>
      </div>
      <LoadedContent
        resource={resource}
        what={agentsText.one}
        skeleton={<Skeleton shape="prose" />}
        parent={{ words: agentsText.list, to: "/agents" }}
      >
        {({ agents }) => <Found agent={agents.find((each) => each.id === id)} />}
      </LoadedContent>
    </div>
  );
}

function Found({ agent }: { agent: AgentView | undefined }) {
  if (agent !== undefined) return <AgentDetail agent={agent} />;
  return (
    <Empty glyph="agent" title={agentsText.gone} action={<a href={`#${routeText(["agents"])}`}>{agentsText.list}</a>} />
  );
}

function useListKeys(list: { current: HTMLElement | null }, openId: string | undefined, add: () => void): void {
  const latest = useRef({ openId, add });
  latest.current = { openId, add };
  useKeys(
    useCallback(() => {
      const here = latest.current;
      const move = (by: 1 | -1) => () => moveFocus(list.current, here.openId, by);
      const close = { keys: "u", words: agentsText.list, run: () => go("/agents") };
      return [
        { keys: "n", words: agentsText.keysNew, run: here.add },
        { keys: "j", words: inboxText.keys.next, run: move(1) },
        { keys: "k", words: inboxText.keys.previous, run: move(-1) },
        ...(here.openId === undefined ? [] : [close]),
      ];
    }, []),
  );
}

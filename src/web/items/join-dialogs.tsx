// The two dialogs of a request to join. The name may be changed on the way in, the id never.
import { useState } from "preact/hooks";
import { nameChars } from "../../shared/limits.ts";
import type { AgentView, InboxItemView } from "../../shared/views.ts";
import { problemWords } from "../../shared/words.ts";
import { call } from "../data/call.ts";
import { CallFailed, noAnswer } from "../data/call-failed.ts";
import { projectListSpec } from "../data/projects.ts";
import { useResource } from "../data/resource.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { note } from "../parts/toasts.ts";
import { itemText } from "../text/en-items.ts";
import { agentList } from "./agents.ts";
import { tellDeparture } from "./departures.ts";
import { isOffline } from "./holds.ts";
import { askedToJoin } from "./join-card.tsx";

/** The open dialog, apart from the row it came from: a request decided elsewhere leaves the list, and the dialog says so. */
export function JoinDialog() {
  const open = askedToJoin.value;
  if (open === undefined) return null;
  const close = () => {
    askedToJoin.value = undefined;
  };
  const View = open.kind === "admit" ? AdmitDialog : RefuseDialog;
  return <View item={open.item} agent={open.agent} onClose={close} />;
}

type JoinDialogProps = { item: InboxItemView; agent: AgentView; onClose: () => void };

function AdmitDialog({ item, agent, onClose }: JoinDialogProps) {
  const [name, setName] = useState(agent.display_name);
  const [doesShare, setShare] = useState(true);
  const [open, setOpen] = useState<readonly string[]>([]);
  const { run, isBusy, refusal } = useDecision(item, itemText.admitted, onClose);
  const projects = useResource(projectListSpec).value.value?.projects.filter(
    (project) => project.confidential && !project.is_personal,
  );
  const send = () =>
    run(() =>
      call("admitAgent", {
        params: { agent_id: agent.id },
        body: { display_name: name.trim(), share: doesShare, projects: open },
      }),
    );
  return (
    <Dialog
      title={itemText.admitTitle(agent.id)}
      shape="sheet"
      isBusy={isBusy}
      holdsWords={name.trim() !== agent.display_name}
      onClose={onClose}
      foot={
        <>
          <Button autofocus onClick={onClose}>
            {itemText.cancel}
          </Button>
          <Button look="solid" isBusy={isBusy} onClick={send}>
            {itemText.admitDo}
          </Button>
        </>
      }
    >
      <p>{itemText.joinMeans}</p>
      <div class="field">
        <label for="admit-name">{itemText.joinName}</label>
        <input
          id="admit-name"
          value={name}
          maxLength={nameChars}
          dir="auto"
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <dl class="facts">
        <dt>{itemText.joinIdFixed}</dt>
        <dd class="data theirs">{agent.id}</dd>
      </dl>
      {projects === undefined || projects.length === 0 ? null : (
        <fieldset class="checks">
          <legend>{itemText.joinProjects}</legend>
          {projects.map((project) => (
            <label key={project.id}>
              <input
                type="checkbox"
                checked={open.includes(project.id)}
                onChange={({ currentTarget }) =>
                  setOpen(currentTarget.checked ? [...open, project.id] : open.filter((id) => id !== project.id))
                }
              />
              <span class="theirs" dir="auto">
                {project.display_name}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <fieldset class="checks">
        <label>
          <input type="checkbox" checked={doesShare} onChange={(event) => setShare(event.currentTarget.checked)} />
          <span>{itemText.joinKeepToken}</span>
        </label>
      </fieldset>
      <Refusal words={refusal} />
    </Dialog>
  );
}

function RefuseDialog({ item, agent, onClose }: JoinDialogProps) {
  const { run, isBusy, refusal } = useDecision(item, itemText.refused(agent.id), onClose);
  return (
    <Dialog
      title={itemText.refuseTitle(agent.id)}
      isBusy={isBusy}
      onClose={onClose}
      foot={
        <>
          <Button autofocus onClick={onClose}>
            {itemText.keepWaiting}
          </Button>
          <Button
            look="destroy"
            isBusy={isBusy}
            onClick={() => run(() => call("refuseAgent", { params: { agent_id: agent.id } }))}
          >
            {itemText.refuseDo}
          </Button>
        </>
      }
    >
      <p>{itemText.refuseSentence}</p>
      <Refusal words={refusal} />
    </Dialog>
  );
}

function Refusal({ words }: { words: string | undefined }) {
  return words === undefined ? null : (
    <p class="refusal" role="alert">
      {words}
    </p>
  );
}

function useDecision(item: InboxItemView, done: string, onClose: () => void) {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  async function decide(send: () => Promise<unknown>): Promise<void> {
    if (isOffline()) return setRefusal(itemText.offline);
    setBusy(true);
    try {
      await send();
      onClose();
      note(done);
      tellDeparture({ id: item.event_id, to: "gone" });
      void agentList().refresh(); // its state tells
    } catch (error) {
      setRefusal(refusalWords(error instanceof CallFailed ? error : noAnswer(error)));
    }
    setBusy(false);
  }
  // The dialog shows what became of it.
  return { run: (send: () => Promise<unknown>) => void decide(send), isBusy, refusal };
}

function refusalWords({ kind, code, detail, details }: CallFailed): string {
  if (kind !== "problem") return itemText.notSent;
  // No longer pending, or no longer there: another device was faster.
  if (code === "conflict" || code === "not_found") return `${itemText.joinGone} ${detail}`;
  return problemWords({ code, detail, details });
}

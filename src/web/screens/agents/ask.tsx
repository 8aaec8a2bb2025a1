// Asks before something that cannot be taken back: what goes is named, the safe choice has the focus (web-app.md 4.5).
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Refusal } from "./refusal.tsx";
import { useAct } from "./use-act.ts";

type AskProps = {
  title: string;
  sentence: string;
  safe: string;
  act: string;
  /** `destroy` for what takes something away. */
  look?: "solid" | "destroy";
  /** Closes with its success. */
  run: () => Promise<unknown>;
  onClose: () => void;
};

export function Ask({ title, sentence, safe, act, look = "destroy", run, onClose }: AskProps) {
  const asked = useAct();
  return (
    <Dialog
      title={title}
      isBusy={asked.isBusy}
      onClose={onClose}
      foot={
        <>
          <Button autofocus onClick={onClose}>
            {safe}
          </Button>
          <Button look={look} isBusy={asked.isBusy} onClick={() => asked.run(() => run().then(onClose))}>
            {act}
          </Button>
        </>
      }
    >
      <p>{sentence}</p>
      <Refusal words={asked.refusal} />
    </Dialog>
  );
}

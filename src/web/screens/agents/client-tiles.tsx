// What an agent runs in, one of seven: radio semantics, arrow keys.
import { useId } from "preact/hooks";
import { type ClientName, clientNames } from "../../../shared/snippets.ts";
import { agentsText } from "../../text/en-agents.ts";

type ClientTilesProps = { value: ClientName; onChoose: (client: ClientName) => void };

export function ClientTiles({ value, onChoose }: ClientTilesProps) {
  const name = useId();
  return (
    <fieldset class="client-tiles" aria-label={agentsText.client}>
      {clientNames.map((client) => (
        <label key={client}>
          <input
            type="radio"
            class="unseen-by-eye"
            name={name}
            checked={client === value}
            onChange={() => onChoose(client)}
          />
          <span>{agentsText.clients[client]}</span>
        </label>
      ))}
    </fieldset>
  );
}

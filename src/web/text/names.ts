// Names of agents and projects, and ids that stand in for a name.
import { hubActor, operatorActor } from "../../shared/ids.ts";

/** `01JQ4T…9ZKX`: enough of both ends to tell two ids apart. */
export function middleCut(id: string): string {
  const letters = [...id];
  return letters.length <= 14 ? id : `${letters.slice(0, 6).join("")}…${letters.slice(-4).join("")}`;
}

/** Who did it, as a word of a sentence. */
export function actorName(actor: string): string {
  if (actor === operatorActor) return "you";
  return actor === hubActor ? "the hub" : actor;
}

/** Display name, or the id when it has none. */
export function projectName(item: { project_id: string; project_display_name: string | null }): string {
  return item.project_display_name ?? middleCut(item.project_id);
}

/** First letter of a name, for its tile. */
export function initial(name: string): string {
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? "·";
  return letter.toLocaleUpperCase();
}

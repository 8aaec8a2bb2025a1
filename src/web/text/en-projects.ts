// Copy of the list of projects, of a project's head, and of its settings.
import { bytes } from "./bytes.ts";
import { count, counted } from "./count.ts";
import { placeText } from "./en-places.ts";
import { withTheirs } from "./with-theirs.ts";

export const projectsText = {
  title: placeText.projects,
  what: "the projects",
  new: "New project",
  keyNew: "New project",
  filter: "Filter projects",
  noMatch: "No project matches.",
  sort: "Sort",
  sorts: { recent: "Recent", name: "Name", size: "Size" },
  columns: {
    name: "Name",
    news: "Waiting or new",
    last: "Last write",
    holds: "Holds",
    size: "Size",
  },
  waiting: (amount: number) => `${count(amount)} waiting`,
  unseen: (amount: number) => `${count(amount)} new`,
  atWork: (amount: number) => `${count(amount)} at work`,
  holds: (artifacts: number, sessions: number, pages: number) =>
    [
      ...(artifacts === 0 ? [] : [counted(artifacts, "artifact", "artifacts")]),
      ...(sessions === 0 ? [] : [counted(sessions, "session", "sessions")]),
      ...(pages === 0 ? [] : [counted(pages, "page", "pages")]),
    ].join(" · "),
  confidential: "confidential",
  personal: (amount: number) => `Agents' own spaces (${count(amount)})`,
  empty: "No projects yet.",
  emptySentence: "A project is a feed, its artifacts, sessions and knowledge.",

  name: "Name",
  id: "Id",
  changeId: "Change id",
  idHelp: "Letters, digits, - and _; at most 64. It can't be changed later.",
  idReserved: "Ids that begin with space- belong to agents.",
  idMalformed: "An id begins with a letter or digit and holds only letters, digits, - and _, at most 64.",
  nameMissing: "A project needs a name.",
  confidentialLabel: "Confidential",
  confidentialMeans: "Only you and the agents you name can find it or read it.",
  openMeans: "Every admitted agent can read it and write to it.",
  create: "Create project",
  cancel: "Cancel",
  taken: (id: string) => `The id ${id} is taken.`,
  useFree: (id: string) => `Use ${id}`,

  sections: "Sections of the project",
  tabs: { feed: "Feed", artifacts: "Artifacts", sessions: "Sessions", knowledge: "Knowledge" },
  settings: "Project settings",
} as const;

type Held = {
  events: number;
  artifacts: number;
  sessions: number;
  pages: number;
  bytes: number | undefined;
};

export const settingsText = {
  title: (name: string) => withTheirs`Settings of ${name}`,
  heading: "Project settings",
  what: "the project",
  name: "Name",
  save: "Save",
  saved: "Saved.",
  nameMissing: "A project needs a name.",
  id: "Id",
  fixed: "fixed",
  access: "Who may enter",
  agentsLink: "Agents and access",
  openAsk: (name: string) => withTheirs`Open ${name} to every agent?`,
  /** Every one of them, by their number where it is known. */
  openSentence: (agents: number | undefined) => {
    const who = agents === undefined || agents === 0 ? "Every admitted agent" : `All ${count(agents)} admitted agents`;
    return `${agents === 1 ? "The one admitted agent" : who} can then find it, read all of it and write to it.`;
  },
  openDo: "Open to every agent",
  keepConfidential: "Keep it confidential",
  nowConfidential: "Confidential from now on.",
  nowOpen: "Open to every admitted agent.",
  holds: "What it holds",
  created: "Created",
  owner: "Own space of",
  unknown: "unknown",
  amounts: {
    events: "Events",
    artifacts: "Artifacts",
    sessions: "Sessions",
    pages: "Pages",
    size: "Size",
  },

  delete: "Delete this project",
  deleteDo: "Delete project",
  deletePress: "Delete project…",
  deleteWords: "Everything in it goes, for you and for every agent. There is no way back.",
  personal: (agent: string) =>
    withTheirs`This is the own space of ${agent}. It goes when the agent goes, and not before.`,
  deleteAsk: (name: string) => withTheirs`Delete ${name}?`,
  deleteAmounts: (held: Held) =>
    `${[
      counted(held.events, "event", "events"),
      counted(held.artifacts, "artifact", "artifacts"),
      counted(held.sessions, "session", "sessions"),
      counted(held.pages, "page", "pages"),
      ...(held.bytes === undefined ? [] : [bytes(held.bytes)]),
    ].join(", ")}.`,
  deleteWaiting: (waiting: number) =>
    waiting === 1
      ? "One thing that waits for you is dropped."
      : `${count(waiting)} things that wait for you are dropped.`,
  deleteUnknown: "How much it holds is unknown.",
  typeId: "to delete",
  type: "Type",
  cantUndo: "This can't be undone.",
  keep: "Keep the project",
  deleted: (name: string) => withTheirs`Deleted ${name}.`,
  leaveAsk: "Leave without saving the name?",
  leaveSentence: (name: string) => withTheirs`The new name, ${name}, isn't saved.`,
  leaveDo: "Leave without saving",
  stay: "Stay here",
} as const;

// Copy of Home.
import { bytes } from "./bytes.ts";
import { count, counted } from "./count.ts";

export const homeText = {
  title: "Home",
  word: "Home",
  what: "Home",
  headline: (waiting: number) => {
    if (waiting === 0) return "Nothing waits for you.";
    return waiting === 1 ? "One thing waits for you." : `${count(waiting)} things wait for you.`;
  },
  ready: "Your hub is ready.",
  silent: "no agent has spoken yet",
  atWorkCount: (agents: number) => `${counted(agents, "agent", "agents")} at work`,
  unreadCount: (unread: number) => `${count(unread)} unread`,
  lastWord: (ago: string) => `last word ${ago}`,
  emptyTitle: "No agent has spoken yet.",
  emptySentence: "What your agents ask, finish and publish appears here.",
  connect: "Connect an agent",

  finished: "First steps",
  finishedTitle: "Your first agent is at work",
  finishedMore: "Get notified, install the app, put it on your phone.",
  dismiss: "Dismiss: First steps",

  fresh: (amount: number) => `${count(amount)} new`,
  waiting: "Waiting",
  moreWaiting: (amount: number) => `${count(amount)} more in the inbox`,
  atWork: "At work",
  quietFor: (time: string) => `quiet for ${time}`,
  unseen: "New since you looked",
  newEvents: (amount: number) => counted(amount, "new event", "new events"),
  recent: "Recent",

  housekeeping: "Housekeeping",
  used: (used: number) => `${bytes(used)} used`,
  usedOf: (used: number, capacity: number) => `${bytes(used)} of ${bytes(capacity)}`,
  prunable: (amount: number) => `pruning would free ${bytes(amount)}`,
  review: (pages: number) => `${counted(pages, "page needs", "pages need")} review`,
} as const;

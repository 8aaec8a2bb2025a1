// What an event says in one line: who, what they did, and the object in their own words.

export const eventText = {
  verbs: {
    signal: "reported:",
    finished: "finished:",
    question: "asked:",
    answer: "answered:",
    approval: "asked for approval:",
    artifact: "",
    session: "",
    idea: "had an idea:",
    system: "",
  },
  joins: "asked to join",
  approved: "approved:",
  declined: "declined:",
  approvedAtDeadline: "approved at its deadline:",
  declinedAtDeadline: "declined at its deadline:",
  closedUnanswered: "closed unanswered:",
  artifact: { published: "published", updated: "updated", deleted: "deleted" },
  session: {
    started: "started session",
    ended: "ended session",
    adopted: "picked up session",
    forked: "forked session",
    reassigned: "handed over session",
  },
  from: (agent: string) => `from ${agent}`,
  to: (agent: string) => `to ${agent}`,
  unseen: "Unseen",
} as const;

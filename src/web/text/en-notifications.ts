// Copy of notifications: what they say, and their settings.
import type { ItemKind } from "../../shared/views.ts";
import { counted } from "./count.ts";

export const notifyText = {
  needsYou: (name: string) => `${name} needs you`,
  asks: {
    approval: (agent: string) => `${agent} asks for approval`,
    question: (agent: string) => `${agent} asks a question`,
    finished: (agent: string) => `${agent} finished something`,
  } satisfies Record<ItemKind, (agent: string) => string>,
  joins: (agent: string) => `${agent} asks to join`,
  // A line of its own: what agents write may run from the right.
  withWords: (what: string, words: string) => `${what}:\n${words}`,
  many: (amount: number) => counted(amount, "thing waits", "things wait"),
  inbox: (hub: string) => `In the inbox of ${hub}`,
  approvesItself: (minutes: number, what: string) => `Approves itself in ${minutes} min: ${what}`,
  testTitle: "Notifications work here",
  testBody: (hub: string) => `${hub} says so when something starts to wait.`,

  device: "On this device",
  deviceSwitch: "Notify me on this device",
  states: {
    unasked: "Not asked",
    on: "On",
    off: "Off",
    blocked: "Blocked",
    unsupported: "Not supported here",
    insecure: "Needs https",
  },
  stateHints: {
    unasked: "The browser asks once you switch it on.",
    on: "When something starts to wait while the app is open and out of sight.",
    off: "When something starts to wait while the app is open and out of sight.",
    blocked: "Allow it in the browser's site settings, then check again.",
    unsupported: "This browser shows none. On an iPhone or iPad, put the app on the Home Screen first.",
    insecure: "Open the hub at an https address, or on localhost.",
  },
  checkAgain: "Check again",
  words: "Show what it says",
  wordsHint: "Off, a notification names the project, the agent and the kind, and nothing of the text.",
  reminder: "Deadline reminder",
  reminderHint: "Once, ten minutes before something approves itself.",
  quiet: "Quiet hours",
  quietHint: "No notifications then. The lamp stays as it is.",
  quietFrom: "From",
  quietTo: "To",
  sent: "What is sent",
  sentWords: "Nothing leaves this device: the app itself shows it, as long as it is open in some tab.",
  test: "Show one now",
  testShown: "Shown.",
  testFailed: "This browser didn't show it.",
} as const;

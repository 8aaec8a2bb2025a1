// Copy of the frame around every screen, of its states, and of Connect.
import { count } from "./count.ts";
import { withTheirs } from "./with-theirs.ts";

export const shellText = {
  appName: "Agent Hub",
  skip: "Skip to content",
  places: "Main",
  alsoWaiting: (waiting: number) => `, ${count(waiting)} waiting`,
  alsoNew: (unseen: number) => `, ${count(unseen)} new`,
  alsoAtWork: (agents: number) => `, ${count(agents)} at work`,
  moreProjects: (amount: string) => `${amount} more`,
  title: (waiting: number, page: string, hub: string) =>
    withTheirs`${waiting === 0 ? "" : `(${count(waiting)}) `}${page} · ${hub}`,

  live: "Live",
  polling: "Checking every 15 s",
  reconnecting: "Reconnecting",
  offlineSince: (time: string) => `Offline since ${time}`,
  restarting: "Hub restarting",
  starting: "Connecting",

  newerApp: "A newer app is ready",
  useIt: "Use it",
  hubUpdated: "The hub was updated. Reload to match.",
  reload: "Reload",

  tokenRefused: "The hub doesn't take this device's token any more.",
  signInAgain: "Sign in again",

  hub: "Hub",
  house: "The rest of the house",
  agents: "Agents and access",
  storage: "Storage",
  settings: "Settings",
  signOut: "Sign out",
  signOutAsk: "Sign out on this device?",
  signOutWords: (drafts: number) =>
    `This device forgets the token, its snapshot${drafts === 0 ? "" : ` and ${count(drafts)} ${drafts === 1 ? "draft" : "drafts"}`}. Agents and other devices are unaffected.`,
  stay: "Stay signed in",

  keysTitle: "Keys of this screen",
  keysGo: (word: string) => `Go to ${word}`,
  keysHelp: "Show this list",
  keysUndo: "Undo",
  keysDismiss: "Put the message away",
  keysToast: "Move to the message",
  splitter: "Width of the list",
  back: (to: string) => `Back to ${to}`,

  couldNotLoad: (what: string) => `Couldn't load ${what}.`,
  couldNotRefresh: (time: string) => `Couldn't refresh · shown as of ${time}`,
  offlineSnapshot: (time: string) => `Offline. This is what the hub said at ${time}.`,
  needsHub: "This screen needs the hub.",
  notHere: "This isn't here any more.",
  slow: "Still waiting for the hub",
  stop: "Stop",
  stopped: "Stopped. Nothing is loading.",
  busy: (seconds: number) => `The hub is busy; trying again in ${seconds} s.`,
  busyStopped: "The hub is busy.",
  offlineRefusal: "You're offline, so nothing was sent. Your words are kept.",
  nothingHere: "Nothing at this address",
  nothingHereFor: (address: string) => `No screen has the address ${address}.`,

  connectTitle: "Connect to the hub",
  connectPage: "Connect",
  tokenLabel: "Operator token",
  tokenWhere:
    "The admin token the hub was started with: HUB_ADMIN_TOKEN, admin_token in its configuration, or the file admin-token in its data directory.",
  keepConnected: "Keep me connected on this device",
  connect: "Connect",
  showToken: "Show",
  hideToken: "Hide",
  operator: "operator",
  plainHttp: "Your token will cross this network unencrypted.",
  noHub: (address: string) => `No hub answers at this address: ${address}`,
  refusedToken: (detail: string) => `The hub doesn't know this token: ${detail}.`,
  agentToken: "That token belongs to an agent. This app needs the operator's.",
  refusedAddress: "The hub refuses calls made at this address. Its public_url or allowed_hosts must name it.",
  tokenMissing: "Type or paste the token first.",
  notKept: "This browser won't keep the token; you'll be asked again next time.",
} as const;

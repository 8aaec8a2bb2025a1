// Every screen by its route, in one table; the first pattern that fits counts. What is not here cannot be reached and is
// not listed: a destination appears in the navigation with its screen.
import type { FunctionComponent } from "preact";
import type { GlyphName } from "../glyphs/drawings.ts";
import { Home } from "../screens/home/home.tsx";
import { Inbox } from "../screens/inbox/inbox.tsx";
import { homeText } from "../text/en-home.ts";
import { inboxText } from "../text/en-inbox.ts";
import { placeText } from "../text/en-places.ts";
import { shellText } from "../text/en-shell.ts";
import { matchRoute, type Route, type RouteParams } from "./route.ts";

export type ScreenProps = { params: RouteParams; query: URLSearchParams };

export type Screen = {
  /** `data-screen`. */
  name: string;
  pattern: string;
  /** One chunk each; what is part of the first download resolves at once. */
  load: () => Promise<FunctionComponent<ScreenProps>>;
  /** The destination it is part of, which is then the current one. */
  within?: string;
  /** `g` and its key lead there. */
  destination?: { word: string; glyph: GlyphName; to: string; key?: string };
  /** The same for what is no destination. */
  jump?: { word: string; to: string; key: string };
  /** Shown without a token, and without the frame around it. */
  isOutside?: true;
};

const screens: readonly Screen[] = [
  {
    name: "home",
    pattern: "",
    load: async () => Home,
    destination: { word: homeText.word, glyph: "home", to: "/", key: "h" },
  },
  {
    name: "inbox",
    pattern: "inbox/:event?",
    load: async () => Inbox,
    destination: { word: inboxText.word, glyph: "inbox", to: "/inbox", key: "i" },
  },
  {
    name: "projects",
    pattern: "projects",
    load: async () => (await import("../screens/projects/projects.tsx")).Projects,
    destination: { word: placeText.projects, glyph: "projects", to: "/projects", key: "p" },
  },
  {
    name: "feed",
    pattern: "p/:project/feed/:event?",
    load: async () => (await import("../screens/feed/feed.tsx")).Feed,
    within: "projects",
  },
  {
    name: "project-settings",
    pattern: "p/:project/settings",
    load: async () => (await import("../screens/project-settings/project-settings.tsx")).ProjectSettings,
    within: "projects",
  },
  {
    name: "start",
    pattern: "start",
    load: async () => (await import("../screens/start/start.tsx")).Start,
  },
  {
    name: "agents",
    pattern: "agents/:agent?",
    load: async () => (await import("../screens/agents/agents.tsx")).Agents,
    within: "hub",
    jump: { word: shellText.agents, to: "/agents", key: "a" },
  },
  {
    name: "settings",
    pattern: "settings",
    load: async () => (await import("../screens/settings/settings.tsx")).Settings,
    within: "hub",
  },
  {
    name: "hub",
    pattern: "hub",
    load: async () => (await import("../screens/hub/hub.tsx")).Hub,
    destination: { word: shellText.hub, glyph: "hub", to: "/hub" },
  },
  {
    name: "connect",
    pattern: "connect",
    load: async () => (await import("../screens/connect/connect.tsx")).Connect,
    isOutside: true,
  },
];

export function findScreen(route: Route): { screen: Screen; params: RouteParams } | undefined {
  for (const screen of screens) {
    const params = matchRoute(screen.pattern, route);
    if (params !== undefined) return { screen, params };
  }
  return undefined;
}

export const destinations = screens.flatMap(({ name, destination }) =>
  destination === undefined ? [] : [{ name, ...destination }],
);

/** The destination a screen is, or belongs to. */
export function destinationOf(name: string): string {
  return screens.find((screen) => screen.name === name)?.within ?? name;
}

/** What `g` and a key lead to. */
export const jumps = screens.flatMap(({ destination, jump }) => {
  if (jump !== undefined) return [jump];
  return destination?.key === undefined ? [] : [{ ...destination, key: destination.key }];
});

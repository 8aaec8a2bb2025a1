// Every screen by its route, in one table; the first pattern that fits counts. What is not here cannot be reached and is
// not listed: a destination appears in the navigation with its screen.
import type { FunctionComponent } from "preact";
import type { GlyphName } from "../glyphs/drawings.ts";
import { Inbox } from "../screens/inbox/inbox.tsx";
import { inboxText } from "../text/en-inbox.ts";
import { matchRoute, type Route, type RouteParams } from "./route.ts";

export type ScreenProps = { params: RouteParams; query: URLSearchParams };

export type Screen = {
  /** `data-screen`. */
  name: string;
  pattern: string;
  /** One chunk each; what is part of the first download resolves at once. */
  load: () => Promise<FunctionComponent<ScreenProps>>;
  destination?: { word: string; glyph: GlyphName; to: string; key: string };
  /** Shown without a token, and without the frame around it. */
  isOutside?: true;
};

const screens: readonly Screen[] = [
  {
    name: "inbox",
    pattern: "inbox/:event?",
    load: async () => Inbox,
    destination: { word: inboxText.word, glyph: "inbox", to: "/inbox", key: "i" },
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

// Which screen is shown, and what stands in its place: Connect without a token, words where there is nothing.
import { Component, type ComponentChildren, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { token } from "../data/token.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { shellText } from "../text/en-shell.ts";
import { Announcer } from "./announcer.tsx";
import { Frame } from "./frame.tsx";
import { Reach } from "./reach.tsx";
import { parseRoute, type Route, routeText } from "./route.ts";
import { replace, route } from "./router.ts";
import { PlainScreen, ScreenName } from "./screen.tsx";
import { destinations, findScreen, type Screen, type ScreenProps } from "./screens.ts";

export function App() {
  const here = route.value;
  const isSignedIn = token.value !== undefined;
  const found = findScreen(here);
  const elsewhere = redirection(here, isSignedIn);
  useEffect(() => {
    if (elsewhere !== undefined) replace(elsewhere);
  }, [elsewhere]);
  if (elsewhere !== undefined) return null;
  const name = found?.screen.name ?? "not-found";
  const shown =
    found === undefined ? (
      <NotFound address={here.text} />
    ) : (
      <Lazy key={name} screen={found.screen} params={found.params} query={here.query} />
    );
  return (
    <ScreenName.Provider value={name}>
      <Reach.Provider value={canReach}>
        {found?.screen.isOutside === true ? shown : <Frame current={name}>{shown}</Frame>}
      </Reach.Provider>
      <Announcer />
    </ScreenName.Provider>
  );
}

function canReach(to: string): boolean {
  return findScreen(parseRoute(to)) !== undefined;
}

/** Where this visit belongs instead: to Connect, or from it to where it was going. */
function redirection(here: Route, isSignedIn: boolean): string | undefined {
  const meant = meantBy(here);
  if (meant !== undefined) return meant;
  const isOutside = findScreen(here)?.screen.isOutside === true;
  if (!isSignedIn) return isOutside ? undefined : routeText(["connect"], { next: here.text === "/" ? "" : here.text });
  if (isOutside) return nextRoute(here.query.get("next")) ?? "/";
  // The first destination is where an empty address leads.
  const [first] = destinations;
  return here.segments.length === 0 && findScreen(here) === undefined ? first?.to : undefined;
}

// A project by the name of their list: its feed, or the place of it that was written behind.
function meantBy({ segments, query }: Route): string | undefined {
  const [list, project, ...rest] = segments;
  if (list !== "projects" || project === undefined) return undefined;
  const to = routeText(["p", project, ...(rest.length === 0 ? ["feed"] : rest)], Object.fromEntries(query));
  return canReach(to) ? to : undefined;
}

// Followed only as a place of this app, and never back to Connect.
function nextRoute(next: string | null): string | undefined {
  if (next === null || !next.startsWith("/")) return undefined;
  const found = findScreen(parseRoute(next));
  return found === undefined || found.screen.isOutside === true ? undefined : next;
}

function NotFound({ address }: { address: string }) {
  const [home] = destinations;
  const action = home === undefined ? undefined : <a href={`#${home.to}`}>{home.word}</a>;
  return (
    <PlainScreen title={shellText.nothingHere}>
      <Empty glyph="search" title={shellText.nothingHereFor(address)} {...(action === undefined ? {} : { action })} />
    </PlainScreen>
  );
}

function Lazy({ screen, ...props }: ScreenProps & { screen: Screen }) {
  const [View, setView] = useState<FunctionComponent<ScreenProps> | "failed" | undefined>(undefined);
  useEffect(() => {
    // A function in a state is called, so the component is wrapped in one.
    screen.load().then(
      (view) => setView(() => view),
      () => setView("failed"),
    );
  }, [screen]);
  if (View === undefined) return null;
  if (View === "failed") return <Outdated />;
  return (
    <Boundary>
      <View {...props} />
    </Boundary>
  );
}

// A chunk of this build is not to be had any more: the hub was replaced by another one.
function Outdated() {
  return (
    <PlainScreen title={shellText.hubUpdated} state="error">
      <Empty
        glyph="refresh"
        title={shellText.hubUpdated}
        action={<Button onClick={() => location.reload()}>{shellText.reload}</Button>}
      />
    </PlainScreen>
  );
}

/** A defect of one screen leaves the others usable. */
class Boundary extends Component<{ children: ComponentChildren }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static override getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? <Outdated /> : this.props.children;
  }
}

// What every browser test starts from: a hub of its own, a page that is watched for anything the app must never do, and
// words for what operators do.
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { accessible } from "./axe.ts";
import { type Front, type FrontOptions, startFront } from "./front.ts";
import { startWebHub, type WebHub } from "./hub.ts";

type Fixtures = {
  hub: WebHub;
  /** Puts something between browser and hubs; it and further hubs outlive the page, so that their end is no complaint. */
  front: (mounts: Record<string, string>, options?: FrontOptions) => Promise<Front>;
  anotherHub: (env?: Record<string, string>) => Promise<WebHub>;
  /** Lines of the console that this test provokes; whatever else is said there fails it. */
  allowed: RegExp[];
  watched: undefined;
};

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: the form the runner asks for
  hub: async ({}, use) => {
    await using hub = await startWebHub();
    await use(hub);
  },
  // biome-ignore lint/correctness/noEmptyPattern: the form the runner asks for
  front: async ({}, use) => {
    await lending(use, startFront);
  },
  // biome-ignore lint/correctness/noEmptyPattern: the form the runner asks for
  anotherHub: async ({}, use) => {
    await lending(use, startWebHub);
  },
  // biome-ignore lint/correctness/noEmptyPattern: the form the runner asks for
  allowed: async ({}, use) => use([]),
  watched: [
    // Set up after the hub and all that stands before it, so that it is over before they are.
    async ({ context, allowed, hub: _hub, front: _front, anotherHub: _another }, use) => {
      const complaints = watch(context);
      await use(undefined);
      // What a test still has on its way to a hub is of no interest, and the hub is gone in a moment.
      for (const page of context.pages()) await page.unrouteAll({ behavior: "ignoreErrors" });
      expect(complaints().filter((line) => !allowed.some((pattern) => pattern.test(line)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { accessible, expect };

/** Hands out things as they are asked for, and takes all of them back. */
async function lending<Given extends unknown[], Thing extends AsyncDisposable>(
  use: (open: (...given: Given) => Promise<Thing>) => Promise<void>,
  open: (...given: Given) => Promise<Thing>,
): Promise<void> {
  const lent: Thing[] = [];
  try {
    await use(async (...given) => {
      const thing = await open(...given);
      lent.push(thing);
      return thing;
    });
  } finally {
    for (const thing of lent.reverse()) await thing[Symbol.asyncDispose]();
  }
}

/** Everything a page complains of: console, exceptions, refused policies (web-app.md 9.1). */
function watch(context: BrowserContext): () => string[] {
  const lines: string[] = [];
  context.on("page", (page) => {
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) lines.push(`console ${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => lines.push(`exception: ${error.stack ?? error.message}`));
  });
  void context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      reportError(new Error(`policy: ${violatedDirective} ${blockedURI}`));
    });
  }); // in place before the first page is opened
  return () => lines;
}

/** Opens the app signed in, at a route. */
export async function openApp(
  page: Page,
  hub: { url: string; adminToken: string },
  route = "/",
  prefix = "/",
): Promise<void> {
  await signIn(page, hub.adminToken, prefix);
  await page.goto(`${hub.url}${prefix}#${route}`);
  await settled(page);
}

/** As a device that was connected before. */
export async function signIn(page: Page, token: string, prefix = "/"): Promise<void> {
  await page.addInitScript(
    ([key, value]) => {
      // Once a tab: a sign-out must last over a reload.
      if (sessionStorage.getItem("test:signed-in") === key) return;
      sessionStorage.setItem("test:signed-in", key ?? "");
      localStorage.setItem(key ?? "", value ?? "");
    },
    [`hub:${prefix}:token`, token],
  );
}

/** A screen of the app is there, with its content; Connect is the way to one. */
export async function settled(page: Page): Promise<void> {
  const screen = page.locator("main[data-screen]:not([data-screen=connect], [aria-busy=true])");
  // Pictures are taken without the runner's settings, whose bound this is.
  await expect(screen).toBeVisible({ timeout: 20_000 });
}

/** The stream is open: from here on a change of the hub shows by itself. */
export async function live(page: Page): Promise<void> {
  await expect(page.locator("[data-link=live]").first()).toBeAttached();
}

/** How many wait, as the title of the window says it. */
export async function waitingInTitle(page: Page): Promise<number> {
  return Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);
}

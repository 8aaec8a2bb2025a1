// The service worker: keeps the app's own files of one build, so that the app opens without the hub. It never touches
// anything else (web-app.md 2.10), but for a press on a notification, which brings the app to what it is about.

/** Put in by the build. */
declare const HUB_BUILD: string;
declare const HUB_FILES: readonly string[];

// The DOM library types the global as a window; in a worker it is this.
const worker = globalThis as unknown as WorkerScope;

type Extendable = Event & { waitUntil(work: Promise<unknown>): void };
type Fetching = Extendable & { request: Request; respondWith(answer: Promise<Response>): void };
type Pressed = Extendable & { notification: Notification };
type AppWindow = {
  url: string;
  focused: boolean;
  visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
};
type WorkerScope = {
  registration: { scope: string };
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<readonly AppWindow[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
  addEventListener(type: "notificationclick", listener: (event: Pressed) => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
};

const { scope } = worker.registration;
const prefix = `hub:${new URL(scope).pathname}:app:`;
const cacheName = `${prefix}${HUB_BUILD}`;
const assets = new Set(HUB_FILES.map((path) => new URL(path, scope).href));

worker.addEventListener("install", (event) => event.waitUntil(fill()));
worker.addEventListener("activate", (event) => event.waitUntil(Promise.all([removeOthers(), worker.clients.claim()])));
worker.addEventListener("message", ({ data }) => {
  if (data === "use") void worker.skipWaiting(); // the page hears of it through `controllerchange`
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  if (assets.has(url.href)) event.respondWith(fromCache(request));
  else if (request.mode === "navigate" && isApp(url)) event.respondWith(shell(event));
});
worker.addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(bringTo(String(notification.data?.route ?? "/")));
});

// A scope is a page: any query of it is the same page.
function isApp({ origin, pathname }: URL): boolean {
  return `${origin}${pathname}` === scope;
}

async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  // Past the browser's own cache, which may hold the page of the build before.
  await cache.addAll([...assets].map((url) => new Request(url)));
  await cache.put(scope, await fetch(scope, { cache: "no-store" }));
}

async function removeOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)),
  );
}

async function fromCache(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(request.url)) ?? fetch(request);
}

// The page of this build at once; whether there is a newer one, the browser's check of this script tells.
async function shell({ request }: Fetching): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(scope)) ?? fetch(request);
}

/** The open app where there is one, else a new one. */
async function bringTo(route: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.filter(({ url }) => isApp(new URL(url)));
  const app = open.find(({ focused }) => focused) ?? open.find((one) => one.visibilityState === "visible") ?? open[0];
  if (app === undefined) {
    await worker.clients.openWindow(`${scope}#${route}`);
    return;
  }
  app.postMessage({ type: "open", route });
  // A browser that refuses leaves the app where it is, at the item all the same.
  await app.focus().catch(() => undefined);
}

// The service worker: keeps the app's own files of one build, so that the app opens without the hub. It never touches
// anything else (web-app.md 2.10).

/** Put in by the build. */
declare const HUB_BUILD: string;
declare const HUB_FILES: readonly string[];

// The DOM library types the global as a window; in a worker it is this.
const worker = globalThis as unknown as WorkerScope;

type Extendable = Event & { waitUntil(work: Promise<unknown>): void };
type Fetching = Extendable & { request: Request; respondWith(answer: Promise<Response>): void };
type WorkerScope = {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
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
  // A scope is a page: any query of it is the same page.
  else if (request.mode === "navigate" && `${url.origin}${url.pathname}` === scope) event.respondWith(shell(event));
});

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

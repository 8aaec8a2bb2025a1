// What the app never does: break its own policy, speak to anyone else, or leave anything behind (web-app.md 2.6).
import { expect, live, openApp, test } from "./support/app.ts";

test("SEC-01 the policy is the strictest there is, and the browser holds it", async ({ page, hub }) => {
  await openApp(page, hub);
  const tried = await page.evaluate(() => {
    const attempt = (act: () => unknown): string => {
      try {
        act();
        return "allowed";
      } catch (error) {
        return error instanceof Error ? error.name : "refused";
      }
    };
    const factory = Reflect.get(globalThis, "trustedTypes");
    return {
      markup: attempt(() => {
        document.createElement("p").innerHTML = "<b>x</b>";
      }),
      policy: attempt(() => factory.createPolicy("other", {})),
      second: attempt(() => factory.createPolicy("hub", {})),
    };
  });
  expect(tried).toEqual({ markup: "TypeError", policy: "TypeError", second: "TypeError" });
});

// What the test above provokes on purpose is the only thing any test lets pass.
test.beforeEach(({ allowed }, { title }) => {
  if (title.startsWith("SEC-01"))
    allowed.push(/TrustedHTML|Trusted Type|trusted-types|policy:|Content Security Policy/);
});

test("SEC-02 every request of a visit goes to the hub's own origin", async ({ context, page, hub }) => {
  const elsewhere: string[] = [];
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== hub.url && protocol !== "data:" && protocol !== "blob:") elsewhere.push(request.url());
  });
  await openApp(page, hub);
  await live(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  expect(elsewhere).toEqual([]);
});

test("SEC-04 after signing out nothing is left: no token, no snapshot, no draft, no choice", async ({ page, hub }) => {
  await openApp(page, hub);
  await live(page);
  const snapshots = () =>
    page.evaluate(async () => {
      const [found] = await indexedDB.databases();
      if (found?.name === undefined) return -1;
      const { name } = found;
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = reject;
      });
      const count = await new Promise<number>((resolve) => {
        const request = database.transaction("snapshot").objectStore("snapshot").count();
        request.onsuccess = () => resolve(request.result);
      });
      database.close();
      return count;
    });
  await expect.poll(snapshots).toBeGreaterThan(0);
  await page.evaluate(() => location.assign("#/settings"));
  await page.getByRole("group", { name: "Theme" }).getByText("Dark").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Connect to the hub" })).toBeVisible();
  const left = await page.evaluate(async () => ({
    kept: Object.keys(localStorage),
    tab: Object.keys(sessionStorage).filter((key) => !key.startsWith("test:")),
    databases: await indexedDB.databases(),
  }));
  expect(left).toEqual({ kept: [], tab: [], databases: [] });
});

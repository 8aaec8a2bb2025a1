// The public artifact page, as a recipient without an account sees it (web-app.md 6.20).
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { encrypt } from "../../src/shared/protect.ts";
import { openPublisher, type Publisher, password } from "./support/artifacts.ts";
import { still } from "./support/axe.ts";
import { startFront } from "./support/front.ts";
import { startWebHub, type WebHub } from "./support/hub.ts";

let hub: WebHub;
let publisher: Publisher;

test.beforeAll(async () => {
  hub = await startWebHub();
  publisher = await openPublisher(hub);
});
test.afterAll(() => hub[Symbol.asyncDispose]());

const plan = `---
status: draft
---
# Plan

Words of the plan, with a [link](#steps).

> [!NOTE]
> Read this first.

| Step | Minutes |
|------|--------:|
| Copy | 4 |

\`\`\`ts
const answer = 42;
\`\`\`

- [x] done
- [ ] not yet

${"More words of the plan.\n\n".repeat(60)}
## Steps

The end.
`;

async function accessible(page: Page): Promise<void> {
  await still(page);
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
}

/** Complaints of the page itself. */
function complaintsOf(page: Page): string[] {
  const lines: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) lines.push(message.text());
  });
  page.on("pageerror", (error) => lines.push(error.message));
  return lines;
}

async function unlock(page: Page, typed: string): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill(typed);
  await page.getByRole("button", { name: "Unlock" }).click();
}

test("PUB-01 a clean browser opens it, and it reaches nothing of the hub", async ({ page, context }) => {
  const id = await publisher.publish({ title: "The plan", description: "Step by step.", content: plan });
  await publisher.agent.call("comment_post", {
    artifact_id: id,
    body: "Long enough?",
    anchor: { mode: "text", quote: "words of the PLAN" },
  });
  const requests: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  const complaints = complaintsOf(page);
  await page.goto(`${hub.url}/artifacts/${id}`);
  const document = page.frameLocator("iframe");
  await expect(document.getByRole("heading", { name: "Plan" })).toBeVisible();
  await expect(document.locator("main")).not.toContainText("status: draft");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The plan");
  await expect(page.getByText("Step by step.")).toBeVisible();
  await expect(page.locator(".meta")).toHaveText("v1 · reports · just now");
  await expect(page.getByRole("region", { name: "1 comment" })).toContainText("Long enough?");
  // The quote of the comment is marked over the text, whatever its case.
  const marked = () =>
    document
      .locator("main")
      .evaluate(() => [...(CSS.highlights.get("hub-comment") ?? [])].map((range) => String(range)));
  await expect(async () => expect(await marked()).toEqual(["Words of the plan"])).toPass();
  // As tall as its document: the page scrolls, not the frame.
  await expect(async () => expect((await page.locator("iframe").boundingBox())?.height).toBeGreaterThan(2000)).toPass();
  expect(requests.filter((url) => url.includes("/api/") || !url.startsWith(hub.url))).toEqual([]);
  expect(complaints).toEqual([]);
  await document.getByRole("link", { name: "link" }).click();
  await expect(document.getByRole("heading", { name: "Steps" })).toBeInViewport();
});

test("PUB-01 without script a plain document reads all the same", async ({ browser }) => {
  const id = await publisher.publish({ title: "The plan", content: plan });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${hub.url}/artifacts/${id}`);
  await expect(page.frameLocator("iframe").getByRole("heading", { name: "Plan" })).toBeVisible();
  await context.close();
});

test("PUB-01 versions are chosen, live ones only when asked for, and the theme is kept", async ({ page }) => {
  const id = await publisher.publish({ title: "Versions", content: "first", label: "v1" });
  await publisher.agent.call("artifact_update", { artifact_id: id, content: "second", label: "reviewed" });
  await publisher.agent.call("artifact_draft", { artifact_id: id, content: "third" });
  const text = page.frameLocator("iframe").locator("main");
  await page.goto(`${hub.url}/artifacts/${id}`);
  await expect(text).toHaveText("second");
  await page.locator("summary").click();
  await expect(page.locator("#picker li")).toHaveText([/^v3.*being written$/, /^v2 · reviewed current$/, /^v1$/]);
  await page.getByRole("link", { name: "v1" }).click();
  await expect(text).toHaveText("first");
  await page.goto(`${hub.url}/artifacts/${id}?live=1`);
  await expect(text).toHaveText("third");
  await expect(page.getByText("being written · revision 1")).toBeVisible();
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page.frameLocator("iframe").locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.getByRole("button", { name: "Dark theme" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.frameLocator("iframe").locator("html")).toHaveAttribute("data-theme", "dark");
});

for (const kind of ["markdown", "html"] as const) {
  test(`PUB-02 the gate of a protected ${kind} document`, async ({ page, context }) => {
    const text =
      kind === "html" ? "<h2>Hidden</h2><script>document.body.append('ran')</script>" : "## Hidden\n\n<b>ran</b>";
    const id = await publisher.publishProtected({ kind, title: "Secret" }, text);
    const requests: string[] = [];
    context.on("request", (request) => requests.push(`${request.url()} ${request.postData() ?? ""}`));
    await page.goto(`${hub.url}/artifacts/${id}`);
    await expect(page.getByText("Protected. The hub holds only ciphertext.")).toBeVisible();
    await expect(page.locator("#fingerprint")).toHaveText(/^sha256 [0-9a-f]{4}\.\.\.[0-9a-f]{4} · \d+ B ciphertext$/);
    const field = page.getByLabel("Password", { exact: true });
    await expect(field).toBeFocused();
    await unlock(page, "wrong");
    await expect(page.getByRole("alert")).toHaveText("Wrong password. Nothing left this device.");
    await expect(field).toHaveValue("");
    await expect(field).toBeFocused();
    await page.getByRole("button", { name: "Show" }).click();
    await expect(field).toHaveAttribute("type", "text");
    await page.getByLabel(/Remember/).check();
    await unlock(page, password);
    const document = page.frameLocator("iframe");
    await expect(document.getByRole("heading", { name: "Hidden" })).toBeVisible();
    await expect(document.getByText("ran")).toBeVisible();
    await expect(page.locator("#gate")).toBeHidden();
    await page.reload();
    await expect(document.getByRole("heading", { name: "Hidden" })).toBeVisible();
    // A remembered one that no longer opens is dropped, and the gate is back.
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.includes("password")) localStorage.setItem(key, "stale");
    });
    await page.reload();
    await expect(field).toBeVisible();
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("password")))).toEqual([]);
    await page.getByLabel(/Remember/).check();
    await unlock(page, password);
    await page.getByRole("button", { name: "Forget password" }).click();
    await expect(field).toBeVisible();
    expect(requests.filter((line) => line.includes("horse") || line.includes("Hidden"))).toEqual([]);
  });
}

test("PUB-02 settings that are not accepted are told, and a remembered password is kept", async ({ page }) => {
  const { envelope, ciphertext } = await encrypt(password, "x");
  const id = await publisher.publish({ title: "Odd", content: ciphertext, envelope: { ...envelope, iterations: 5 } });
  await page.goto(`${hub.url}/artifacts/${id}`);
  await page.evaluate(() => localStorage.setItem("hub:/:password:reports", "kept"));
  await page.reload();
  await expect(page.getByRole("alert")).toHaveText(
    "Locked with settings this page doesn't accept. Retyping won't help.",
  );
  await unlock(page, password);
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue(password);
  expect(await page.evaluate(() => localStorage.getItem("hub:/:password:reports"))).toBe("kept");
});

test("PUB-03 what is unknown, concealed or withdrawn looks the same to the byte", async ({ page }) => {
  const id = await publisher.publish({ title: "Shared", content: "words" });
  const first = await publisher.share(id);
  const token = await publisher.share(id);
  const read = async (path: string): Promise<string> => {
    const response = await fetch(`${hub.url}/${path}`, { headers: { accept: "text/html" } });
    expect(response.status).toBe(404);
    return response.text();
  };
  await page.goto(`${hub.url}/s/${token}`);
  await expect(page.frameLocator("iframe").locator("main")).toHaveText("words");
  await expect(page.locator("#picker")).toHaveCount(0);
  const pages = [
    await read(`artifacts/${id}`),
    await read("artifacts/none"),
    await read(`s/${first}`),
    await read("s/none"),
  ];
  await hub.operate("revokeShare", { params: { id } });
  pages.push(await read(`s/${token}`));
  expect(new Set(pages).size).toBe(1);
  await page.goto(`${hub.url}/s/${token}`);
  await expect(page.getByRole("heading", { name: "Nothing at this address" })).toBeVisible();
  await accessible(page);
});

for (const theme of ["light", "dark"] as const) {
  test(`PUB-04 page and gate pass axe and fit 320 px, ${theme}`, async ({ browser }) => {
    test.setTimeout(180_000);
    const context = await browser.newContext({ colorScheme: theme, viewport: { width: 320, height: 700 } });
    const page = await context.newPage();
    const title = `${"Averylongtitlewithoutspaces".repeat(4)} and words`;
    const id = await publisher.publish({ title, description: "d".repeat(300), content: plan, label: "first" });
    await publisher.agent.call("artifact_update", { artifact_id: id, content: plan, label: "second" });
    await publisher.agent.call("comment_post", { artifact_id: id, body: "b".repeat(500) });
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    await page.goto(`${hub.url}/artifacts/${id}`);
    await expect(page.frameLocator("iframe").getByRole("heading", { name: "Plan" })).toBeVisible();
    await accessible(page);
    expect(await fits()).toBe(true);
    await page.locator("summary").click();
    await accessible(page);
    expect(await fits()).toBe(true);
    await page.goto(`${hub.url}/artifacts/${await publisher.publishProtected({ kind: "markdown", title }, plan)}`);
    await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
    await unlock(page, "wrong");
    await expect(page.getByRole("alert")).toContainText("Wrong password");
    await accessible(page);
    expect(await fits()).toBe(true);
    await context.close();
  });
}

test("PUB-05 everything works below a prefix, and keeps its names there", async ({ page }) => {
  await using front = await startFront({ "/deep/hub/": hub.url });
  const root = `${front.url}/deep/hub`;
  const complaints = complaintsOf(page);
  const id = await publisher.publish({ title: "Prefixed", content: plan });
  await publisher.agent.call("artifact_update", { artifact_id: id, content: "second" });
  await page.goto(`${root}/artifacts/${id}`);
  await expect(page.frameLocator("iframe").locator("main")).toHaveText("second");
  await page.locator("summary").click();
  await page.getByRole("link", { name: "v1" }).click();
  await expect(page.frameLocator("iframe").getByRole("heading", { name: "Plan" })).toBeVisible();
  await page.goto(
    `${root}/artifacts/${await publisher.publishProtected({ kind: "html", title: "Secret" }, "<h2>Hidden</h2>")}`,
  );
  await page.getByLabel(/Remember/).check();
  await unlock(page, password);
  await expect(page.frameLocator("iframe").getByRole("heading", { name: "Hidden" })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(["hub:/deep/hub/:password:reports"]);
  await page.goto(`${root}/s/${await publisher.share(id)}`);
  await expect(page.frameLocator("iframe").locator("main")).toHaveText("second");
  expect(front.seen.every((line) => line.startsWith("GET /deep/hub/"))).toBe(true);
  expect(complaints).toEqual([]);
});

test("diagrams are drawn by the hub's own copy; one that fails keeps its source text", async ({ page }) => {
  test.setTimeout(120_000);
  const text = "```mermaid\ngraph TD; A[Start] --> B[End]\n```\n\n```mermaid\nthis is no diagram <b>\n```\n";
  const id = await publisher.publish({ title: "Diagrams", content: text });
  const complaints = complaintsOf(page);
  for (const address of [id, await publisher.publishProtected({ kind: "markdown", title: "Sealed" }, text)]) {
    await page.goto(`${hub.url}/artifacts/${address}`);
    if (address !== id) await unlock(page, password);
    const diagrams = page.frameLocator("iframe").locator("pre.mermaid");
    await expect(diagrams.first().locator("svg")).toBeVisible({ timeout: 40_000 });
    await expect(diagrams.first()).toContainText("Start");
    await expect(diagrams.last()).toHaveText("this is no diagram <b>");
  }
  expect(complaints).toEqual([]);
});

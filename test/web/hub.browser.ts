// Hub and about: the way to the rest of the house, facts, diagnostics (web-app.md 6.19).
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessible, expect, openApp, test } from "./support/app.ts";

test("HUB-01 diagnostics hold no token, no name, no path and no address", async ({ page, context, hub }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: hub.url });
  await hub.project("homelab", "Homelab");
  const scout = await hub.agent("scout");
  await scout.call("question_post", { project_id: "homelab", subject: "A secret subject" });
  await openApp(page, hub, "/hub");
  await expect(page.getByText("Not set").first()).toBeVisible();
  await expect(page.getByText("Ready", { exact: true })).toBeVisible();
  await accessible(page);
  await page.getByRole("button", { name: "Copy diagnostics" }).click();
  await expect(page.getByRole("region", { name: "Messages" })).toContainText("Diagnostics copied.");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(/^Version: \d+\.\d+\.\d+/m);
  expect(text).toMatch(/^Build of the app: [\da-f]{16}$/m);
  for (const secret of [hub.adminToken, scout.token, "scout", "homelab", "testbox", "secret", "127.0.0.1", "/data"]) {
    expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
  }
});

test.describe("a store that is not ready", () => {
  test.use({ allowed: [/status of 503/] });

  test("HUB-02 is told in words, and the app goes on", async ({ page, hub }) => {
    await page.route("**/readyz", (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/problem+json",
        body: JSON.stringify({ status: 503, code: "unavailable", detail: "less than 64 MiB are free" }),
      }),
    );
    await openApp(page, hub, "/hub");
    await expect(page.getByText("Not ready: less than 64 MiB are free")).toBeVisible();
    await page.getByRole("link", { name: "Agents and access" }).click();
    await expect(page.locator("main")).toHaveAttribute("data-screen", "agents");
  });
});

test("it leads to the rest of the house and fits 320 px; where the clipboard is closed the text is shown", async ({
  page,
  hub,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.setViewportSize({ width: 320, height: 700 });
  await openApp(page, hub, "/hub");
  await page.getByRole("button", { name: "Copy diagnostics" }).click();
  await expect(page.getByRole("region", { name: /^Diagnostics/ })).toContainText("Version: ");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await accessible(page);
  const guide = page.getByRole("link", { name: "Download the agent guide" });
  const answer = await page.request.get((await guide.getAttribute("href")) ?? "");
  expect([answer.status(), (await answer.text()).includes("whoami")]).toEqual([200, true]);
  await page.getByRole("navigation", { name: "The rest of the house" }).getByRole("link", { name: "Settings" }).click();
  await expect(page.locator("main")).toHaveAttribute("data-screen", "settings");
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Hub" })).toHaveAttribute(
    "aria-current",
    "true",
  );
});

test("HUB-03 a backup is taken and told; without a folder the setting is named; a second one at once is refused", async ({
  page,
  hub,
  anotherHub,
  allowed,
}) => {
  allowed.push(/status of 409/);
  await openApp(page, hub, "/hub");
  await expect(page.getByText("Set HUB_BACKUP_DIR to allow this.")).toBeVisible();
  const folder = await mkdtemp(join(tmpdir(), "agent-hub-backups-"));
  const other = await anotherHub({ HUB_BACKUP_DIR: folder, HUB_ADMIN_TOKEN: "0123456789abcdef0123456789abcdef" });
  const second = await page.context().newPage();
  await openApp(second, other, "/hub");
  const press = second.getByRole("button", { name: "Back up now" });
  await press.click();
  await expect(second.getByText(/^Backup of .+, \d+ files?, in \d+\.\d s$/)).toBeVisible();
  await accessible(second);
  expect(await readdir(folder)).toHaveLength(1);
  await second.route("**/api/v1/backups", (route) =>
    route.fulfill({
      status: 409,
      contentType: "application/problem+json",
      body: JSON.stringify({ status: 409, code: "conflict", detail: "a backup is running", details: {} }),
    }),
  );
  await press.click();
  await expect(second.getByRole("alert").filter({ hasText: "a backup is running" })).toBeVisible();
  await rm(folder, { recursive: true, force: true });
});

// A new agent asks to join: admitted, refused, imitated, and decided elsewhere (web-app.md 6.5).

import { request as ask } from "./fixtures/inbox.ts";
import { act, group, pane, rowOf } from "./inbox-page.ts";
import { accessible, expect, live, openApp, test } from "./support/app.ts";
import type { WebHub } from "./support/hub.ts";

async function askIn(hub: WebHub, id: string): Promise<string> {
  const response = await fetch(`${hub.url}/api/v1/enrol`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ display_name: "Night shift", suggested_id: id, why: "I watch the ovens." }),
  });
  expect(response.status).toBe(202);
  const { token }: { token: string } = JSON.parse(await response.text());
  return token;
}

async function status(hub: WebHub, token: string): Promise<number> {
  const response = await fetch(`${hub.url}/api/v1/enrol/status?wait=0`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return response.status;
}

test("ENR-01 admitting lets the waiting client in, under its own id, with the changed name and the grant", async ({
  page,
  hub,
}) => {
  await hub.project("secret", "Secret plans");
  await hub.operate("updateProject", { params: { id: "secret" }, body: { confidential: true } });
  const token = await askIn(hub, "night-shift");
  await openApp(page, hub, "/inbox");
  await page.getByRole("link", { name: "A new agent asks to join" }).click();
  await expect(pane(page)).toContainText("night-shift");
  await expect(pane(page)).toContainText("“I watch the ovens.”");
  await expect(pane(page)).toContainText("127.0.0.1");
  await expect(act(pane(page), "approve")).toHaveCount(0);
  await act(pane(page), "admit").click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await accessible(page);
  await dialog.getByLabel("Name").fill("Oven watch");
  await dialog.getByLabel("Secret plans").check();
  await dialog.getByRole("button", { name: "Admit agent" }).click();
  await expect(page.locator("[data-toast]")).toContainText("Admitted. It collects its own token");
  expect(await status(hub, token)).toBe(200);
  const { agents } = await hub.operate("listAgents");
  expect(JSON.stringify(agents)).toContain('"Oven watch"');
  const { grants } = await hub.operate("listGrants", { params: { id: "night-shift" } });
  expect(JSON.stringify(grants)).toContain("secret");
});

test("ENR-02 refusing removes it and its request", async ({ page, hub }) => {
  const token = await askIn(hub, "night-shift");
  await openApp(page, hub, "/inbox");
  await act(rowOf(page, "A new agent asks to join"), "refuse").click();
  await expect(page.getByRole("dialog")).toContainText("It and its request are removed; the id is free again.");
  await page.getByRole("button", { name: "Refuse and remove" }).click();
  await expect(rowOf(page, "A new agent asks to join")).toHaveCount(0);
  expect(await status(hub, token)).toBe(401);
});

test("ENR-03 a look-alike of an active agent offers neither Admit nor Approve", async ({ page, hub }) => {
  await hub.project("lab");
  const eve = await hub.agent("eve");
  await ask(eve, "lab", "Night shift wants to join", {
    payload: { action: "enrol_request", agent_id: "night-shift", display_name: "Night shift", why: "Trust me." },
  });
  await openApp(page, hub, "/inbox");
  const row = rowOf(page, "Night shift wants to join");
  await expect(row).toContainText("it isn't a join request. The hub won't act on it.");
  for (const name of ["admit", "refuse", "approve", "decline"]) await expect(act(row, name)).toHaveCount(0);
  await expect(act(row, "snooze")).toBeVisible();
});

test("ENR-04 a request decided on another device says so in the dialog", async ({ page, hub, allowed }) => {
  allowed.push(/404|409/);
  await askIn(hub, "night-shift");
  await openApp(page, hub, "/inbox");
  await live(page);
  await act(rowOf(page, "A new agent asks to join"), "admit").click();
  await hub.operate("admitAgent", { params: { agent_id: "night-shift" }, body: {} });
  await page.getByRole("dialog").getByRole("button", { name: "Admit agent" }).click();
  await expect(page.getByRole("dialog")).toContainText("This request was decided elsewhere.");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(group(page, "waiting").locator("article[data-item-state=waiting]")).toHaveCount(0);
});

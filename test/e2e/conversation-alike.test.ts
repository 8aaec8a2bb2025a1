// What an agent may not know is answered in the same bytes whatever the reason: raw responses of the compiled binary are
// compared, status, headers and body, less the date.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/shared/json.ts";
import { createAgent } from "../support/agents.ts";
import { type RunningHub, startHub } from "../support/binary.ts";
import { operate } from "../support/operator.ts";
import { callTool, resultOf, toolRequest } from "./conversation.ts";

const lines = ["2025", "2026"] as const;

/** Status, headers less the date, and body. */
async function bytesOf(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  const headers = [...response.headers].filter(([name]) => name !== "date").toSorted();
  return JSON.stringify([response.status, headers, await response.text()]);
}

type Lab = {
  hub: RunningHub;
  ann: string;
  hiddenQuestion: string;
  hiddenApproval: string;
  spaceQuestion: string;
  audit: string;
};

/** Bob's confidential project and his space hold a question each; ann may see the latter and write neither. */
async function openLab(hub: RunningHub): Promise<Lab> {
  await operate(hub, "createProject", { body: { id: "lab", display_name: "Lab" } });
  await operate(hub, "createProject", { body: { id: "secret", display_name: "Secret", confidential: true } });
  const [ann, bob] = [await createAgent(hub, "ann"), await createAgent(hub, "bob")];
  await operate(hub, "createGrant", { params: { id: "bob" }, body: { project_id: "secret" } });
  await operate(hub, "createGrant", { params: { id: "ann" }, body: { project_id: "lab" } });
  const post = async (tool: string, args: object): Promise<string> =>
    String((await resultOf(callTool(hub.url, bob, tool, args)))["event_id"]);
  const space = String((await resultOf(callTool(hub.url, bob, "whoami")))["personal_project_id"]);
  const trail = await operate(hub, "listProjectFeed", { params: { id: "lab" }, query: { kinds: "system" } });
  const [audit] = trail["events"] as JsonObject[]; // a list of events by contract
  return {
    hub,
    ann,
    hiddenQuestion: await post("question_post", { project_id: "secret", subject: "q" }),
    hiddenApproval: await post("signal_append", { project_id: "secret", kind: "approval", summary: "a" }),
    spaceQuestion: await post("question_post", { project_id: space, subject: "q" }),
    audit: String(audit?.["id"]),
  };
}

const missing = "01KE0000000000000000000000";

describe("equal bytes", () => {
  test("for a question that is missing, denied, not writable, or an audit record", async () => {
    await using hub = await startHub();
    const lab = await openLab(hub);
    for (const line of lines) {
      for (const more of [{}, { idempotency_key: "k" }]) {
        const seen = new Set<string>();
        for (const id of [missing, "x", lab.hiddenQuestion, lab.hiddenApproval, lab.spaceQuestion, lab.audit]) {
          const args = { question_id: id, body: "a", ...more };
          seen.add(await bytesOf(`${hub.url}/mcp`, toolRequest(lab.ann, "answer_post", args, line)));
        }
        expect([...seen].length).toBe(1);
        expect([...seen][0]).toContain("not found or not permitted");
      }
    }
  }, 60_000);

  test("for a project that is missing or denied, on every tool of the conversation that names one", async () => {
    await using hub = await startHub();
    const lab = await openLab(hub);
    for (const line of lines) {
      for (const [tool, args] of [
        ["feed_read", {}],
        ["feed_read", { since: "0", before: "Z", kinds: ["signal"], limit: 5, session: missing }],
        ["signal_append", { kind: "signal", summary: "s" }],
        ["signal_append", { kind: "approval", summary: "s", expires_in_seconds: 60, idempotency_key: "k" }],
        ["signal_append", { kind: "signal", summary: "s", thread_id: lab.hiddenQuestion }],
        ["question_post", { subject: "q", options: ["a", "b"] }],
      ] as const) {
        const seen = new Set<string>();
        for (const project_id of ["nowhere", "secret", "", "space-x"]) {
          seen.add(await bytesOf(`${hub.url}/mcp`, toolRequest(lab.ann, tool, { ...args, project_id }, line)));
        }
        expect([...seen].length).toBe(1);
      }
      // The global reads do not refuse: they show nothing, of the one as of the other.
      for (const tool of ["inbox_read", "inbox_wait"]) {
        for (const args of [{}, { since: "0" }, { status: "action" }]) {
          const seen = new Set<string>();
          for (const project_id of ["nowhere", "secret"]) {
            const call = { ...args, project_id, ...(tool === "inbox_wait" ? { wait_seconds: 0 } : {}) };
            seen.add(await bytesOf(`${hub.url}/mcp`, toolRequest(lab.ann, tool, call, line)));
          }
          expect([...seen].length).toBe(1);
        }
      }
    }
  }, 60_000);

  test("for a feed filtered by a session that is missing and by one the agent may not see", async () => {
    await using hub = await startHub();
    const lab = await openLab(hub);
    const bob = String((await operate(hub, "issueToken", { params: { id: "bob" } }))["token"]);
    const start = { project_id: "secret", session_name: "s" };
    const session = String((await resultOf(callTool(hub.url, bob, "session_start", start)))["session_id"]);
    for (const args of [{}, { since: "0" }, { before: "Z" }]) {
      const seen = new Set<string>();
      for (const each of [missing, session]) {
        const call = { project_id: "lab", session: each, ...args };
        seen.add(await bytesOf(`${hub.url}/mcp`, toolRequest(lab.ann, "feed_read", call)));
      }
      expect([...seen].length).toBe(1);
    }
  }, 60_000);

  test("for an operator's route, whatever is wrong with the token, and whatever lies behind it", async () => {
    await using hub = await startHub();
    const lab = await openLab(hub);
    const bob = String((await operate(hub, "issueToken", { params: { id: "bob" } }))["token"]);
    await operate(hub, "revokeToken", { params: { id: "bob" } });
    for (const [method, path, body] of [
      ["GET", "/api/v1/inbox", undefined],
      ["GET", "/api/v1/inbox?group=nonsense", undefined],
      ["GET", "/api/v1/feed?unknown=1", undefined],
      ["GET", "/api/v1/projects/lab/feed", undefined],
      ["GET", "/api/v1/projects/nowhere/feed", undefined],
      ["POST", `/api/v1/questions/${lab.hiddenQuestion}/answer`, '{"body":"a"}'],
      ["POST", `/api/v1/questions/${missing}/answer`, "not json"],
      ["POST", `/api/v1/approvals/${lab.hiddenApproval}/decision`, '{"decision":"approve"}'],
      ["PUT", `/api/v1/inbox/${lab.hiddenQuestion}/snooze`, '{"until":"2999-01-01T00:00:00Z"}'],
      ["POST", `/api/v1/inbox/${missing}/extend`, '{"seconds":1}'],
    ] as const) {
      const seen = new Set<string>();
      for (const token of [lab.ann, bob, "0".repeat(64)]) {
        seen.add(
          await bytesOf(`${hub.url}${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            ...(body === undefined ? {} : { body }),
          }),
        );
      }
      expect([path, seen.size]).toEqual([path, 1]);
      expect([...seen][0]).toContain('"unauthenticated');
    }
  }, 60_000);
});

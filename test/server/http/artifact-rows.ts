// The rows of the calls of artifacts (rest-api.md 11).
import type { artifactCalls } from "../../../src/shared/artifacts.ts";
import { type Input, inP, type Lab, session } from "./request-fixtures.ts";
import type { Row } from "./request-rows.ts";

const noArtifact = { params: { id: "nothing-here" } };

async function artifact(lab: Lab, more: object = {}): Promise<Input> {
  const sent = { project_id: "p", kind: "markdown", content: "# A page\n\nWords.", ...more };
  const published = await lab.alice.call("artifact_publish", sent, { connection: lab.connection });
  return { params: { id: String(published["artifact_id"]) } };
}

const onArtifact =
  (more: Input = {}) =>
  async (lab: Lab): Promise<Input> => ({ ...(await artifact(lab)), ...more });

async function shared(lab: Lab): Promise<Input> {
  const on = await artifact(lab);
  await lab.http.hub.rest("createShare", on.params === undefined ? {} : { params: on.params });
  return on;
}

const onComment =
  (more: Input = {}) =>
  async (lab: Lab): Promise<Input> => {
    const { params = {} } = await artifact(lab);
    const posted = await lab.http.hub.rest("postArtifactComment", { params, body: { body: "Why?" } });
    return { params: { ...params, comment_id: String(posted["id"]) }, ...more };
  };
const noComment = { params: { comment_id: "x" } };

export const artifactRows: Record<keyof typeof artifactCalls, Row> = {
  listArtifacts: { right: inP, says: { artifacts: [] }, unknown: noArtifact },
  listSessionArtifacts: {
    prepare: async (lab) => ({ query: `?session=${await session(lab)}` }),
    says: { artifacts: [] },
    wrong: [[{ query: "" }, "session"]],
  },
  getArtifact: {
    prepare: onArtifact(),
    says: { title: "A page", version: 1, live: false, actor: "alice" },
    wrong: [
      [{ query: "?version=0" }, "version"],
      [{ query: "?version=x" }, "version"],
    ],
    unknown: { query: "?version=2" },
  },
  deleteArtifact: { prepare: onArtifact(), says: { ok: true }, events: ["artifact"], unknown: noArtifact },
  listArtifactVersions: { prepare: onArtifact(), unknown: noArtifact },
  getArtifactRaw: {
    prepare: async (lab) => artifact(lab, { title: "Secret", envelope: { alg: "x" } }),
    says: { envelope: { alg: "x" }, ciphertext: "# A page\n\nWords." },
    wrong: [[{ query: "?version=0" }, "version"]],
    unknown: noArtifact,
  },
  getArtifactLive: {
    prepare: onArtifact(),
    says: { state: "sealed", version: null, live_rev: 0, session_id: null, actor: "alice" },
    unknown: noArtifact,
  },
  getViewerPass: { prepare: onArtifact(), says: { pass: "" }, unknown: noArtifact },
  getShare: { prepare: shared, says: { version: 1 }, unknown: noArtifact },
  createShare: {
    prepare: onArtifact({ body: { version: 1 } }),
    says: { version: 1 },
    wrong: [[{ body: { version: 0 } }, "version"]],
    unknown: { body: { version: 2 } },
  },
  revokeShare: { prepare: onArtifact(), unknown: noArtifact },
  listArtifactComments: { prepare: onArtifact(), says: { comments: [] }, unknown: noArtifact },
  postArtifactComment: {
    prepare: onArtifact({ body: { body: " Why? " } }),
    says: { author: "human", body: "Why?", anchor: null, anchor_version: 1, done: false },
    wrong: [
      [{ body: { body: " " } }, "body"],
      [{ body: { anchor: { mode: "line", line: 1 } } }, "anchor"],
      [{ body: { anchor_version: 1.5 } }, "anchor_version"],
      [{ body: { idempotency_key: "" } }, "idempotency_key"],
    ],
    over: [
      [{ body: { body: "a".repeat(2001) } }, 400],
      [{ body: { anchor: { mode: "text", quote: "a".repeat(2001) } } }, 400],
      [{ body: { idempotency_key: "a".repeat(256) } }, 400],
    ],
    unknown: noArtifact,
  },
  resolveArtifactComment: {
    prepare: onComment({ body: { done: true } }),
    says: { done: true },
    wrong: [[{ body: { done: "x" } }, "done"]],
    unknown: noComment,
  },
  deleteArtifactComment: { prepare: onComment(), says: { ok: true }, unknown: noComment },
};

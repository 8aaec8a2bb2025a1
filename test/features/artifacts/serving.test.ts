// Share links, viewer passes and what a public page is served from (artifacts.md 6, 7, rest-api.md 11, 12).

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import {
  type Addressed,
  type ArtifactComment,
  type ArtifactRecord,
  decodeContent,
  findServed,
  findShared,
  isConcealed,
  isPassValid,
  listArtifactComments,
  listArtifactVersions,
  loadContent,
  loadText,
  type ReadVersion,
  readContent,
  type VersionRecord,
} from "../../../src/features/artifacts/index.ts";
import { refusal, sql } from "../as-caller.ts";
import { envelope, type Lab, openLab } from "./lab.ts";

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

const services = () => lab.hub.hub.kernel.services;
const served = (id: string, address: Addressed = {}): ReadVersion | undefined => findServed(services().db, id, address);
const textOf = async (read: ReadVersion | undefined): Promise<string | undefined> =>
  read === undefined ? undefined : String(await loadText(services(), read.version));
const concealed = (id: string, address: Addressed = {}): boolean | undefined => {
  const read = served(id, address);
  return read === undefined ? undefined : isConcealed(services().db, read.artifact, read.version);
};
const share = async (id: string, body?: object): Promise<string> =>
  String((await lab.rest("createShare", id, { body }))["token"]);

describe("an address", () => {
  test("means the current version, the live one if asked and held, or the one it names", async () => {
    const id = await lab.publish({ content: "one" });
    await lab.alice.call("artifact_update", { artifact_id: id, content: "two" });
    expect(await textOf(served(id, { isLive: true }))).toBe("two");
    await lab.alice.call("artifact_draft", { artifact_id: id, content: "three" });
    expect(await textOf(served(id))).toBe("two");
    expect(await textOf(served(id, { isLive: true }))).toBe("three");
    expect(await textOf(served(id, { version: 1, isLive: true }))).toBe("one");
    expect(await textOf(served(id, { version: 3 }))).toBe("three");
    expect(served(id, { version: 4 })).toBeUndefined();
    expect(served("01ARZ3NDEKTSV4RRFFQ69G5FAV")).toBeUndefined();
    const versions: VersionRecord[] = listArtifactVersions(services().db, id);
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3]);
    const artifact: ArtifactRecord | undefined = served(id)?.artifact;
    expect(artifact).toMatchObject({ id, title: "Report", live: { version: 3, rev: 1 } });
    await lab.alice.call("comment_post", { artifact_id: id, body: "seen" });
    const comments: ArtifactComment[] = listArtifactComments(services().db, id);
    expect(comments).toMatchObject([{ author: "alice", body: "seen", anchorVersion: 2 }]);
  });

  test("is concealed by a share link and by a confidential project, but never a protected version", async () => {
    await lab.hub.project("quiet");
    const id = await lab.publish({ project_id: "quiet" });
    await lab.alice.call("artifact_update", { artifact_id: id, content: "cipher", envelope });
    const both = (): unknown[] => [concealed(id, { version: 1 }), concealed(id)];
    expect(both()).toEqual([false, false]);
    await share(id);
    expect(both()).toEqual([true, false]);
    await lab.rest("revokeShare", id);
    expect(both()).toEqual([false, false]);
    const setConfidential = (confidential: boolean) =>
      lab.hub.rest("updateProject", { params: { id: "quiet" }, body: { confidential } });
    await setConfidential(true);
    expect(both()).toEqual([true, false]);
    await setConfidential(false);
    expect(both()).toEqual([false, false]);
  });
});

describe("a share link", () => {
  test("stays on the version it was made for, the current one unless another is named", async () => {
    const id = await lab.publish({ content: "one" });
    await lab.alice.call("artifact_update", { artifact_id: id, content: "two" });
    const first = await lab.rest("createShare", id);
    expect(first).toEqual({
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      url: `s/${first["token"]}`,
      version: 2,
      created_at: "2026-01-02T03:04:05.000Z",
    });
    await lab.alice.call("artifact_update", { artifact_id: id, content: "three" });
    const token = String(first["token"]);
    expect(await textOf(findShared(services().db, token))).toBe("two");
    expect(await lab.rest("getShare", id)).toEqual(first);
    const second = await share(id, { version: 1 });
    expect(findShared(services().db, token)).toBeUndefined();
    expect(await textOf(findShared(services().db, second))).toBe("one");
  });

  test("is absolute with a public address, and dies with a revoke, its artifact and its project", async () => {
    await using other = await openLab({ config: { publicUrl: "https://hub.example" } });
    const { db } = other.hub.hub.kernel.services;
    const id = await other.publish();
    const shared = await other.rest("createShare", id);
    expect(shared["url"]).toBe(`https://hub.example/s/${shared["token"]}`);
    await other.rest("revokeShare", id);
    expect(findShared(db, String(shared["token"]))).toBeUndefined();
    expect(await refusal(other.rest("getShare", id))).toMatchObject({ code: "not_found" });
    expect(await other.rest("revokeShare", id)).toEqual({});
    const again = String((await other.rest("createShare", id))["token"]);
    await other.rest("deleteArtifact", id);
    expect(findShared(db, again)).toBeUndefined();
    await other.hub.project("gone");
    const last = await other.publish({ project_id: "gone" });
    const token = String((await other.rest("createShare", last))["token"]);
    await other.hub.rest("deleteProject", { params: { id: "gone" } });
    expect(findShared(db, token)).toBeUndefined();
  });
});

describe("a viewer pass", () => {
  const minute = 60_000;
  const pass = async (id: string): Promise<string> => String((await lab.rest("getViewerPass", id))["pass"]);

  test("is empty where nothing is concealed, else opens the one artifact for this minute and the next", async () => {
    const id = await lab.publish();
    expect(await pass(id)).toBe("");
    await share(id);
    const minted = await pass(id);
    const key = lab.hub.operator.token;
    const { now } = lab.hub.clock;
    const text = `viewer-pass\0${id}\0${Math.floor(now / minute)}`;
    expect(minted).toBe(createHmac("sha256", key).update(text).digest("hex").slice(0, 32));
    const start = Math.floor(now / minute) * minute;
    for (const at of [start, start + minute - 1, start + 2 * minute - 1]) {
      expect(isPassValid(key, id, minted, at)).toBe(true);
    }
    for (const at of [start - 1, start + 2 * minute]) expect(isPassValid(key, id, minted, at)).toBe(false);
    expect(isPassValid("another key", id, minted, now)).toBe(false);
    expect(isPassValid(key, await lab.publish(), minted, now)).toBe(false);
    for (const wrong of ["", "x".repeat(32), minted.slice(2), `${minted}00`, `${minted.slice(0, 30)}zz`]) {
      expect(isPassValid(key, id, wrong, now)).toBe(false);
    }
  });
});

test("bytes that are missing or no text are told, and nothing else of them", async () => {
  const id = await lab.publish({ content: "whole" });
  const read = served(id);
  if (read === undefined) throw new Error("nothing is served");
  expect(decodeContent(readContent(services(), read.version))).toBe("whole");
  expect(decodeContent(await loadContent(services(), read.version))).toBe("whole");
  await Bun.write(
    `${lab.hub.dataDir}/blobs/sha256/${read.version.blob.slice(0, 2)}/${read.version.blob.slice(2)}`,
    "\xff",
  );
  await sql(lab.hub, "UPDATE blobs SET size = 2 WHERE hash = ?", read.version.blob);
  expect(await lab.get(id)).toMatchObject({ content: "ÿ" });
  await Bun.write(
    `${lab.hub.dataDir}/blobs/sha256/${read.version.blob.slice(0, 2)}/${read.version.blob.slice(2)}`,
    new Uint8Array([0xff, 0xfe]),
  );
  expect(await refusal(lab.get(id))).toMatchObject({ code: "invalid_argument", details: { field: "version" } });
  await sql(lab.hub, "UPDATE blobs SET size = 3 WHERE hash = ?", read.version.blob);
  expect(await refusal(lab.get(id))).toMatchObject({ code: "unavailable" });
});

// A backup copies what the tables say they refer to, the collector keeps what the features say: they say the same.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../../src/shared/json.ts";
import { blobReferences } from "../../../src/storage/references.ts";
import { openTestHub } from "../../support/hub.ts";
import { root } from "../../support/source-files.ts";

test("every column that refers to a blob is declared by its feature, and the other way round", async () => {
  await using hub = await openTestHub();
  const features = join(root, "src", "features");
  const modules: object[] = await Promise.all(
    readdirSync(features).map((noun) => import(join(features, noun, "index.ts"))),
  );
  const declared = modules
    .flatMap((module) => Object.values(module))
    .flatMap((feature: unknown) => (isObject(feature) && Array.isArray(feature["blobs"]) ? feature["blobs"] : []));
  const inOrder = (columns: unknown[]) => columns.map((column) => JSON.stringify(column)).sort();
  expect(inOrder(blobReferences(hub.hub.kernel.services.db))).toEqual(inOrder(declared));
  expect(declared.length).toBeGreaterThan(1);
});

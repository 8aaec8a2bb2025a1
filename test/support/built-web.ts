// Before any test: the packed web app is there and no older than what it is made of, since the hub's source embeds it.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { buildWeb, packPath } from "../../src/build/web.ts";
import { listFiles, root } from "./source-files.ts";

async function modifiedAt(path: string): Promise<number> {
  try {
    return (await stat(join(root, path))).mtimeMs;
  } catch {
    return 0; // absent: older than anything
  }
}

const folders = await Promise.all(["src/web", "src/shared", "src/build"].map((folder) => listFiles(folder)));
const newest = Math.max(...(await Promise.all([...folders.flat(), "bun.lock"].map(modifiedAt))));
if ((await modifiedAt(packPath)) < newest) await buildWeb(root);

// Whether a folder holds the backup its manifest describes: every member there, of its size and digest.
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { digestFile } from "../durable-file.ts";
import { createPace, type Watch } from "../pace.ts";
import { StoreRefusedError } from "../store-fault.ts";
import { bytesOf, type Manifest, type Member, manifestName, parseManifest } from "./manifest.ts";

/** @throws StoreRefusedError when there is none, or none this binary can follow */
export function readManifest(folder: string): Manifest {
  let text: string;
  try {
    text = readFileSync(join(folder, manifestName), "utf8");
  } catch (error) {
    throw new StoreRefusedError(`${folder} is not a backup: it has no ${manifestName} that can be read`, {
      cause: error,
    });
  }
  return parseManifest(text);
}

/** What is wrong with the members, one sentence each. Without `digests` only presence and size are looked at. */
export async function* memberProblems(
  folder: string,
  { files }: Manifest,
  { digests, ...watch }: Watch & { digests: boolean },
): AsyncGenerator<string> {
  const pace = createPace(watch);
  pace.expect(digests ? bytesOf(files) : 0);
  for (const member of files) {
    const problem = sizeProblem(folder, member);
    if (problem !== undefined) yield problem;
    else if (digests) {
      const { sha256 } = await digestFile(join(folder, member.path), pace);
      if (sha256 !== member.sha256) yield `${member.path} has another digest than the manifest says`;
    } else await pace.advance(0);
  }
}

function sizeProblem(folder: string, { path, size }: Member): string | undefined {
  // A folder of it that is a symlink leads somewhere else.
  const parts = path.split("/");
  const steps = parts.map((_, index) =>
    lstatSync(join(folder, ...parts.slice(0, index + 1)), { throwIfNoEntry: false }),
  );
  const found = steps.at(-1);
  if (found === undefined) return `missing member ${path}`;
  if (!found.isFile() || steps.slice(0, -1).some((step) => step?.isDirectory() !== true))
    return `${path} is not a file`;
  return found.size === size ? undefined : `${path} has ${found.size} bytes, not ${size}`;
}

// Whether a folder is the root of a mounted volume and so cannot be renamed: a volume of a container is one, also where
// it lies on the same device as what is around it.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";

const mountTable = "/proc/self/mountinfo";
const pathField = 4;

/** @param path absolute and resolved */
export function isMountPoint(path: string): boolean {
  if (!existsSync(path)) return false;
  return statSync(path).dev !== statSync(dirname(path)).dev || mountedPaths().includes(path);
}

function mountedPaths(): string[] {
  // Other systems have no such table; there the device alone decides.
  if (!existsSync(mountTable)) return [];
  const lines = readFileSync(mountTable, "utf8").split("\n");
  return lines.map((line) => unescaped(line.split(" ")[pathField] ?? ""));
}

// The table writes spaces and the like as octal numbers.
function unescaped(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

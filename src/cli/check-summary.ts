import { counted } from "./counted.ts";

/** The last line of `check` and `doctor` (cli.md 13). */
export function checkSummary(result: { databases: number; blobs: number; problems: number }): string {
  const problems = result.problems === 0 ? "no problems" : counted(result.problems, "problem");
  return `checked ${counted(result.databases, "database")} and ${counted(result.blobs, "blob")}, ${problems}\n`;
}

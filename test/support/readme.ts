// README.md as data: its fenced blocks, each with the section and the client it stands under.
import { join } from "node:path";
import { root } from "./source-files.ts";

export type Block = {
  /** Text of the `##` heading. */
  section: string;
  /** The bold words that open the paragraph before it; empty when there are none. */
  topic: string;
  language: string;
  text: string;
};

export async function readBlocks(): Promise<Block[]> {
  const blocks: Block[] = [];
  let section = "";
  let topic = "";
  let open: Block | undefined;
  for (const line of (await Bun.file(join(root, "README.md")).text()).split("\n")) {
    if (open !== undefined) {
      if (line === "```") open = undefined;
      else open.text += `${line}\n`;
    } else if (line.startsWith("```")) {
      open = { section, topic, language: line.slice(3), text: "" };
      blocks.push(open);
    } else if (line.startsWith("## ")) {
      section = line.slice(3);
      topic = "";
    } else if (line !== "") {
      topic = /^\*\*(.+?)\*\*/.exec(line)?.[1] ?? topic;
    }
  }
  return blocks;
}

/** The lines of a block that are commands, without the comments behind them. */
export function commandsOf(block: Block): string[] {
  return block.text
    .split("\n")
    .map((line) => line.replace(/\s+# .*$/, ""))
    .filter((line) => line !== "");
}

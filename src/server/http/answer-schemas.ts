// What each call answers with, as JSON Schema, read off the types that both sides share while the hub is built: the
// document, the hub and the app cannot say different things. Loaded as a macro, so none of this is in the binary.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../shared/json.ts";
import { createTypeReader, type Declarations } from "./type-schema.ts";

export type AnswerSchemas = {
  /** By the name of the call; a call whose success has no body is not here. */
  answers: Record<string, JsonObject>;
  /** What they refer to. */
  schemas: Record<string, JsonObject>;
};

export function answerSchemas(): AnswerSchemas {
  const reader = createTypeReader(sharedDeclarations());
  const members = Object.entries(reader.membersOf("Answers"));
  const answers = members.flatMap(([call, schema]) => (schema === undefined ? [] : [[call, schema] as const]));
  // A type that others are made of need not be one that any of them refers to.
  const told = JSON.stringify([answers, reader.named]);
  const schemas = Object.entries(reader.named).filter(([name]) => told.includes(`"#/components/schemas/${name}"`));
  return { answers: Object.fromEntries(answers), schemas: Object.fromEntries(schemas) };
}

function sharedDeclarations(): Declarations {
  const folder = join(import.meta.dir, "../../shared");
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"));

  function only(pattern: RegExp, name: string): string {
    const found = texts.flatMap((text) => pattern.exec(text)?.[1] ?? []);
    if (found.length !== 1) throw new Error(`${name} is declared ${found.length} times in src/shared`);
    return found[0] ?? "";
  }

  return {
    // A declaration ends with the semicolon that stands at the end of a line no deeper than its first.
    type: (name) => only(new RegExp(`^(?:export )?type ${name} =([\\s\\S]*?);\\n(?![ }])`, "m"), name),
    list: (name) =>
      [
        ...only(new RegExp(`^export const ${name} = \\[([\\s\\S]*?)\\] as const;`, "m"), name).matchAll(/"([^"]*)"/g),
      ].map(([, value = ""]) => value),
  };
}

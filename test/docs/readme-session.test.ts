// The shell commands of README.md, run as they stand by one shell against a real hub: only its address and the words in
// angle brackets are put in, as a reader does.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import packageJson from "../../package.json";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { binaryPath, cleanEnv, collect, type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { track, within } from "../support/processes.ts";
import { type Block, commandsOf, readBlocks } from "../support/readme.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

const boundMs = 30_000;

let blocks: Block[];
let folder: TempDir;
let hub: RunningHub;

// A checkout as the reader has it: the binary in dist/, the data of the running hub in data/.
beforeAll(async () => {
  blocks = await readBlocks();
  folder = await TempDir.create();
  await mkdir(join(folder.path, "dist"));
  await mkdir(join(folder.path, "bin"));
  await symlink(binaryPath, join(folder.path, "dist", "agent-hub"));
  await symlink(binaryPath, join(folder.path, "bin", "agent-hub"));
  hub = await startHub({ dataDir: join(folder.path, "data") });
});
afterAll(async () => {
  await hub?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

type Shell = AsyncDisposable & { run(command: string): Promise<{ code: number; output: string }> };

/** One shell for all the commands, since later ones use what earlier ones set. */
function openShell(): Shell {
  const child = track(
    Bun.spawn(["/bin/sh"], {
      cwd: folder.path,
      env: { ...cleanEnv(folder.path), PATH: `${folder.path}/bin:${process.env["PATH"] ?? ""}` },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    }),
  );
  const output = collect(child.stdout);
  const errors = collect(child.stderr);
  let read = 0;
  let count = 0;
  return {
    async run(command) {
      count += 1;
      child.stdin.write(`${command}\nprintf '\\n==%s== %s\\n' ${count} "$?"\n`);
      child.stdin.flush();
      const mark = await within(boundMs, command, output.match(new RegExp(`\\n==${count}== (\\d+)\\n`)));
      if (mark === undefined) throw new Error(`the shell ended at ${command}: ${errors.text()}`);
      const said = output.text().slice(read, mark.index);
      read = mark.index + mark[0].length;
      return { code: Number(mark[1]), output: said };
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await within(boundMs, "end of the shell", child.exited, () => child.kill("SIGKILL"));
      await Promise.all([output.done, errors.done]);
    },
  };
}

function section(name: string): Block[] {
  const found = blocks.filter((block) => block.section === name && block.language === "sh");
  expect(found.length, `blocks under ${name}`).toBeGreaterThan(0);
  return found;
}

test("the first session does what it says", async () => {
  await using shell = openShell();
  const { host } = new URL(hub.url);
  const known = new Map<string, string>();
  const answers: { command: string; body: JsonObject }[] = [];
  for (const written of section("A first session").flatMap(commandsOf)) {
    let command = written.replaceAll(/(?:localhost|127\.0\.0\.1):8080/g, host);
    for (const [word, value] of known) command = command.replaceAll(`<${word}>`, value);
    expect(command, "a word in angle brackets that nothing before it gave").not.toMatch(/<[a-z][^>']*>/i);
    const { code, output } = await shell.run(command);
    expect(code, `${command}\n${output}`).toBe(0);
    if (output === "") continue;
    const body: unknown = JSON.parse(output);
    if (!isObject(body)) throw new Error(`${command} printed ${output}`);
    answers.push({ command: written, body: body as JsonObject }); // parsed from JSON
    if (typeof body["token"] === "string") known.set("the agent's token", body["token"]);
    if (typeof body["artifact_id"] === "string") known.set("artifact_id", body["artifact_id"]);
    if (typeof body["question_id"] === "string") known.set("question_id", body["question_id"]);
  }
  const question = known.get("question_id") ?? "";
  expect(answers.map(({ body }) => body)).toMatchObject([
    { id: "homelab" },
    { id: "alice" },
    { token: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { actor: "alice", admin: false },
    { question_id: question },
    { items: [{ event_id: question, actor: "alice", status: "action", payload: { options: ["now", "tonight"] } }] },
    { event_id: expect.any(String) },
    { items: [{ event_id: question, status: "resolved", answer: { actor: "human", body: "tonight" } }] },
    { artifact_id: known.get("artifact_id"), version: 1 },
  ]);
  const page = await fetch(`${hub.url}/artifacts/${known.get("artifact_id")}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<title>Rack plan</title>")]);
});

test("what one does while it runs exits 0", async () => {
  await using shell = openShell();
  for (const written of section("Running it").flatMap(commandsOf)) {
    const { code, output } = await shell.run(written === "agent-hub health" ? `${written} --url ${hub.url}` : written);
    expect(code, `${written}\n${output}`).toBe(0);
  }
});

test("the commands that start, test and check are scripts of the package, on the pinned bun", () => {
  const commands = ["Two commands", "Working on it"].flatMap(section).flatMap(commandsOf);
  expect(commands).toHaveLength(4);
  for (const command of commands) {
    const [, bun, script] = /^npx --yes (bun@[\d.]+) (?:run )?(\w+)$/.exec(command) ?? [];
    expect(bun, command).toBe(packageJson.packageManager);
    expect(Object.keys(packageJson.scripts)).toContain(script ?? "");
  }
});

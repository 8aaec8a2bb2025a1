// A client of its own process that publishes and reads artifacts of the largest size, so that what it costs the client
// is not measured as the hub's. Reads steps from stdin, one a line, and answers each with a line when it is done.
import { artifactBytes } from "../../src/shared/limits.ts";

const [url = "", token = "", projectId = ""] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
let artifactId = "";

const numberPlace = "#".repeat(12);

/** Words in markup: some characters in a hundred are escaped in JSON, as in real documents. */
function document(): string {
  const word = (at: number): string => `w${((at * 7919) % 30_011).toString(36)}`;
  const line = (at: number): string =>
    `<p class="line">${Array.from({ length: 14 }, (_, place) => word(14 * at + place)).join(" ")}</p>\n`;
  const lines = Array.from({ length: 2000 }, (_, at) => line(at)).join("");
  const text = `<p>${numberPlace}</p>\n${lines.repeat(Math.ceil(artifactBytes / lines.length))}`;
  return text.slice(0, artifactBytes);
}

function call(name: string, args: object): Uint8Array<ArrayBuffer> {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  return new TextEncoder().encode(JSON.stringify(message));
}

async function bytesOf(response: Response): Promise<number> {
  if (!response.ok || response.body === null) throw new Error(`answered ${response.status}: ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.byteLength;
  return bytes;
}

const publish = call("artifact_publish", { project_id: projectId, kind: "html", title: "Large", content: document() });
const place = Buffer.from(publish.buffer).indexOf(numberPlace);
let published = 0;

/** What it does when it is told. */
export type ClientStep = "publish" | "get";

const steps: Readonly<Record<ClientStep, () => Promise<void>>> = {
  async publish() {
    // Other bytes each time, so that none are stored already.
    published += 1;
    publish.set(Buffer.from(String(published).padStart(numberPlace.length, "0")), place);
    const response = await fetch(`${url}/mcp`, { method: "POST", headers, body: publish });
    const text = await response.text();
    artifactId = /"artifact_id":"(\w{26})"/.exec(text)?.[1] ?? "";
    if (artifactId === "") throw new Error(`artifact_publish answered ${response.status}: ${text}`);
  },
  async get() {
    const body = call("artifact_get", { artifact_id: artifactId });
    const bytes = await bytesOf(await fetch(`${url}/mcp`, { method: "POST", headers, body }));
    if (bytes < 2 * artifactBytes) throw new Error(`artifact_get answered ${bytes} bytes`);
  },
};

for await (const line of console) {
  if (line === "") continue;
  if (line !== "publish" && line !== "get") throw new Error(`no step ${line}`);
  await steps[line]();
  process.stdout.write(`${line}\n`);
}

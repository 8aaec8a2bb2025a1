// nginx before a hub, as Debian ships it: everything at its default but addresses and files.

import { TempDir } from "./binary.ts";
import { track, within } from "./processes.ts";

const startTimeoutMs = 20_000;

export type NginxProxy = AsyncDisposable & {
  url: string;
  /** The same hub below `/impatient`, where a silence of 30 s ends an answer. */
  impatient: string;
};

/** Puts nginx on a free port before `target`, an origin; `locations` takes the place of the ones it has by itself. */
export async function startNginx(target: string, locations = locationsOf(target)): Promise<NginxProxy> {
  const folder = await TempDir.create();
  const port = freePort();
  const file = `${folder.path}/nginx.conf`;
  await Bun.write(file, configuration(folder.path, port, locations));
  const child = track(
    Bun.spawn(["nginx", "-p", folder.path, "-c", file, "-e", "stderr"], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  async function dispose(): Promise<void> {
    child.kill("SIGKILL");
    await child.exited;
    await folder[Symbol.asyncDispose]();
  }
  try {
    await within(
      startTimeoutMs,
      "answer of nginx",
      answers(url, () => child.exitCode !== null),
    );
  } catch (cause) {
    await dispose();
    throw new Error(`nginx did not start: ${await new Response(child.stderr).text()}`, { cause });
  }
  return { url, impatient: "/impatient", [Symbol.asyncDispose]: dispose };
}

async function answers(url: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      await (await fetch(`${url}/healthz`)).text();
      return;
    } catch {
      // It does not listen yet.
      await Bun.sleep(10);
    }
  }
  throw new Error("it ended");
}

function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const port = server.port ?? 0;
  void server.stop(true); // nothing is under way on it
  return port;
}

const locationsOf = (target: string): string => `
    location / { proxy_pass ${target}; }
    location /impatient/ { proxy_pass ${target}/; proxy_read_timeout 30s; }`;

function configuration(folder: string, port: number, locations: string): string {
  const temps = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
daemon off;
master_process off;
error_log stderr warn;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  ${temps.join("\n  ")}
  server {
    listen 127.0.0.1:${port};
    ${locations}
  }
}
`;
}

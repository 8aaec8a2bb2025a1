// The isolation matrix (mcp-tools.md 6): every tool, resource and route for each kind of caller against each kind of
// project, over HTTP and byte by byte. What is denied answers exactly as what is missing, on both protocol lines.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type CallName, calls } from "../../src/shared/api.ts";
import { isObject } from "../../src/shared/json.ts";
import {
  agentNames,
  type CallerName,
  insiders,
  matrix,
  openResources,
  openWorld,
  pageResource,
  skillRequests,
  strangers,
  type Target,
  toolWays,
  type Way,
  type World,
} from "./isolation.ts";
import {
  callRoute,
  callTool,
  comparable,
  contentOf,
  errorOf,
  exchange,
  lines,
  type Raw,
  rpc,
} from "./isolation-requests.ts";
import { type RouteEntry, routeEntries } from "./isolation-routes.ts";

setDefaultTimeout(120_000);

const denial = { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} };

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const missing = (): Target => {
  const found = world.targets.find(({ name }) => name === "missing");
  if (found === undefined) throw new Error("no missing target");
  return found;
};
const present = (): Target[] => world.targets.filter(({ name }) => name !== "missing");

describe("the tables are whole", () => {
  test("every tool has its ways", () => {
    expect(Object.keys(toolWays).sort()).toEqual(world.hub.hub.tools.map(({ name }) => name).sort());
  });

  test("every route has its entry, of the kind its token rule asks for", () => {
    expect(Object.keys(routeEntries).sort()).toEqual(world.hub.hub.routes.map(({ call }): string => call).sort());
    for (const [name, entry] of Object.entries(routeEntries)) {
      const { auth } = calls[name as CallName]; // keys of the table
      expect([name, auth === "operator"]).toEqual([name, entry === "operator"]);
      expect([name, auth === "none"]).toEqual([name, entry === "public"]);
    }
  });

  test.each(lines)("every resource is listed to its readers alone, on the %s line", async (line) => {
    for (const caller of insiders) {
      const { result } = JSON.parse((await rpc(world, caller, line, "resources/list")).body);
      const pages = present().filter(({ name }) => matrix[name][caller] !== "-");
      expect(result.resources.map(({ uri }: { uri: string }) => uri)).toEqual([
        ...openResources,
        ...pages.map(pageResource).sort(),
      ]);
      expect(result.nextCursor).toBeUndefined();
    }
  });
});

describe("without a token that is live", () => {
  test.each(strangers)("%s: one 401 for every tool, resource and operator's or agent's route", async (caller) => {
    const told = new Set<string>();
    for (const target of world.targets) {
      for (const [name, ways] of Object.entries(toolWays)) {
        for (const { args } of ways) {
          for (const line of lines) told.add(JSON.stringify(await callTool(world, caller, line, name, args(target))));
        }
      }
      for (const [name, entry] of Object.entries(routeEntries)) {
        if (entry === "public") continue;
        const raw = await callRoute(world, caller, name as CallName, target); // keys of the table
        told.add(JSON.stringify(raw));
      }
    }
    for (const uri of [...openResources, ...world.targets.map(pageResource)]) {
      told.add(JSON.stringify(await rpc(world, caller, "2025", "resources/read", { uri })));
    }
    for (const [method, params] of [...skillRequests, ["resources/list", {}] as const]) {
      told.add(JSON.stringify(await rpc(world, caller, "2025", method, params)));
    }
    told.add(JSON.stringify(await exchange(world, caller, "/api/v1/stream", {})));
    const [only = "", ...others] = told;
    expect(others).toEqual([]);
    expect(JSON.parse(only)).toMatchObject({ status: 401, type: "application/problem+json" });
    expect(only).toContain("a valid bearer token is needed");
  });

  test("a revoked token and one that never was are told the same", async () => {
    const [revoked, garbage] = await Promise.all(
      (["revoked", "garbage"] as const).map((caller) => callTool(world, caller, "2025", "whoami", {})),
    );
    expect(revoked).toEqual(garbage ?? { status: 0, type: null, body: "" });
  });
});

describe("tools", () => {
  /** No answer in a comparison may carry what happens to be pending. */
  async function drain(caller: CallerName): Promise<void> {
    for (let call = 0; call < 20; call += 1) {
      if (contentOf(await callTool(world, caller, "2025", "whoami", {}))["notifications"] === undefined) return;
    }
    throw new Error("the trailer does not end");
  }

  const cases = Object.entries(toolWays).flatMap(([tool, ways]) =>
    ways.filter(({ right }) => right !== "self").map((way): [string, string, Way] => [tool, way.title, way]),
  );

  describe.each(lines)("on the %s line", (line) => {
    test.each(cases)("%s, %s", async (tool, _title, way) => {
      for (const caller of [...agentNames, "operator" as const]) {
        for (const target of world.targets) {
          const rights = matrix[target.name][caller];
          const isLetIn = way.right === "write" ? rights === "rw" : rights !== "-";
          const at = `${caller} at ${target.name}`;
          if (way.right === "view" || way.right === "foreign") await drain(caller);
          const raw = await callTool(world, caller, line, tool, way.args(target));
          expect(raw.status, at).toBe(200);
          const error = errorOf(raw);

          if (way.right === "foreign") {
            if (way.counts?.(target, caller) === true) {
              // The first line that asks may use it up.
              if (line === lines[0]) expect(error, at).toBeUndefined();
            } else {
              const other = await callTool(world, caller, line, tool, way.args(missing()));
              expect(comparable(raw, target), at).toEqual(comparable(other, missing()));
            }
            continue;
          }
          if (isLetIn) {
            const isOwner = isObject(error?.["details"]) && "owner" in error["details"];
            const what = isOwner ? "owner" : String(error?.["code"]);
            if (error !== undefined) expect(way.may ?? [], `${at}: ${raw.body}`).toContain(what);
            continue;
          }
          // Byte for byte what is told of a missing one.
          const other = await callTool(world, caller, line, tool, way.args(missing()));
          if (way.right === "view") {
            expect(error, at).toBeUndefined();
            expect(comparable(raw, target), at).toEqual(comparable(other, missing()));
          } else {
            expect(raw, at).toEqual(other);
            if (caller === "operator") expect(error, at).toMatchObject({ code: "not_found", details: {} });
            else expect(error, at).toEqual(denial);
          }
          expect(raw.body, at).not.toContain(target.word);
        }
      }
    });
  });

  test("what takes the active session for granted asks for the right to the project all the same", async () => {
    for (const caller of agentNames) {
      const connection = crypto.randomUUID();
      const call = (tool: string, args: object): Promise<Raw> =>
        callTool(world, caller, "2026", tool, args, connection);
      expect(contentOf(await call("session_start", { project_id: "open", session_name: "bound" }))).toMatchObject({
        bound: true,
      });
      await call("brain_put", { store: "session", path: "/fs/x.md", content: "x" });
      for (const target of world.targets) {
        const promote = (to: Target): Promise<Raw> =>
          call("brain_promote", { project_id: to.project, from_path: "/fs/x.md", to_path: "/fs/promoted.md" });
        const raw = await promote(target);
        if (matrix[target.name][caller] === "rw") expect(errorOf(raw), `${caller} at ${target.name}`).toBeUndefined();
        else {
          expect(errorOf(raw)).toEqual(denial);
          expect(raw).toEqual(await promote(missing()));
        }
      }
    }
  });

  test("those that name no project answer every agent alike, but for who it is", async () => {
    for (const [tool, ways] of Object.entries(toolWays)) {
      for (const { args } of ways.filter(({ right }) => right === "self")) {
        for (const caller of insiders) {
          const raw = await callTool(world, caller, "2026", tool, args(missing()));
          expect(errorOf(raw), `${tool} by ${caller}`).toBeUndefined();
          for (const target of present()) {
            if (matrix[target.name][caller] === "-") expect(raw.body).not.toContain(target.word);
          }
        }
      }
    }
  });

  test("who is denied changes nothing", async () => {
    // Everybody has been seen by now, so a refused call has no trace at all.
    for (const caller of agentNames) await callTool(world, caller, "2025", "whoami", {});
    const before = await world.hub.snapshot();
    for (const [tool, ways] of Object.entries(toolWays)) {
      for (const { right, args } of ways.filter((way) => way.right === "read" || way.right === "write")) {
        for (const caller of agentNames) {
          for (const target of world.targets) {
            const rights = matrix[target.name][caller];
            if (right === "write" ? rights === "rw" : rights !== "-") continue;
            expect(errorOf(await callTool(world, caller, "2025", tool, args(target)))).toEqual(denial);
          }
        }
      }
    }
    expect(await world.hub.snapshot()).toBe(before);
  });
});

describe("resources", () => {
  test.each(lines)("on the %s line: a page is read by its readers, and is as missing to all others", async (line) => {
    for (const caller of insiders) {
      const denied = new Set<string>();
      for (const target of world.targets) {
        const uri = pageResource(target);
        const raw = await rpc(world, caller, line, "resources/read", { uri });
        if (matrix[target.name][caller] === "-") {
          denied.add(JSON.stringify(raw));
          continue;
        }
        const { contents } = JSON.parse(raw.body).result;
        const text = `# ${target.word} page`;
        expect(contents).toEqual([{ uri, mimeType: "text/markdown; charset=utf-8", text }]);
      }
      const [only = "", ...others] = denied;
      expect([caller, others]).toEqual([caller, []]);
      if (caller === "operator") expect(only).toContain("there is no project");
      else expect(JSON.parse(JSON.parse(only).body).error).toMatchObject({ code: -32600, data: { error: denial } });
    }
  });

  test.each(lines)("on the %s line: a cursor into a project that is hidden leads nowhere else", async (line) => {
    for (const caller of agentNames) {
      const hidden = present().filter(({ name }) => matrix[name][caller] === "-");
      const gone = world.targets.filter(({ name }) => name === "missing");
      for (const target of [...hidden, ...gone]) {
        const raw = await rpc(world, caller, line, "resources/list", { cursor: pageResource(target) });
        const uris: string[] = JSON.parse(raw.body).result.resources.map(({ uri }: { uri: string }) => uri);
        // Other tests have written pages of their own by now.
        const readable = present().filter(({ name }) => matrix[name][caller] !== "-");
        expect(uris.filter((uri) => uri <= pageResource(target))).toEqual([]);
        expect(uris.filter((uri) => !readable.some(({ project }) => uri.includes(`/kb/${project}/`)))).toEqual([]);
        const behind = readable.map(pageResource).filter((uri) => uri > pageResource(target));
        expect(behind.filter((uri) => !uris.includes(uri))).toEqual([]);
      }
    }
  });

  test.each(lines)("on the %s line: the same bytes for everybody, and no word of any project", async (line) => {
    const reads = openResources.map((uri) => ["resources/read", { uri }] as const);
    for (const [method, params] of [...reads, ...skillRequests, ["resources/templates/list", {}] as const]) {
      const texts = new Set<string>();
      for (const caller of insiders) texts.add(JSON.stringify(await rpc(world, caller, line, method, params)));
      expect([...texts]).toHaveLength(1);
      for (const target of present()) {
        for (const word of [target.word, target.project, target.session]) {
          // `open` is a plain word too.
          if (word !== "open") expect([...texts].join()).not.toMatch(new RegExp(`\\b${word}\\b`));
        }
      }
    }
  });

  test.each(lines)("on the %s line: an address that names nothing is not found, for everybody", async (line) => {
    for (const caller of insiders) {
      const answer = JSON.parse((await rpc(world, caller, line, "resources/read", { uri: "agenthub://nothing" })).body);
      expect(answer.error).toMatchObject({
        code: line === "2025" ? -32002 : -32602,
        data: { uri: "agenthub://nothing", error: { code: "not_found" } },
      });
    }
  });
});

describe("routes", () => {
  const entries: [CallName, RouteEntry][] = Object.entries(routeEntries) as [CallName, RouteEntry][]; // keys of the table

  test.each(entries.filter(([, entry]) => entry === "operator"))("%s is the operator's alone", async (name) => {
    const told = new Set<string>();
    for (const caller of agentNames) {
      for (const target of world.targets) told.add(JSON.stringify(await callRoute(world, caller, name, target)));
    }
    expect([...told]).toHaveLength(1);
    // Exactly what a token that never was is told.
    expect([...told]).toEqual([JSON.stringify(await callRoute(world, "garbage", name, missing()))]);
    // What the operator names and is not there is told by name; a list of everything has nothing to miss.
    const asked = await callRoute(world, "operator", name, missing());
    expect(asked.status).not.toBe(401);
    expect(asked.status).not.toBe(403);
    if (calls[name].method === "GET" && calls[name].path.includes(":")) expect([400, 404]).toContain(asked.status);
  });

  test.each(entries.filter(([, entry]) => typeof entry === "object"))("%s follows the matrix", async (name, entry) => {
    if (typeof entry !== "object") return;
    for (const caller of insiders) {
      for (const target of world.targets) {
        const rights = matrix[target.name][caller];
        const isLetIn = entry.right === "write" ? rights === "rw" : rights !== "-";
        // What a write would do is shown elsewhere; here it would change the matrix.
        if (isLetIn && entry.right === "write") continue;
        const raw = await callRoute(world, caller, name, target, entry.body);
        const at = `${caller} at ${target.name}`;
        if (isLetIn) {
          expect(raw.status, at).toBe(200);
          expect(raw.body, at).toContain(JSON.stringify(target.project));
          continue;
        }
        expect(raw, at).toEqual(await callRoute(world, caller, name, missing(), entry.body));
        expect(raw.status, at).toBe(caller === "operator" ? 404 : 403);
        if (caller !== "operator") expect(JSON.parse(raw.body)).toMatchObject({ detail: denial.message, details: {} });
      }
    }
  });

  test("the list of projects is exactly what the caller may read", async () => {
    for (const caller of insiders) {
      const { projects } = JSON.parse((await callRoute(world, caller, "listProjects", missing())).body);
      const listed = projects.map(({ id }: { id: string }) => id);
      for (const target of world.targets) {
        expect([caller, target.name, listed.includes(target.project)]).toEqual([
          caller,
          target.name,
          matrix[target.name][caller] !== "-",
        ]);
      }
    }
  });

  test("a project that is taken is told so to everybody: ids are no secret, and nothing else is told", async () => {
    const told = new Set<string>();
    for (const caller of agentNames) {
      const raw = await callRoute(world, caller, "createProject", missing(), { id: "secret", display_name: "Mine" });
      expect(raw.status).toBe(409);
      told.add(raw.body);
    }
    expect([...told]).toHaveLength(1);
    expect([...told].join()).not.toContain("Project secret");
  });

  test.each(["/api/v1/stream", "/metrics"])("%s is the operator's alone", async (path) => {
    const refused = await exchange(world, "garbage", path, {});
    for (const caller of agentNames) expect(await exchange(world, caller, path, {})).toEqual(refused);
  });

  test("what is public says nothing of any project, agent or session", async () => {
    for (const path of [
      "/",
      "/sw.js",
      "/icon.svg",
      "/manifest.webmanifest",
      "/bootstrap/SKILL.md",
      "/healthz",
      "/readyz",
    ]) {
      const { status, body } = await exchange(world, "none", path, {});
      expect([path, status]).toEqual([path, 200]);
      for (const target of present()) {
        for (const word of [target.word, target.session, "space-", "Agent nina", "Project "]) {
          expect([path, body.includes(word)]).toEqual([path, false]);
        }
      }
    }
  });
});

// Addresses of the app, written and read back.
import { describe, expect, test } from "bun:test";
import { matchRoute, parseRoute, routeText } from "../../src/web/shell/route.ts";

describe("a route", () => {
  test.each([
    ["", "/", [], {}],
    ["#/", "/", [], {}],
    [
      "#/inbox/01J?view=unread&project=a%20b",
      "/inbox/01J?view=unread&project=a%20b",
      ["inbox", "01J"],
      { view: "unread", project: "a b" },
    ],
    ["#inbox", "/inbox", ["inbox"], {}],
    ["#/p/x/kb/a%2Fb/c", "/p/x/kb/a%2Fb/c", ["p", "x", "kb", "a/b", "c"], {}],
    ["#/50%", "/50%", ["50%"], {}],
  ])("%j", (hash, text, segments, query) => {
    const route = parseRoute(hash);
    expect([route.text, route.segments, Object.fromEntries(route.query)]).toEqual([text, segments, query]);
  });

  test("is read back as it was written", () => {
    const text = routeText(["p", "a/b", "ü ?"], { view: "x&y", none: undefined, empty: "" });
    const { segments, query } = parseRoute(text);
    expect([segments, [...query]]).toEqual([["p", "a/b", "ü ?"], [["view", "x&y"]]]);
  });
});

test.each([
  ["inbox/:event?", "/inbox", {}],
  ["inbox/:event?", "/inbox/01J", { event: "01J" }],
  ["inbox/:event?", "/inbox/01J/x", undefined],
  ["inbox/:event?", "/other", undefined],
  ["p/:id/feed", "/p/x", undefined],
  ["p/:id/kb/*", "/p/x/kb/a/b", { id: "x", path: "a/b" }],
  ["p/:id/kb/*", "/p/x/kb", { id: "x", path: "" }],
  ["", "/", {}],
  ["", "/x", undefined],
])("%j of %j is %j", (pattern, text, params) => {
  expect(matchRoute(pattern, parseRoute(text))).toEqual(params);
});

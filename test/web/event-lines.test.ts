// The parser of the stream, however its bytes are cut.
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { eventReader, type StreamEvent } from "../../src/web/data/event-lines.ts";

function readAll(pieces: readonly string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const read = eventReader((event) => events.push(event));
  for (const piece of pieces) read(piece);
  return events;
}

const text =
  'event: hello\ndata: {"cursor":"a"}\n\n: hb\n\nevent: change\nid: 7\ndata: one\ndata: two\n\ndata:bare\n\n';
const told = [
  { event: "hello", data: '{"cursor":"a"}', id: undefined },
  { event: "change", data: "one\ntwo", id: "7" },
  { event: "message", data: "bare", id: undefined },
];

test("events come whole, comments are none", () => {
  expect(readAll([text])).toEqual(told);
});

test("however it is cut, with any line ends", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), fc.constantFrom("\n", "\r\n", "\r"), (cuts, end) => {
      const whole = text.replaceAll("\n", end);
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
      const pieces = places.slice(1).map((place, index) => whole.slice(places[index], place));
      // A lone return at the very end may still become a line end of two.
      expect(readAll([...pieces, "\n"])).toEqual(told);
    }),
  );
});

test("a piece that is empty does not part the two halves of a line end", () => {
  expect(readAll(["event: a\r", "", "\ndata: x\r\n\r\n"])).toEqual([{ event: "a", data: "x", id: undefined }]);
});

test("what is not finished is not told", () => {
  expect(readAll(["event: change\ndata: x\n"])).toEqual([]);
});

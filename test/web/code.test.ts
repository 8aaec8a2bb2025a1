// The code on the last page of first run, read by a reader of codes.
import { expect, test } from "bun:test";
import decodeQR from "qr/decode.js";
import { codeOf } from "../../src/web/screens/start/code.ts";

const pixels = 4;

/** The path as a camera would see it: dark runs on a light ground. */
function picture(text: string) {
  const { box, path } = codeOf(text);
  const side = Number(box.split(" ").at(-1)) * pixels;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * pixels; row < (Number(y) + 1) * pixels; row += 1) {
      const start = (row * side + Number(x) * pixels) * 4;
      for (let at = start; at < start + Number(length) * pixels * 4; at += 4) data.fill(0, at, at + 3);
    }
  }
  return { width: side, height: side, data };
}

test.each([
  "https://box/",
  "http://192.168.1.20:8080/",
  "https://hub.example.org/a/rather/deep/prefix/with-a-name-of-its-own/hub/",
  "https://xn--mnchen-3ya.example/h%C3%BCb/",
])("%s is what a reader reads", (address) => {
  expect(decodeQR(picture(address))).toBe(address);
});

// One spelling for each address.
import { expect, test } from "bun:test";
import { canonicalIp, isLoopbackIp } from "../../src/config/ip-address.ts";

test.each([
  ["10.0.0.1", "10.0.0.1"],
  ["255.255.255.255", "255.255.255.255"],
  ["::", "::"],
  ["2001:DB8:0:0::1", "2001:db8::1"],
  ["::ffff:192.168.1.20", "192.168.1.20"],
  ["::FFFF:c0a8:0114", "192.168.1.20"],
  ["", undefined],
  ["1.2.3", undefined],
  ["1.2.3.4.5", undefined],
  ["1.2.3.4.", undefined],
  ["01.2.3.4", undefined],
  ["256.1.1.1", undefined],
  ["0x7f.0.0.1", undefined],
  ["10.0.0.0/8", undefined],
  ["[::1]", undefined],
  ["::1%lo", undefined],
  [":::1", undefined],
  ["abc", undefined],
])("%s", (text, expected) => {
  expect(canonicalIp(text)).toBe(expected);
});

test.each([
  ["127.0.0.1", true],
  ["127.255.0.9", true],
  ["::1", true],
  ["128.0.0.1", false],
  ["::", false],
  ["0.0.0.0", false],
])("loopback %s", (address, expected) => {
  expect(isLoopbackIp(address)).toBe(expected);
});

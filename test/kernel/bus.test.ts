// Topics and who hears them.
import { expect, test } from "bun:test";
import { createBus } from "../../src/kernel/bus.ts";

test("a listener hears its own topics only, once a publish, until disposed", () => {
  const bus = createBus();
  const heard: string[] = [];
  const subscription = bus.subscribe(["a", "b"], () => heard.push("ab"));
  using _other = bus.subscribe(["c"], () => heard.push("c"));
  bus.publish(["a", "b"]);
  bus.publish(["c", "d"]);
  bus.publish([]);
  expect(heard).toEqual(["ab", "c"]);
  subscription[Symbol.dispose]();
  subscription[Symbol.dispose]();
  bus.publish(["a", "b", "c"]);
  expect(heard).toEqual(["ab", "c", "c"]);
});

test("one function subscribed twice is two subscriptions", () => {
  const bus = createBus();
  let heard = 0;
  const listener = (): void => {
    heard += 1;
  };
  const first = bus.subscribe(["a"], listener);
  const second = bus.subscribe(["a"], listener);
  expect(bus.size()).toBe(2);
  bus.publish(["a"]);
  first[Symbol.dispose]();
  bus.publish(["a"]);
  expect(heard).toBe(3);
  second[Symbol.dispose]();
  expect(bus.size()).toBe(0);
});

test("a listener that was disposed during a publish is not called by it, one that came is not either", () => {
  const bus = createBus();
  const heard: string[] = [];
  using _first = bus.subscribe(["a"], () => {
    heard.push("first");
    second[Symbol.dispose]();
    late.push(bus.subscribe(["a"], () => heard.push("late")));
  });
  const second = bus.subscribe(["a"], () => heard.push("second"));
  const late: Disposable[] = [];
  bus.publish(["a"]);
  expect(heard).toEqual(["first"]);
});

test("a listener that fails keeps no other from hearing, and the publisher learns of it", () => {
  const bus = createBus();
  const heard: string[] = [];
  const thrown = new Error("no");
  using _first = bus.subscribe(["a"], () => {
    throw thrown;
  });
  using _second = bus.subscribe(["a"], () => heard.push("second"));
  using _tap = bus.tap((topics) => heard.push(...topics));
  expect(() => bus.publish(["a", "b"])).toThrow(thrown);
  expect(heard).toEqual(["second", "a", "b"]);
});

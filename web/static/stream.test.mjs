import assert from "node:assert/strict";
import { test } from "node:test";
import { Stream } from "./stream.js";

/** A world whose connections and timers are moved by hand. */
function setup(after = 7) {
  const opened = [];
  const timers = [];
  const seen = [];
  const states = [];
  const world = {
    open: (url) => {
      const source = { url, readyState: 1, close: () => (source.readyState = 2) };
      opened.push(source);
      return source;
    },
    closed: 2,
    later: (run, wait) => timers.push({ run, wait }),
    cancel: () => {},
    random: () => 1,
  };
  const stream = new Stream("/events", after, { event: (e) => seen.push(e), state: (s) => states.push(s) }, world);
  const say = (id, data) => opened.at(-1).onmessage({ lastEventId: String(id), data: JSON.stringify(data) });
  const die = () => ((opened.at(-1).readyState = 2), opened.at(-1).onerror());
  return { stream, opened, timers, seen, states, say, die };
}

test("events are handed on and counted", () => {
  const { stream, opened, seen, say } = setup();
  stream.start();
  say(9, { type: "session", turn: 1 });
  say(9, { type: "delta", turn: 1, offset: 0, content: "a" });
  assert.equal(opened[0].url, "/events?after=7");
  assert.deepEqual(seen.map((e) => e.type), ["session", "delta"]);
  assert.equal(stream.last, 9);
});

test("a dropped connection is the browser's to mend", () => {
  const { stream, opened, timers, states } = setup();
  stream.start();
  opened[0].readyState = 0;
  opened[0].onerror();
  assert.equal(timers.length, 0);
  assert.deepEqual(states, ["waiting"]);
});

test("a closed one is opened again after the last event seen, waiting longer", () => {
  const { stream, opened, timers, say, die } = setup();
  stream.start();
  say(12, { type: "done", turn: 1 });
  die();
  timers[0].run();
  assert.equal(opened[1].url, "/events?after=12");
  die();
  timers[1].run();
  die();
  assert.deepEqual(timers.map((t) => t.wait), [500, 1000, 2000]);
  for (let i = 2; i < 12; i++) (timers[i].run(), die());
  assert.equal(timers.at(-1).wait, 30_000);
});

test("once it holds, the wait is short again", () => {
  const { stream, opened, timers, states, die } = setup();
  stream.start();
  die();
  timers[0].run();
  opened[1].onopen();
  die();
  assert.equal(timers[1].wait, 500);
  assert.deepEqual(states, ["waiting", "open", "waiting"]);
});

test("waking opens only what is not open", () => {
  const { stream, opened } = setup();
  stream.wake();
  stream.wake();
  assert.equal(opened.length, 1);
  stream.stop();
  stream.wake();
  assert.equal(opened.length, 2);
});

test("what is no JSON is passed over", () => {
  const { stream, opened, seen } = setup();
  stream.start();
  opened[0].onmessage({ lastEventId: "8", data: "{" });
  assert.deepEqual(seen, []);
});

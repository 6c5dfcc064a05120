import assert from "node:assert/strict";
import { test } from "node:test";
import { Line } from "./voiceline.js";
import { Place } from "./voiceplace.js";
import { barOf } from "./voicewave.js";

/** world is an outside whose sockets and timers a test moves. */
function world() {
  const sockets = [];
  const timers = [];
  return {
    sockets,
    open() {
      const socket = { sent: [], send: (data) => socket.sent.push(data), close: () => (socket.closed = true) };
      sockets.push(socket);
      return socket;
    },
    later: (run) => timers.push(run),
    cancel() {},
    random: () => 0.5,
    tick: () => timers.shift()(),
    tell: (frame) => sockets.at(-1).onmessage({ data: JSON.stringify(frame) }),
  };
}

/** called opens a line and lets it be ready. */
function called() {
  const outside = world();
  const events = [];
  const states = [];
  const line = new Line("ws://x", { call: "one-call", mode: "hands_free" }, { event: (e) => events.push(e), sound() {}, state: (s) => states.push(s) }, outside);
  outside.sockets[0].onopen();
  outside.tell({ type: "ready", utterance: 1 });
  return { outside, line, events, states };
}

const sounds = (socket) => socket.sent.filter((data) => typeof data !== "string");
const frames = (socket) => socket.sent.filter((data) => typeof data === "string").map((data) => JSON.parse(data));

test("a line says who it is before any sound", () => {
  const outside = world();
  const line = new Line("ws://x", { call: "one-call", mode: "push" }, { event() {}, sound() {}, state() {} }, outside);
  line.hear(new Int16Array(1));
  outside.sockets[0].onopen();
  assert.deepEqual(frames(outside.sockets[0]), [{ type: "start", rate: 16000, utterance: 1, call: "one-call", mode: "push" }]);
  assert.equal(sounds(outside.sockets[0]).length, 0);
  outside.tell({ type: "ready", utterance: 1 });
  line.hear(new Int16Array(2));
  assert.equal(sounds(outside.sockets[0]).length, 1);
});

test("what was said when the line broke is sent again", () => {
  const { outside, line, states } = called();
  outside.tell({ seq: 17, type: "done" });
  outside.tell({ type: "state", state: "hearing" });
  line.hear(Int16Array.of(1));
  line.hear(Int16Array.of(2));
  outside.sockets[0].onclose();
  line.hear(Int16Array.of(3)); // the person speaks on
  outside.tick();
  outside.sockets[1].onopen();
  assert.deepEqual(frames(outside.sockets[1])[0], { type: "start", rate: 16000, utterance: 1, call: "one-call", mode: "hands_free", after: 17 });
  outside.tell({ type: "ready", utterance: 1 });
  assert.deepEqual(sounds(outside.sockets[1]).map((s) => s[0]), [1, 2, 3]);
  assert.deepEqual(states, ["open", "waiting", "open"]);
});

test("what was taken is not sent again", () => {
  const { outside, line } = called();
  outside.tell({ type: "state", state: "thinking" });
  line.hear(Int16Array.of(1));
  outside.sockets[0].onclose();
  outside.tick();
  outside.sockets[1].onopen();
  outside.tell({ type: "ready", utterance: 2 });
  assert.equal(sounds(outside.sockets[1]).length, 0);
  outside.sockets[1].onclose();
  outside.tick();
  outside.sockets[2].onopen();
  assert.equal(frames(outside.sockets[2])[0].utterance, 2);
});

test("silence is not kept", () => {
  const { outside, line } = called();
  outside.tell({ type: "state", state: "listening" });
  for (let i = 0; i < 500; i++) line.hear(Int16Array.of(i));
  outside.tell({ type: "state", state: "hearing" });
  outside.sockets[0].onclose();
  outside.tick();
  outside.sockets[1].onopen();
  outside.tell({ type: "ready", utterance: 1 });
  const sent = sounds(outside.sockets[1]);
  assert.equal(sent.length, 50);
  assert.equal(sent.at(-1)[0], 499);
});

test("what is said while there is no line is sent once there is one, silence is not", () => {
  for (const loud of [true, false]) {
    const { outside, line } = called();
    outside.tell({ type: "state", state: "listening" });
    outside.sockets[0].onclose();
    for (let i = 0; i < 200; i++) line.hear(Int16Array.of(i), loud && i > 60);
    outside.tick();
    outside.sockets[1].onopen();
    outside.tell({ type: "ready", utterance: 1 });
    const sent = sounds(outside.sockets[1]);
    assert.equal(sent.length, loud ? 189 : 0, "a second of what came before it, too");
    if (loud) assert.equal(sent.at(-1)[0], 199);
  }
});

test("what is said after an utterance is kept when that is written down", () => {
  const { outside, line } = called();
  outside.tell({ type: "state", state: "hearing" });
  line.hear(Int16Array.of(1));
  outside.tell({ type: "state", state: "thinking" });
  line.hear(Int16Array.of(2));
  outside.tell({ type: "state", state: "hearing" });
  line.hear(Int16Array.of(3));
  outside.tell({ type: "heard", utterance: 1, text: "one" });
  outside.sockets[0].onclose();
  outside.tick();
  outside.sockets[1].onopen();
  assert.equal(frames(outside.sockets[1])[0].utterance, 2);
  outside.tell({ type: "ready", utterance: 2 });
  assert.deepEqual(sounds(outside.sockets[1]).map((s) => s[0]), [2, 3]);
});

test("a button that is held while the line breaks is held on the next", () => {
  const outside = world();
  const line = new Line("ws://x", { call: "one-call", mode: "push" }, { event() {}, sound() {}, state() {} }, outside);
  outside.sockets[0].onopen();
  outside.tell({ type: "ready", utterance: 1 });
  outside.tell({ type: "state", state: "listening" });
  line.hear(Int16Array.of(1)); // nobody holds it
  line.send({ type: "press" });
  line.hear(Int16Array.of(2));
  outside.tell({ type: "state", state: "hearing" });
  outside.sockets[0].onclose();
  line.hear(Int16Array.of(3));
  line.send({ type: "release" });
  line.hear(Int16Array.of(4));
  outside.tick();
  outside.sockets[1].onopen();
  outside.tell({ type: "ready", utterance: 1 });
  const sent = () => outside.sockets.at(-1).sent.slice(1).map((data) => (typeof data === "string" ? JSON.parse(data).type : data[0]));
  assert.deepEqual(sent(), ["press", 2, 3, "release"]);
  outside.tell({ type: "heard", utterance: 1, text: "one" });
  outside.sockets[1].onclose();
  outside.tick();
  outside.sockets[2].onopen();
  outside.tell({ type: "ready", utterance: 2 });
  assert.deepEqual(sent(), []);
});

test("a press that was no utterance is forgotten", () => {
  const outside = world();
  const line = new Line("ws://x", { call: "one-call", mode: "push" }, { event() {}, sound() {}, state() {} }, outside);
  outside.sockets[0].onopen();
  outside.tell({ type: "ready", utterance: 1 });
  line.send({ type: "press" });
  outside.tell({ type: "state", state: "hearing" });
  line.send({ type: "release" });
  outside.tell({ type: "state", state: "listening" });
  outside.sockets[0].onclose();
  outside.tick();
  outside.sockets[1].onopen();
  outside.tell({ type: "ready", utterance: 1 });
  assert.equal(outside.sockets[1].sent.length, 1);
});

test("a reply goes on at the sentence that was not heard to its end", () => {
  const place = new Place();
  assert.equal(place.rest({ turn: 0, ms: 0 }), null);
  place.reply(3); // nothing of it was spoken yet
  assert.deepEqual(place.rest({ turn: 2, ms: 900 }), { turn: 3, from: 0 });
  place.caption({ turn: 3, ms: 0, from: 0 });
  place.caption({ turn: 3, ms: 1200, from: 20 });
  place.caption({ turn: 3, ms: 2500, from: 55 });
  assert.deepEqual(place.rest({ turn: 3, ms: 1900 }), { turn: 3, from: 20 });
  place.stop(3);
  assert.equal(place.rest({ turn: 3, ms: 1900 }), null, "the person broke in");
  place.resume(3);
  place.caption({ turn: 0, ms: 0, from: 0 }); // a reminder
  place.spoken({ turn: 3, ms: 4000 });
  assert.deepEqual(place.rest({ turn: 3, ms: 2600 }), { turn: 3, from: 55 });
  assert.equal(place.rest({ turn: 3, ms: 3990 }), null);
});

test("the next line tells where the reply goes on", () => {
  const outside = world();
  new Line("ws://x", { call: "one-call", mode: "hands_free" }, { event() {}, sound() {}, state() {}, rest: () => ({ turn: 3, from: 20 }) }, outside);
  outside.sockets[0].onopen();
  assert.equal(frames(outside.sockets[0])[0].rest, undefined);
  outside.tell({ type: "ready", utterance: 1 });
  outside.tell({ seq: 9, type: "message", turn: 3 });
  outside.sockets[0].onclose();
  outside.tick();
  outside.sockets[1].onopen();
  assert.deepEqual(frames(outside.sockets[1])[0].rest, { turn: 3, from: 20 });
});

test("a call that has ended does not come back", () => {
  const { outside, line, events } = called();
  outside.tell({ type: "end", reason: "completed" });
  outside.sockets[0].onclose();
  assert.throws(() => outside.tick());
  assert.equal(events.at(-1).reason, "completed");
  line.end();
  assert.ok(outside.sockets[0].closed);
});

test("how it hears lasts over a new line", () => {
  const { outside, line } = called();
  line.send({ type: "mute", muted: true });
  outside.sockets[0].onclose();
  outside.tick();
  outside.sockets[1].onopen();
  assert.equal(frames(outside.sockets[1])[0].muted, true);
});

test("bars grow with the loudness", () => {
  assert.equal(barOf(0), 0);
  assert.equal(barOf(0.0001), 0);
  assert.ok(barOf(0.01) > 0.3 && barOf(0.01) < barOf(0.1));
  assert.equal(barOf(1), 1);
});

test("who only listens says so, and numbers no utterances", () => {
  const outside = world();
  const line = new Line("ws://x", { watch: true, listen: true }, { event() {}, sound() {}, state() {} }, outside);
  outside.sockets[0].onopen();
  assert.deepEqual(frames(outside.sockets[0]), [{ type: "start", rate: 16000, watch: true, listen: true }]);
  assert.equal(line.watches, true);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Transcript } from "./transcript.js";

/** A view that keeps what is shown, by id. */
class Shown {
  entries = new Map();

  show(entry) {
    this.entries.set(entry.id, entry);
  }

  drop(id) {
    this.entries.delete(id);
  }

  /** "id: text (state)" of each entry. */
  get lines() {
    return [...this.entries.values()].map((e) => `${e.id}: ${e.text} (${e.state})`).sort();
  }
}

function setup(known = []) {
  const view = new Shown();
  return { view, transcript: new Transcript(view, known, (user) => user ?? "You") };
}

const turn = [
  ["started", { turn: 3, message: "Bread", userId: "ann" }],
  ["delta", { turn: 3, offset: 0, content: "Thank " }],
  ["delta", { turn: 3, offset: 6, content: "you" }],
  ["message", { turn: 3, role: "assistant", content: "Thank you." }],
  ["ended", 3],
];

const finished = ["3-assistant: Thank you. (whole)", "3-user: Bread (said)"];

test("a turn is shown", () => {
  const { view, transcript } = setup();
  for (const [event, data] of turn) transcript[event](data);
  assert.deepEqual(view.lines, finished);
});

test("events that come twice change nothing", () => {
  const { view, transcript } = setup();
  for (const [event, data] of [...turn, ...turn]) transcript[event](data);
  assert.deepEqual(view.lines, finished);
});

test("a resume in the middle of a reply changes nothing", () => {
  for (let cut = 1; cut < turn.length; cut++) {
    const { view, transcript } = setup();
    for (const [event, data] of [...turn.slice(0, cut), ...turn.slice(cut - 1), ...turn.slice(cut)]) transcript[event](data);
    assert.deepEqual(view.lines, finished, `cut at ${cut}`);
  }
});

test("what the page has already is left alone", () => {
  const { view, transcript } = setup(["3-user", "3-assistant"]);
  for (const [event, data] of turn) transcript[event](data);
  assert.deepEqual(view.lines, []);
});

test("the reply is thinking, then writing", () => {
  const { view, transcript } = setup();
  transcript.started({ turn: 1 });
  assert.deepEqual(view.lines, ["1-assistant:  (thinking)"]);
  transcript.delta({ turn: 1, offset: 0, content: "Hello" });
  assert.deepEqual(view.lines, ["1-assistant: Hello (writing)"]);
});

test("a later attempt begins the reply anew", () => {
  const { view, transcript } = setup();
  transcript.started({ turn: 1 });
  transcript.delta({ turn: 1, offset: 0, content: "Lost words" });
  transcript.delta({ turn: 1, attempt: 2, offset: 0, content: "Found" });
  assert.deepEqual(view.lines, ["1-assistant: Found (writing)"]);
});

test("a stopped reply says so", () => {
  const { view, transcript } = setup();
  transcript.message({ turn: 1, role: "assistant", content: "Half", complete: false });
  assert.deepEqual(view.lines, ["1-assistant: Half (stopped)"]);
});

test("half a reply does not stay after an error", () => {
  const { view, transcript } = setup();
  transcript.started({ turn: 2, message: "Hm" });
  transcript.delta({ turn: 2, offset: 0, content: "Well" });
  transcript.ended(2);
  assert.deepEqual(view.lines, ["2-user: Hm (said)"]);
});

test("an own message is replaced, not doubled: event first", () => {
  const { view, transcript } = setup(["2-user", "2-assistant"]);
  transcript.propose("c1", { message: "Bread" });
  assert.deepEqual(view.lines, ["pending-c1: Bread (sending)"]);
  transcript.started({ turn: 3, message: "Bread" });
  transcript.accepted("c1");
  assert.deepEqual(view.lines, ["3-assistant:  (thinking)", "3-user: Bread (said)"]);
});

test("an own message is replaced, not doubled: answer first, text tidied by the server", () => {
  const { view, transcript } = setup();
  transcript.propose("c1", { message: "Bread " });
  transcript.accepted("c1");
  transcript.started({ turn: 3, message: "Bread" });
  assert.deepEqual(view.lines, ["3-assistant:  (thinking)", "3-user: Bread (said)"]);
});

test("an own message is replaced, not doubled: event first, text tidied by the server", () => {
  const { view, transcript } = setup();
  transcript.propose("c1", { message: "Bread " });
  transcript.started({ turn: 3, message: "Bread" });
  transcript.accepted("c1");
  assert.deepEqual(view.lines, ["3-assistant:  (thinking)", "3-user: Bread (said)"]);
});

test("a message whose answer was lost is replaced when its turn comes", () => {
  const { view, transcript } = setup();
  transcript.propose("c1", { message: "Bread" });
  transcript.refused("c1");
  assert.deepEqual(transcript.unsent(), ["Bread"]);
  transcript.started({ turn: 3, message: "Bread" });
  assert.deepEqual(view.lines, ["3-assistant:  (thinking)", "3-user: Bread (said)"]);
  assert.deepEqual(transcript.unsent(), []);
});

test("another tab's turn leaves a refused message alone", () => {
  const { view, transcript } = setup();
  transcript.propose("c1", { message: "Mine" });
  transcript.refused("c1");
  transcript.started({ turn: 3, message: "Theirs" });
  assert.deepEqual(view.lines, ["3-assistant:  (thinking)", "3-user: Theirs (said)", "pending-c1: Mine (failed)"]);
});

test("a failed turn's answers can be sent again", () => {
  const { transcript } = setup();
  const payload = { message: "12 people", answers: { team: 12 } };
  transcript.propose("c1", payload);
  transcript.started({ turn: 3, message: "12 people" });
  assert.deepEqual(transcript.saidIn(3), payload);
  assert.deepEqual(transcript.saidIn(9), { message: "" });
});

test("a message taken back gives its words", () => {
  const { view, transcript } = setup();
  transcript.propose("c1", { message: "Mine" });
  transcript.refused("c1");
  assert.equal(transcript.withdraw("c1").message, "Mine");
  assert.deepEqual(view.lines, []);
});

test("a message is known by the id it was sent under, whatever it says", () => {
  const shown = new Map();
  const t = new Transcript({ show: (e) => shown.set(e.id, e.state), drop: (id) => shown.delete(id) }, [], () => "You");
  t.propose("a", { message: "Yes" });
  t.delayed("a");
  assert.equal(shown.get("pending-a"), "waiting");
  t.started({ turn: 2, message: "Yes", userId: "ben", clientMessageId: "b" });
  assert.equal(t.waits("a"), true, "that was somebody else's");
  t.started({ turn: 3, message: "Yes.", userId: "ann", clientMessageId: "a" });
  assert.equal(t.waits("a"), false);
});

test("a reply whose connection broke says so until it goes on", () => {
  const shown = new Map();
  const t = new Transcript({ show: (e) => shown.set(e.id, e.state), drop: (id) => shown.delete(id) }, [], () => "You");
  t.started({ turn: 2 });
  t.delta({ turn: 2, offset: 0, content: "Thank" });
  t.broken();
  assert.equal(shown.get("2-assistant"), "cut");
  t.delta({ turn: 2, offset: 5, content: " you" });
  assert.equal(shown.get("2-assistant"), "writing");
  assert.equal(t.message({ turn: 2, role: "assistant", content: "Thank you" }), true);
  assert.equal(t.message({ turn: 2, role: "assistant", content: "Thank you" }), false, "it was here before");
});

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

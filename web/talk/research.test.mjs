import assert from "node:assert/strict";
import { test } from "node:test";
import { Latest } from "../static/parts.js";
import { cardFor, counted, standing } from "./research.js";

for (const { name, card, event, want } of [
  { name: "a task the page does not have", card: null, event: { status: "pending" }, want: "fresh" },
  { name: "what happens now", card: { status: "running", steered: 0 }, event: { status: "running" }, want: "fill" },
  { name: "it begins", card: { status: "pending", steered: 0 }, event: { status: "running" }, want: "fill" },
  { name: "it waits again", card: { status: "running", steered: 0 }, event: { status: "pending" }, want: "fill" },
  { name: "it is over", card: { status: "running", steered: 0 }, event: { status: "completed" }, want: "fresh" },
  { name: "it was cancelled", card: { status: "pending", steered: 0 }, event: { status: "cancelled" }, want: "fresh" },
  { name: "it was steered", card: { status: "running", steered: 1 }, event: { status: "running", steering: ["a", "b"] }, want: "fresh" },
  { name: "its steering is told again", card: { status: "running", steered: 2 }, event: { status: "running", steering: ["a", "b"] }, want: "fill" },
  { name: "its end is told again", card: { status: "completed", steered: 0 }, event: { status: "completed" }, want: "" },
  { name: "somebody says something against what came of it", card: { status: "completed", steered: 0, disputed: "" }, event: { status: "completed", disputed: "No" }, want: "fresh" },
  { name: "what was said against it is told again", card: { status: "completed", steered: 0, disputed: "No" }, event: { status: "completed", disputed: "No" }, want: "" },
  { name: "an older event comes late", card: { status: "failed", steered: 0 }, event: { status: "running" }, want: "" },
]) {
  test(`an event calls for: ${name}`, () => assert.equal(cardFor(card, event), want));
}

test("what came of a task stands for its end", () => {
  assert.equal(standing({ status: "completed", outcome: "no_evidence" }), "no_evidence");
  assert.equal(standing({ status: "completed" }), "completed");
  assert.equal(standing({ status: "running", outcome: "" }), "running");
});

test("what was read and found is counted in words", () => {
  assert.equal(counted({}), "");
  assert.equal(counted({ sources: 1 }), "1 source read, 0 claims");
  assert.equal(counted({ sources: 4, claims: 1 }), "4 sources read, 1 claim");
});

test("a burst of asking runs a job twice: at once, and after the last", async () => {
  const ran = [];
  let free;
  const latest = new Latest((name) => {
    ran.push(name);
    return new Promise((resolve) => (free = resolve));
  });

  const first = latest.ask("a");
  for (let i = 0; i < 5; i++) latest.ask("a");
  free();
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(ran, ["a", "a"]);
  free();
  await first;
  latest.ask("a");
  assert.deepEqual(ran, ["a", "a", "a"]);
});

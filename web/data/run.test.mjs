import assert from "node:assert/strict";
import { test } from "node:test";
import { firstWanted, spoken } from "./run.js";

for (const { name, steps, want } of [
  { name: "no step yet", steps: [], want: 0 },
  { name: "the steps behind the last", steps: [{ n: 3 }, { n: 2 }, { n: 1 }], want: 3 },
  { name: "the one under way again", steps: [{ n: 3, asked: true }, { n: 2 }], want: 2 },
  { name: "the first of several under way", steps: [{ n: 5 }, { n: 4, asked: true }, { n: 3, asked: true }], want: 2 },
]) {
  test(`asked for: ${name}`, () => assert.equal(firstWanted(steps), want));
}

test("a new status is said before a new step", () => {
  assert.equal(spoken("Orders by day", ""), "Orders by day");
  assert.equal(spoken("Orders by day", "Done"), "Done");
  assert.equal(spoken(undefined, ""), "");
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { nextPlace } from "./steps.js";

it("leads up and down, and nowhere past an end", () => {
  for (const [at, key, count, want] of [
    [0, "ArrowDown", 3, 1],
    [1, "ArrowUp", 3, 0],
    [2, "ArrowDown", 3, -1],
    [0, "ArrowUp", 3, -1],
    [-1, "ArrowDown", 3, -1],
    [1, "Enter", 3, -1],
    [0, "ArrowDown", 1, -1],
  ]) {
    assert.equal(nextPlace(at, key, count), want, `${key} from ${at} of ${count}`);
  }
});

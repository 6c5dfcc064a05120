import assert from "node:assert/strict";
import { test } from "node:test";
import { beingRead } from "./steady.js";

const list = [{ id: "three", top: -400, bottom: 20 }, { id: "two", top: 20, bottom: 380 }, { id: "one", top: 380, bottom: 700 }];

for (const { name, parts, want } of [
  { name: "nothing there", parts: [], want: "" },
  { name: "the first below the head", parts: list, want: "two" },
  { name: "not what is nearly out of sight", parts: [{ id: "gone", top: -400, bottom: 90 }, { id: "next", top: 90, bottom: 300 }], want: "next" },
  { name: "one that is longer than the window", parts: [{ id: "long", top: -900, bottom: 900 }], want: "long" },
  { name: "not what has only come into sight", parts: list.slice(2), want: "" },
]) {
  test(`is read: ${name}`, () => assert.equal(beingRead(parts, 56, 350), want));
}

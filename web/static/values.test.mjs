import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { collect } from "./answers.js";
import { toldOnce } from "./evidence.js";
import { displayValue, heldValue } from "./values.js";

const cases = (name) => JSON.parse(readFileSync(new URL(`../ui/testdata/${name}.json`, import.meta.url)));

for (const { name, template, value, want } of cases("values")) {
  test(`displayValue: ${name}`, () => assert.equal(displayValue(template, value), want));
}

for (const { name, template, value, quotes, want } of cases("held")) {
  test(`heldValue: ${name}`, () => assert.equal(heldValue(template, value, quotes.map((quote) => ({ quote }))), want));
}

for (const { name, list, want } of cases("evidence")) {
  test(`toldOnce: ${name}`, () => assert.deepEqual(toldOnce(list), want));
}

for (const { name, question, form, message, answers } of cases("answers")) {
  test(`collect: ${name}`, () => assert.deepEqual(collect(question, form), { message, answers }));
}

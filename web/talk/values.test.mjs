import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { collect } from "./answers.js";
import { displayValue } from "./values.js";

const cases = (name) => JSON.parse(readFileSync(new URL(`../ui/testdata/${name}.json`, import.meta.url)));

for (const { name, template, value, want } of cases("values")) {
  test(`displayValue: ${name}`, () => assert.equal(displayValue(template, value), want));
}

for (const { name, question, form, message, answers } of cases("answers")) {
  test(`collect: ${name}`, () => assert.deepEqual(collect(question, form), { message, answers }));
}

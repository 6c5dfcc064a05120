import assert from "node:assert/strict";
import { test } from "node:test";
import { Sentences } from "./sentences.js";

for (const { name, text, want } of [
  { name: "two", text: "Thank you. What next?", want: ["Thank you.", "What next?"] },
  { name: "number", text: "It is 3.5 now. Good.", want: ["It is 3.5 now.", "Good."] },
  { name: "abbreviations", text: "Ask Dr. Ito, e.g. today. Fine.", want: ["Ask Dr. Ito, e.g. today.", "Fine."] },
  { name: "quotation", text: "He said “no.” Then left!", want: ["He said “no.”", "Then left!"] },
  { name: "lines", text: "Noted:\n\n- bread\n- cakes\n", want: ["Noted:", "bread", "cakes"] },
  { name: "Markdown", text: "I have **two ways** noted:\n2. `x` and 3 - 1. So.", want: ["I have two ways noted:", "x and 3 - 1.", "So."] },
  { name: "no end", text: "And so", want: ["And so"] },
  { name: "ideographic", text: "好。谢谢", want: ["好。", "谢谢"] },
  { name: "nothing", text: "  \n ", want: [] },
]) {
  test(`sentences: ${name}`, () => {
    assert.deepEqual(new Sentences().rest(text), want);

    const growing = new Sentences();
    const told = [];
    for (let at = 1; at <= text.length; at++) told.push(...growing.upTo(text.slice(0, at)));
    assert.deepEqual([...told, ...growing.rest(text)], want, "letter by letter");
  });
}

test("a sentence is told once", () => {
  const s = new Sentences();
  assert.deepEqual(s.upTo("One. Two"), ["One."]);
  assert.deepEqual(s.upTo("One. Two"), []);
  assert.deepEqual(s.rest("One. Two"), ["Two"]);
  assert.deepEqual(s.rest("One. Two"), []);
});

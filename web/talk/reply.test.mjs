import assert from "node:assert/strict";
import { test } from "node:test";
import { Reply } from "./reply.js";

const text = "Hello 🙂, how are you? Ça va 👩‍👩‍👧 bien.";

/** Cuts text into pieces of random lengths in UTF-16 units. */
function pieces(random) {
  const out = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random() * 6);
    out.push({ offset: at, content: text.slice(at, at + length) });
    at += length;
  }
  return out;
}

/** A small generator, so that a failure can be repeated. */
function seeded(seed) {
  return () => ((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648);
}

for (const { name, list, want } of [
  { name: "in order", list: [{ offset: 0, content: "One " }, { offset: 4, content: "two" }], want: "One two" },
  { name: "repeated", list: [{ offset: 0, content: "One " }, { offset: 0, content: "One " }, { offset: 4, content: "two" }, { offset: 4, content: "two" }], want: "One two" },
  { name: "overlapping", list: [{ offset: 0, content: "One t" }, { offset: 2, content: "e two three" }], want: "One two three" },
  { name: "contained", list: [{ offset: 0, content: "One two" }, { offset: 4, content: "t" }], want: "One two" },
  { name: "out of order", list: [{ offset: 4, content: "two" }, { offset: 0, content: "One " }], want: "One two" },
  { name: "with a gap", list: [{ offset: 0, content: "One " }, { offset: 8, content: "three" }], want: "One " },
  { name: "gap filled", list: [{ offset: 0, content: "One " }, { offset: 8, content: "three" }, { offset: 4, content: "two " }], want: "One two three" },
  { name: "after emoji", list: [{ offset: 0, content: "Hi 🙂" }, { offset: 5, content: "!" }], want: "Hi 🙂!" },
  { name: "emoji overlapping", list: [{ offset: 0, content: "Hi 🙂" }, { offset: 3, content: "🙂 there" }], want: "Hi 🙂 there" },
  { name: "later attempt", list: [{ offset: 0, content: "Old words" }, { attempt: 2, offset: 0, content: "New" }], want: "New" },
  { name: "earlier attempt", list: [{ attempt: 2, offset: 0, content: "New" }, { attempt: 1, offset: 3, content: "old" }], want: "New" },
]) {
  test(`Reply: ${name}`, () => {
    const reply = new Reply();
    for (const piece of list) reply.add(piece);
    assert.equal(reply.text, want);
  });
}

test("Reply: any order, any repetition gives the text", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = seeded(seed);
    const list = [...pieces(random), ...pieces(random)].sort(() => random() - 0.5);
    const reply = new Reply();
    for (const piece of list) reply.add(piece);
    assert.equal(reply.text, text, `seed ${seed}`);
  }
});

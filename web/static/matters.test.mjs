import assert from "node:assert/strict";
import { describe, it } from "node:test";

globalThis.document ??= { getElementById: () => null, addEventListener: () => {} };
const { concerns } = await import("./matters.js");

describe("what may change what is to be settled", () => {
  const none = () => false;
  const cases = [
    ["a dispute that moved", { type: "negotiation", key: "team" }, none, null, true],
    ["a conflict", { type: "conflict", keys: ["team"] }, none, null, true],
    ["an answer in the person's words", { type: "obligation", key: "team", evidence: [{ kind: "stated" }] }, none, null, false],
    ["a value that research proposes", { type: "obligation", key: "team", evidence: [{ kind: "research" }] }, none, null, true],
    ["a value from a document", { type: "obligation", key: "team", evidence: [{ kind: "document" }] }, none, null, true],
    ["a value a card is about", { type: "obligation", key: "team" }, (key) => key === "team", null, true],
    ["the value that is asked about", { type: "obligation", key: "team" }, none, { purpose: "confirm", key: "team" }, true],
    ["a question to confirm", { type: "question", purpose: "confirm", key: "team" }, none, null, true],
    ["the next question after one to confirm", { type: "question", purpose: "ask", key: "goal" }, none, { purpose: "confirm", key: "team" }, true],
    ["one question after another", { type: "question", purpose: "ask", key: "goal" }, none, { purpose: "ask", key: "team" }, false],
    ["a piece of a reply", { type: "delta" }, none, null, false],
  ];
  for (const [name, event, shown, asked, want] of cases) {
    it(name, () => assert.equal(concerns(event, shown, asked), want));
  }
});

import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { say, speak } from "./said.js";

describe("fixed words", () => {
  afterEach(() => speak({}));

  it("are English where the page has none of its own", () => {
    speak({ "Saved.": "Gespeichert." });
    assert.equal(say("Settled."), "Settled.");
    speak(undefined);
    assert.equal(say("Saved."), "Saved.");
  });
  it("hold values as they are", () => {
    speak({ "Noted: {name}, {value}.": "Notiert: {name}, {value}." });
    assert.equal(say("Noted: {name}, {value}.", { name: "{value}", value: "$& 5" }), "Notiert: {value}, $& 5.");
  });
  it("keep a place that nothing is given for", () => assert.equal(say("{n} left"), "{n} left"));
});
